import { GraphQLError } from 'graphql';
import { BranchErrors, forOperators, messageOf, publicMessageOf } from '../errors/error-marks.js';
import { RaceWinner } from './race-winner.js';

export interface Contestant {
  readonly typeName: string;
  /** How long its start is delayed, in milliseconds. Default: 0. */
  readonly delay?: number;
  /** Returns the value of the member, or a promise of it. The signal is aborted when the branch is cancelled. */
  readonly start: (signal: AbortSignal) => unknown;
}

/**
 * Races the branches of a union: the first success wins, and the signals of the others are aborted. Null is not a
 * success: the result is null only if no branch returns a value and at least one returns null. When all branches fail,
 * the race fails with all reasons.
 *
 * A delayed branch starts after its delay, or as soon as every started branch has failed or returned null. After a
 * success no further branch starts.
 *
 * @param signal - Cancels the race: aborts the branches, and the race fails with the reason of the signal.
 * @param onEnd - Gets the name of the winner, undefined if there is none, and those of the cancelled branches.
 * @throws {GraphQLError} If every branch failed. Its code is that of the branches if they all have the same one.
 */
export function race(
  union: string,
  contestants: readonly Contestant[],
  signal?: AbortSignal,
  onEnd?: RaceObserver,
): Promise<RaceWinner | null> {
  return new Promise((resolve, reject) => {
    new Race(union, contestants, signal, resolve, reject, onEnd).start();
  });
}

export type RaceObserver = (winner: string | undefined, cancelled: readonly string[]) => void;

type Miss = { readonly found: 'nothing' } | { readonly found: 'error'; readonly reason: unknown };

class Race {
  /** By the index of the branch; only those that were started. */
  readonly #controllers = new Map<number, AbortController>();
  /** The waiting branches, in the order of their starts. */
  readonly #waiting: number[];
  readonly #misses = new Map<number, Miss>();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    private readonly union: string,
    private readonly contestants: readonly Contestant[],
    private readonly signal: AbortSignal | undefined,
    private readonly resolve: (winner: RaceWinner | null) => void,
    private readonly reject: (reason: unknown) => void,
    private readonly onEnd: RaceObserver | undefined,
  ) {
    const delayOf = (index: number): number => contestants[index]?.delay ?? 0;
    this.#waiting = [...contestants.keys()].sort((one, other) => delayOf(one) - delayOf(other));
  }

  start(): void {
    if (this.signal?.aborted) {
      this.#abandon();
    } else if (this.contestants.length === 0) {
      this.#settleMisses();
    } else {
      this.signal?.addEventListener('abort', this.#abandon);
      this.#startDue(0);
    }
  }

  /** Starts the branches that are due at a time, in milliseconds, and waits for the next one. */
  #startDue(time: number): void {
    while (!this.#isOver) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      const { delay = 0 } = this.contestants[next] as Contestant;
      if (delay > time) {
        this.#timer = setTimeout(() => this.#startDue(delay), delay - time);
        return;
      }
      this.#waiting.shift();
      this.#run(next);
    }
  }

  #run(index: number): void {
    const { typeName, start } = this.contestants[index] as Contestant;
    const controller = new AbortController();
    this.#controllers.set(index, controller);
    // A synchronous throw becomes a rejection, so that the other branches are started first.
    new Promise((resolve) => resolve(start(controller.signal))).then(
      (value) => {
        if (value === null || value === undefined) this.#miss(index, { found: 'nothing' });
        else this.#win(index, new RaceWinner(typeName, value));
      },
      (reason: unknown) => this.#miss(index, { found: 'error', reason }),
    );
  }

  #win(index: number, winner: RaceWinner): void {
    if (this.#isOver) return;
    this.#end();
    this.resolve(winner);
    // The winner is not cancelled: its value may still be read lazily.
    this.#stop(new RaceLostError(this.union, winner.typeName), index, winner.typeName);
  }

  #miss(index: number, miss: Miss): void {
    if (this.#isOver) return;
    this.#misses.set(index, miss);
    if (this.#misses.size === this.contestants.length) this.#settleMisses();
    else if (this.#misses.size === this.#controllers.size) this.#hurry();
  }

  /** No branch is running, so the next one starts without its delay. */
  #hurry(): void {
    clearTimeout(this.#timer);
    const next = this.#waiting[0];
    if (next !== undefined) this.#startDue((this.contestants[next] as Contestant).delay ?? 0);
  }

  #settleMisses(): void {
    this.#end();
    this.onEnd?.(undefined, []);
    const misses = this.contestants.map((_, index) => this.#misses.get(index) as Miss);
    if (misses.some(({ found }) => found === 'nothing')) {
      this.resolve(null);
    } else {
      const reasons = misses.map((miss) => (miss.found === 'error' ? miss.reason : undefined));
      this.reject(everyBranchFailed(this.union, this.contestants, reasons));
    }
  }

  readonly #abandon = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.reject(this.signal?.reason);
    this.#stop(this.signal?.reason);
  };

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#abandon);
  }

  #stop(reason: unknown, except?: number, winner?: string): void {
    const running = [...this.#controllers].filter(([index]) => index !== except && !this.#misses.has(index));
    for (const [, controller] of running) controller.abort(reason);
    this.onEnd?.(
      winner,
      running.map(([index]) => (this.contestants[index] as Contestant).typeName),
    );
  }
}

/** The `signal.reason` of a cancelled branch: an AbortError that names the winner. */
class RaceLostError extends Error {
  override readonly name = 'AbortError';

  constructor(union: string, winner: string) {
    super(`${winner} won ${union}.`);
  }
}

function everyBranchFailed(
  union: string,
  contestants: readonly Contestant[],
  reasons: readonly unknown[],
): GraphQLError {
  const list = reasons.map((reason, index) => `${contestants[index]?.typeName}: ${sentenceOf(reason)}`);
  const codes = new Set(reasons.map(codeOf));
  const [code] = codes;
  const isMeant = reasons.every((reason) => reason instanceof GraphQLError);
  const failed = new GraphQLError(`Every branch of ${union} failed. ${list.join(' ')}`, {
    extensions: { code: codes.size === 1 && code !== undefined ? code : 'RACE_FAILED' },
    // Marks an error whose message contains internals of a branch, which must not reach the client.
    ...(isMeant ? {} : { originalError: new BranchErrors(reasons, `Every branch of ${union} failed.`) }),
  });
  return reasons.some((reason) => publicMessageOf(reason) !== undefined)
    ? forOperators(failed, `Every branch of ${union} failed.`)
    : failed;
}

function sentenceOf(reason: unknown): string {
  const message = messageOf(reason);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function codeOf(reason: unknown): unknown {
  return reason instanceof GraphQLError ? reason.extensions.code : undefined;
}
