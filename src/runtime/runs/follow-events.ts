import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from 'openworkflow/internal';
import { readProperty } from '../../base/values/read-property.js';
import type { Wait } from '../../compiler/api/chains/waits.js';
import { remember } from '../../compiler/graph/maps.js';
import type { EventHub } from '../brokers/event-hub.js';
import type { EventPlace, ResumableBacklog } from '../brokers/event-log.js';
import { digest } from '../repeats/caller-identity.js';
import { attemptsOf, listRuns, waitingFor } from './read-run.js';
import type { KeptRun } from './runs.js';

/** Where a server finds the runs that wait for events. */
export interface FollowSite {
  readonly backend: Backend;
  readonly hub: EventHub;
  /** The waits of all chains, by the names of the chains. */
  readonly waits: ReadonlyMap<string, readonly Wait[]>;
  /** Called when a run goes on. */
  readonly wake: () => void;
}

export type EventFollower = ReturnType<typeof followEvents>;

/** The pause before the next attempt, if the database or the broker is away, in milliseconds. */
const patience = 1_000;

/** The number of runs that are read at a time. */
const pageSize = 100;

/** The number of the last events that are read if the place at which a run began is not known. */
const recentEvents = 10_000;

/** The number of events that may wait for the database, before those that follow wait at the broker. */
const mostWaiting = 1_000;

/** The signal with which the engine moves the runs that wait for an event with an id. */
export function signalOf(event: string, field: string, id: unknown): string {
  return `${event} ${digest(field, String(id))}`;
}

/** Delivers the events that runs wait for as signals of the engine; those of earlier are read from the log. */
export function followEvents({ backend, hub, waits, wake }: FollowSite) {
  const fields = new Map<string, Set<string>>();
  for (const { event, field } of [...waits.values()].flat())
    fields.set(event.name, (fields.get(event.name) ?? new Set()).add(field));
  let isClosed = false;

  /** Does work until it succeeds: a database or a broker may be away. */
  const persist = async (work: () => Promise<void>): Promise<void> => {
    while (!isClosed) {
      try {
        return await work();
      } catch (error) {
        if (isClosed) return;
        hub.monitor.fault(error);
        await pause(patience, undefined, { ref: false });
      }
    }
  };
  /** The deliveries of each partition, in their order: other subscribers must not wait while the database is away. */
  const lines = new Map<number, { last: Promise<void>; length: number }>();
  const deliver = (partition: number, work: () => Promise<void>): Promise<void> | undefined => {
    const line = remember(lines, partition, () => ({ last: Promise.resolve(), length: 0 }));
    const leave = () => {
      line.length -= 1;
    };
    line.length += 1;
    line.last = line.last.then(() => persist(work)).then(leave);
    return line.length < mostWaiting ? undefined : line.last;
  };
  const send = async (signal: string, place: EventPlace | undefined): Promise<void> => {
    const data = place === undefined ? null : JSON.parse(JSON.stringify(place));
    // Without a key: with one, the engine would deliver the event to the runs of the first delivery only.
    const { workflowRunIds } = await backend.sendSignal({ signal, data, idempotencyKey: null });
    if (workflowRunIds.length > 0) wake();
  };
  const signalsOf = (event: string, payload: unknown): readonly string[] => {
    try {
      return [...(fields.get(event) ?? [])].flatMap((field) => {
        const id = readProperty(payload, field);
        return id === null || id === undefined ? [] : [signalOf(event, field, id)];
      });
    } catch (error) {
      // Reading an event may throw, and would again.
      hub.monitor.fault(error);
      return [];
    }
  };

  /** Reads the events that the log keeps after a place, until one is found; undefined if there is none. */
  const find = async (
    event: string,
    since: string | undefined,
    isFound: (signals: readonly string[], place: EventPlace) => boolean | Promise<boolean>,
  ): Promise<EventPlace | undefined> => {
    const backlog = await backlogAfter(event, since);
    for (let isAtEnd = backlog === undefined; !isAtEnd; ) {
      const page = await (backlog as ResumableBacklog).read();
      for (const step of page.steps)
        if ('payload' in step && step.place && (await isFound(signalsOf(event, step.payload), step.place)))
          return step.place;
      isAtEnd = page.isAtEnd;
    }
    return undefined;
  };
  const backlogAfter = async (event: string, since: string | undefined) => {
    const { log } = hub;
    if (log === undefined) return undefined;
    await hub.opening();
    if (since !== undefined) {
      try {
        return await log.readAfter(since, event);
      } catch (error) {
        // The server has another log than when the run began.
        if (!(error instanceof Error && error.name === 'EventIdError')) throw error;
      }
    }
    return log.readAfter(await log.recentId(recentEvents), event);
  };

  /** Delivers the events that came while no server listened. */
  const catchUp = async (): Promise<void> => {
    const open = new Map<string, { signals: Set<string>; since: string | undefined }>();
    for (const chain of waits.keys()) {
      // The newest ones come first, so that the last one tells where to begin.
      for await (const { id, input } of listRuns(backend, {
        workflowName: chain,
        status: 'running',
        limit: pageSize,
      })) {
        const { since, done, plan } = input as unknown as KeptRun;
        const waiting = waitingFor((await attemptsOf(backend, id, plan)).at(-1));
        if (waiting === undefined || !('signal' in waiting)) continue;
        const { signals } = open.get(waiting.event) ?? { signals: new Set() };
        // A run that tries another one again began after its events.
        const isKnown = done === undefined && open.get(waiting.event)?.since !== '';
        open.set(waiting.event, { signals: signals.add(waiting.signal), since: isKnown ? since : '' });
      }
    }
    for (const [event, { signals, since }] of open)
      await find(event, since || undefined, async (found, place) => {
        for (const signal of found) if (signals.has(signal)) await send(signal, place);
        return false;
      });
  };

  const stops = [...fields.keys()].map((event) =>
    hub.listen(event, {
      event: (payload, place) => {
        const signals = signalsOf(event, payload);
        if (signals.length === 0) return undefined;
        return deliver(place?.partition ?? 0, async () => {
          for (const signal of signals) await send(signal, place);
        });
      },
      gap: () => void persist(catchUp),
    }),
  );
  if (fields.size > 0) void persist(catchUp);
  return {
    /** The place after which a run that begins now gets events; undefined while it is not known. */
    get now() {
      return hub.log?.latestId;
    },
    /** Delivers an event to a run that waits for it, if the log has one after a place. */
    look: (event: string, signal: string, since: string | undefined) =>
      persist(async () => {
        const place = await find(event, since, (found) => found.includes(signal));
        if (place !== undefined) await send(signal, place);
      }),
    /** The first event of a signal that the log has after a place. */
    first: (event: string, signal: string, since: string | undefined) =>
      find(event, since, (found) => found.includes(signal)),
    /** Whether an event came before a place, so that it moves nothing that began there. */
    async isPast(event: string, place: EventPlace, since: string): Promise<boolean> {
      return (await backlogAfter(event, since))?.isPast(place) === true;
    },
    stop(): void {
      isClosed = true;
      for (const stop of stops) stop();
    },
  };
}
