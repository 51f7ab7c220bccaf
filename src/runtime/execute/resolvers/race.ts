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
  onEnd?: (winner: string | undefined, cancelled: readonly string[]) => void,
): Promise<RaceWinner | null> {
  return new Promise((resolve, reject) => {
    const running = new Map<Contestant, AbortController>();
    const waiting = [...contestants].sort((one, other) => (one.delay ?? 0) - (other.delay ?? 0));
    /** The reasons of the branches that failed; undefined for those that returned null. */
    const misses = new Map<Contestant, { readonly reason: unknown } | undefined>();
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;

    /** Ends the race, and cancels the branches that are running. */
    const end = (reason: unknown, winner?: string): void => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
      for (const controller of running.values()) controller.abort(reason);
      const cancelled = [...running.keys()].map(({ typeName }) => typeName);
      onEnd?.(winner, cancelled);
    };
    const abandon = (): void => {
      if (isOver) return;
      reject(signal?.reason);
      end(signal?.reason);
    };
    const settleMisses = (): void => {
      end(undefined);
      const failures = contestants.flatMap((contestant) => misses.get(contestant) ?? []);
      if (failures.length < contestants.length) resolve(null);
      else reject(everyBranchFailed(union, contestants, failures));
    };
    const miss = (contestant: Contestant, failure?: { readonly reason: unknown }): void => {
      if (isOver) return;
      running.delete(contestant);
      misses.set(contestant, failure);
      if (misses.size === contestants.length) settleMisses();
      else if (running.size === 0) {
        // The next one starts without its delay.
        clearTimeout(timer);
        startDue(waiting[0]?.delay ?? 0);
      }
    };
    const run = (contestant: Contestant): void => {
      const { typeName, start } = contestant;
      const controller = new AbortController();
      running.set(contestant, controller);
      // A synchronous throw becomes a rejection, so that the other branches are started first.
      new Promise((settle) => settle(start(controller.signal))).then(
        (value) => {
          if (value === null || value === undefined) return miss(contestant);
          if (isOver) return;
          // The winner is not cancelled: its value may still be read lazily.
          running.delete(contestant);
          resolve(new RaceWinner(typeName, value));
          end(new DOMException(`${typeName} won ${union}.`, 'AbortError'), typeName);
        },
        (reason: unknown) => miss(contestant, { reason }),
      );
    };
    /** Starts the branches that are due at a time, in milliseconds, and waits for the next one. */
    const startDue = (time: number): void => {
      for (let next = waiting[0]; next !== undefined && !isOver; next = waiting[0]) {
        const { delay = 0 } = next;
        if (delay > time) {
          timer = setTimeout(() => startDue(delay), delay - time);
          return;
        }
        waiting.shift();
        run(next);
      }
    };

    if (signal?.aborted) return abandon();
    if (contestants.length === 0) return settleMisses();
    signal?.addEventListener('abort', abandon);
    startDue(0);
  });
}

function everyBranchFailed(
  union: string,
  contestants: readonly Contestant[],
  failures: readonly { readonly reason: unknown }[],
): GraphQLError {
  const reasons = failures.map(({ reason }) => reason);
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
