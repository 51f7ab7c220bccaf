import { type Signal, signal } from '@preact/signals';
import { operationCoordinate } from '../../src/compiler/api/operation-coordinate.js';
import { remember } from '../../src/compiler/graph/maps.js';
import { withInternal } from '../../src/compiler/schema/schema-index.js';
import type { CallSummary, ChannelGauge, RaceResult, StudioMessage } from '../../src/tools/studio/protocol.js';
import type { EdgeActivity, EndedCall, LiveGraph, RunStep } from '../graph/live-graph.js';
import { connected, listen, state } from './store.js';

const edges = signalsByKey<EdgeActivity>({});
const channels = signalsByKey<ChannelGauge | undefined>(undefined);
const listeners = new Set<(call: EndedCall) => void>();

/** The activity of the served API, from the stream of messages. */
export const live: LiveGraph = {
  edge: edges.at,
  channel: channels.at,
  onCall(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** How long a race is shown. */
const raceTime = 4000;
/** The time that statistics are about. */
const minute = 60_000;

const seen = new Map<string, number>();

/** Follows the stream of messages. */
export function followActivity(): void {
  listen(receive);
  connected.subscribe((isOpen) => {
    // The numbers of a server that has ended are not those of the next one.
    if (isOpen) return;
    edges.reset();
    channels.reset();
  });
  setInterval(() => {
    const now = Date.now();
    for (const [coordinate, at] of seen) {
      if (now - at < minute) continue;
      seen.delete(coordinate);
      const { statistics: _, ...rest } = edges.at(coordinate).value;
      edges.at(coordinate).value = rest;
    }
  }, 5000);
}

function receive(message: StudioMessage): void {
  switch (message.kind) {
    case 'calls':
      for (const call of message.calls) showCall({ coordinate: call.coordinate, hasFailed: isFailed(call) });
      break;
    case 'statistics':
      for (const statistics of message.operations) {
        const at = edges.at(statistics.coordinate);
        const { statistics: _, ...rest } = at.value;
        if (statistics.calls > 0) seen.set(statistics.coordinate, Date.now());
        at.value = statistics.calls > 0 ? { ...rest, statistics } : rest;
      }
      break;
    case 'gauges':
      for (const subscription of message.subscriptions) {
        const at = edges.at(operationCoordinate({ kind: 'subscription', name: subscription.name }));
        at.value = { ...at.value, subscription };
      }
      for (const gauge of message.channels) channels.at(gauge.node).value = gauge;
      break;
    case 'races':
      for (const race of message.races) showRace(race);
      break;
    default:
      break;
  }
}

/** Shows a call on the graph. */
export function showCall(call: EndedCall): void {
  for (const listener of listeners) listener(call);
}

export function isFailed({ status = 200, errors }: Pick<CallSummary, 'status' | 'errors'>): boolean {
  return errors > 0 || status >= 400;
}

/** Shows the steps of runs at their edges, in place of those before. */
export function showSteps(steps: ReadonlyMap<string, RunStep>): void {
  for (const coordinate of new Set([...walked, ...steps.keys()])) {
    const at = edges.at(coordinate);
    const { step: _, ...rest } = at.peek();
    const step = steps.get(coordinate);
    at.value = step === undefined ? rest : { ...rest, step };
  }
  walked = new Set(steps.keys());
}

let walked: ReadonlySet<string> = new Set();

/** Shows the end of a race on the graph for a moment. */
export function showRace({ union, winner, cancelled }: RaceResult, isSlow = false): void {
  const schema = state.value?.api?.schema;
  if (schema === undefined) return;
  const { objects } = withInternal(schema);
  const nodeOf = (type: string) => objects.find(({ name }) => name === type)?.node?.id ?? type;
  const race = { winner: winner === undefined ? undefined : nodeOf(winner), cancelled: cancelled.map(nodeOf) };
  const at = edges.at(union);
  at.value = { ...at.value, race };
  showCall({ coordinate: union, hasFailed: winner === undefined, cancelled: race.cancelled, isSlow });
  setTimeout(() => {
    if (at.value.race !== race) return;
    const { race: _, ...rest } = at.value;
    at.value = rest;
  }, raceTime);
}

/** Values that components follow, by a key; each begins as the given one. */
function signalsByKey<Value>(initial: Value) {
  const known = new Map<string, Signal<Value>>();
  return {
    at: (key: string) => remember(known, key, () => signal(initial)),
    reset(): void {
      for (const each of known.values()) each.value = initial;
    },
  };
}
