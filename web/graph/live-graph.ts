import type { ReadonlySignal } from '@preact/signals';
import type {
  ChannelGauge,
  OperationStatistics,
  ShownStep,
  SubscriptionGauge,
} from '../../src/tools/studio/protocol.js';

/** What happens at the parts of a graph while it is shown. */
export interface LiveGraph {
  /** The activity of an edge, by its coordinate. */
  edge(coordinate: string): ReadonlySignal<EdgeActivity>;
  /** The channel of a node, by its id; undefined without one. */
  channel(node: string): ReadonlySignal<ChannelGauge | undefined>;
  /** Calls a function for each call that has ended, until the returned function is called. */
  onCall(listener: (call: EndedCall) => void): () => void;
}

/** The activity of an edge; what is absent has not happened yet. */
export interface EdgeActivity {
  /** The calls of the last minute. */
  readonly statistics?: OperationStatistics;
  readonly subscription?: SubscriptionGauge;
  /** The step that a run takes here: of the selected run, or of one that runs now. */
  readonly step?: RunStep;
  /** The last race, for a moment. */
  readonly race?: RaceOutcome;
}

/** A step of a run. */
export interface RunStep {
  readonly state: ShownStep['state'];
  /** Its place among the steps, from 1. */
  readonly place: number;
}

/** The end of a race, as ids of nodes. */
export interface RaceOutcome {
  readonly winner: string | undefined;
  readonly cancelled: readonly string[];
}

/** A call that has ended, or is shown again. */
export interface EndedCall {
  readonly coordinate: string;
  readonly hasFailed: boolean;
  /** The nodes of the branches of a race that were cancelled. */
  readonly cancelled?: readonly string[];
  /** Whether it is shown in slow motion. */
  readonly isSlow?: boolean;
}

/** The numbers beside an edge, in lines: `24/min · p95 12 ms`, `3 subscribers`, `2 waiting · lag 40 ms`. */
export function describeActivity({ statistics, subscription, race, step }: EdgeActivity): readonly string[] {
  const lines: string[] = step === undefined ? [] : [describeStep(step)];
  if (statistics !== undefined) {
    const { calls, errors, p95 } = statistics;
    lines.push(`${calls}/min · p95 ${describeDuration(p95)}`);
    if (errors > 0) lines.push(count(errors, 'error'));
  }
  if (subscription !== undefined) {
    const { subscribers, waiting, lag } = subscription;
    if (subscribers > 0) lines.push(count(subscribers, 'subscriber'));
    if (waiting > 0) lines.push(`${waiting} waiting · lag ${describeDuration(lag)}`);
  }
  if (race !== undefined) {
    const { winner, cancelled } = race;
    lines.push(winner === undefined ? 'no winner' : `won by ${winner}`);
    if (cancelled.length > 0) lines.push(`cancelled: ${cancelled.join(', ')}`);
  }
  return lines;
}

/** `step 2 ✓ done`: a sign and a word, so that no colour is needed to tell states apart. */
export function describeStep({ place, state }: RunStep): string {
  return `step ${place} ${stepSigns[state]} ${state}`;
}

/** The signs of the states of steps and runs. */
export const stepSigns = {
  open: '○',
  running: '▶',
  waiting: '…',
  retrying: '↻',
  undoing: '↶',
  done: '✓',
  completed: '✓',
  failed: '✕',
  cancelled: '✕',
  undone: '↶',
} as const;

/** How an edge does: the worst of its errors, its queue and its durations. */
export function healthOf({ statistics, subscription }: EdgeActivity): 'failing' | 'slow' | 'fine' | undefined {
  if (statistics === undefined && subscription === undefined) return undefined;
  if ((statistics?.errors ?? 0) > 0) return 'failing';
  const second = 1000;
  if ((statistics?.p95 ?? 0) >= second || (subscription?.lag ?? 0) >= second) return 'slow';
  return (statistics?.calls ?? 0) > 0 || (subscription?.subscribers ?? 0) > 0 ? 'fine' : undefined;
}

function describeDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds < 10 ? Number(milliseconds.toFixed(1)) : Math.round(milliseconds)} ms`;
}

/** `1 call`, `2 calls`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
