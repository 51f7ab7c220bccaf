import { type CancelSource, runUntil } from '../../base/values/run-until.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { RedisClient } from '../brokers/redis-scripts.js';
import type { Monitor } from '../logs/monitor.js';
import { type CallerIdentity, digest } from './caller-identity.js';
import { MemoryStore } from './memory-store.js';
import { createRedisStore } from './redis-store.js';
import { RepeatRefused, refused, storeFull } from './repeat-refused.js';
import type { Lease, RepeatStore, StoreBounds, StoredKey, Taken } from './repeat-store.js';

export interface RepeatableCall extends CallerIdentity {
  /** The key of the client, already checked by `readKey`; for a step of a chain also the name of the step. */
  readonly key: string;
  /** The document, the operation and the variables. The same key with another fingerprint is refused. */
  readonly fingerprint: string;
  /** Reports that the client left: a waiting repeat stops waiting. */
  readonly client?: CancelSource | undefined;
}

/** The key of a mutation, as a database commits it with the rows of the mutation. */
export interface MutationKey extends Omit<StoredKey, 'account'> {
  /** How long it is kept, in milliseconds. */
  readonly ttl: number;
  /** Makes the refusal of a call that has the id and another fingerprint. */
  refuse(): RepeatRefused;
}

/** An event of a call that was not acknowledged yet. */
export interface KeptEvent {
  readonly subscription: string;
  readonly payload: JsonValue;
  /** The same whenever the event is sent again, for brokers that can deduplicate. */
  readonly id: string;
}

export type FoundRun = ReturnType<typeof found>;

export type Repeats = ReturnType<typeof repeatsOver>;

export interface RepeatSettings extends StoreBounds {
  readonly store: 'memory' | (string & {}) | RedisClient;
}

/** How long a repeat waits for the first run, in milliseconds. */
export const maxWait = 10_000;

/** The maximum length of an outcome, and of the events with their outcome, in JSON. */
export const maxKept = 1 << 20;

/**
 * Finds repeats by their key. The state of a key is one of these, in this order; see docs/idempotency.md.
 *
 * key → running → changed → (each event acknowledged) → answered
 */
export function createRepeats({ store, ttl, size }: RepeatSettings, monitor: Monitor): Repeats {
  const kept = store === 'memory' ? new MemoryStore({ ttl, size }) : createRedisStore(store, { ttl, size }, monitor);
  return repeatsOver(kept, monitor, ttl);
}

/** How long the attempts of a step of a run may be apart, in milliseconds. */
const attemptTtl = 600_000;

/**
 * Finds the repeats of the steps of runs, whose results their engine keeps: those of clients in this process have no use
 * for them. Processes that share a store find there whether another one runs a step. If it cannot tell, because that one
 * has died or it is away, the step runs again.
 */
export function createRunRepeats(ofClients: Repeats, monitor: Monitor): Repeats {
  const own = repeatsOver(new MemoryStore({ ttl: attemptTtl }), monitor, ofClients.ttl);
  if (!ofClients.isShared) return own;
  const find: Repeats['find'] = (call) =>
    ofClients.find(call).catch((error: unknown) => {
      if (error instanceof RepeatRefused && untold.has(error.code)) return own.find(call);
      throw error;
    });
  return { ...own, find };
}

const untold: ReadonlySet<string> = new Set(['IDEMPOTENCY_OUTCOME_UNKNOWN', 'IDEMPOTENCY_UNAVAILABLE']);

/** @param ttl - How long a store keeps a key that it has committed with rows, in milliseconds. */
export function repeatsOver(store: RepeatStore, monitor: Monitor, ttl = 0) {
  let isFailing = false;
  const take: RepeatStore['take'] = async (key) => {
    try {
      const taken = await store.take(key);
      isFailing = false;
      return taken;
    } catch (error) {
      if (!isFailing) monitor.fault(`Calls with an idempotency key are refused until Redis answers. ${String(error)}`);
      isFailing = true;
      throw refused('IDEMPOTENCY_UNAVAILABLE');
    }
  };
  return {
    ttl,
    /** Whether other processes have the same. */
    isShared: !(store instanceof MemoryStore),
    /**
     * Finds the first run of a call. A repeat waits while it runs.
     *
     * @throws {RepeatRefused} If the call must not run, and there is no outcome to repeat.
     */
    async find({ caller, account, key, fingerprint, client }: RepeatableCall): Promise<FoundRun> {
      const wanted = { id: digest(caller, key), account: digest(account), fingerprint: digest(fingerprint) };
      const deadline = performance.now() + maxWait;
      for (;;) {
        const taken = await take(wanted);
        if (taken.kind !== 'busy')
          return found(taken, { ...wanted, ttl, refuse: () => refused('IDEMPOTENCY_KEY_REUSED') });
        const timeout = deadline - performance.now();
        const { settled } = taken;
        if (timeout <= 0) throw refused('IDEMPOTENCY_KEY_IN_USE');
        await runUntil(
          { timeout, client },
          () => settled,
          () => Promise.reject(refused('IDEMPOTENCY_KEY_IN_USE')),
        );
      }
    },
  };
}

/** The state of a call: it is the first, it ran and has events to send again, or it was answered. */
function found(taken: Exclude<Taken, { kind: 'busy' }>, key: MutationKey) {
  switch (taken.kind) {
    case 'first':
      return { kind: 'first' as const, run: new FirstRun(taken.lease, key) };
    case 'changed': {
      // The caller of `find` sends the events, and then calls `run.answered` with the outcome. An outcome that was too
      // long to be kept is undefined: then the call is refused.
      const { outcome, events } = JSON.parse(taken.text) as Kept;
      if (events === undefined) throw refused('IDEMPOTENCY_ANSWER_TOO_LONG');
      const run = new FirstRun(taken.lease, key, { outcome, events });
      return { kind: 'unpublished' as const, run, outcome, events };
    }
    case 'answered': {
      const { outcome } = JSON.parse(taken.text) as Kept;
      if (outcome === undefined) throw refused('IDEMPOTENCY_ANSWER_TOO_LONG');
      return { kind: 'answered' as const, outcome };
    }
    case 'reused':
      throw key.refuse();
    case 'unknown':
      throw refused('IDEMPOTENCY_OUTCOME_UNKNOWN');
    case 'full':
      throw storeFull(taken);
  }
}

/** The kept outcome of a call. A part is absent if it was too long, or the store had no room for it. */
interface Kept {
  readonly outcome?: string | undefined;
  readonly events?: readonly KeptEvent[];
}

/**
 * The only run of a call, with a lease on its key: repeats wait. `answered` or `release` must end it. None of these methods
 * rejects: while the store cannot be reached, they are tried again in the background.
 */
export class FirstRun {
  #isOver = false;

  /** @param kept - Undefined until something was changed. */
  constructor(
    private readonly lease: Lease,
    readonly key: MutationKey,
    private kept?: Kept,
  ) {}

  /** The mutation has changed something, and never runs again: after a crash, a repeat sends the events. */
  async changed(outcome: string, events: readonly KeptEvent[]): Promise<void> {
    if (this.#isOver) return;
    this.kept = { outcome, events };
    await this.#writeChanged();
  }

  /** The broker has these events. Worth a call when others failed; after the last one, `answered` says the same. */
  async published(ids: readonly string[]): Promise<void> {
    if (this.#isOver || this.kept === undefined) return;
    const { outcome, events = [] } = this.kept;
    this.kept = { outcome, events: events.filter(({ id }) => !ids.includes(id)) };
    await this.#writeChanged();
  }

  /** Everything is done; `outcome` is what repeats get. */
  async answered(outcome: string | undefined): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.lease.write('answered', textsOf({ outcome }, {}));
  }

  /** Ends the run without an answer: the next call is the first again, or sends the missing events. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.lease.end(this.kept === undefined ? 'forget' : 'keep');
  }

  /** Events are worth more than the outcome, of which repeats can be told that it is not kept. */
  #writeChanged(): Promise<void> {
    const { outcome, events = [] } = this.kept ?? {};
    return this.lease.write('changed', textsOf({ outcome, events }, { events }, {}));
  }
}

/** The texts of what to keep, best first; the last one is always short. */
function textsOf(...kept: readonly Kept[]): string[] {
  return kept.map((one) => JSON.stringify(one)).filter((text) => text.length <= maxKept);
}
