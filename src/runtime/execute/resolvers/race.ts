import type { GqlRacePolicy } from '../../../compiler/schema/gql-schema.js';
import { Agreement, type Answer } from './agreement.js';
import { type BranchFailure, branchTimedOut, everyBranchFailed, noQuorum } from './race-errors.js';
import { RaceWinner } from './race-winner.js';

export interface Contestant {
  readonly typeName: string;
  /** How long its start is delayed, in milliseconds. Default: 0. */
  readonly delay?: number;
  /** Returns the value of the member, or a promise of it. The signal is aborted when the branch is cancelled. */
  readonly start: (signal: AbortSignal) => unknown;
}

interface Run {
  readonly controller: AbortController;
  /** Ends it when it takes longer than `timeoutMs`. */
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Races the branches of a union: the first success wins, and the signals of the others are aborted. Null is not a
 * success: the result is null only if no branch returns a value and at least one returns null. When all branches fail,
 * the race fails with all reasons.
 *
 * A delayed branch starts after its delay, or as soon as every started branch has failed or returned null. After a
 * success no further branch starts.
 *
 * With a quorum, a result wins when that many branches have returned it, and so does null; the race fails as soon as the
 * remaining branches cannot form one. The winner is the first of the branches that agree, in the order of the branches.
 *
 * @param signal - Cancels the race: aborts the branches, and the race fails with the reason of the signal.
 * @param onEnd - Gets the name of the winner, undefined if there is none, and those of the cancelled branches.
 * @throws {GraphQLError} If every branch failed, or too few agree.
 */
export function race(
  union: string,
  contestants: readonly Contestant[],
  signal?: AbortSignal,
  onEnd?: (winner: string | undefined, cancelled: readonly string[]) => void,
  { failure, timeoutMs, deadlineMs, quorum }: GqlRacePolicy = {},
): Promise<RaceWinner | null> {
  return new Promise((resolve, reject) => {
    const running = new Map<Contestant, Run>();
    const waiting = [...contestants].sort((one, other) => (one.delay ?? 0) - (other.delay ?? 0));
    const failed = new Map<Contestant, unknown>();
    let answers = 0;
    const agreement = quorum === undefined ? undefined : new Agreement(quorum);
    let starter: NodeJS.Timeout | undefined;
    let deadline: NodeJS.Timeout | undefined;
    let isOver = false;

    /** Ends the race. Branches that are running are cancelled, unless they are shielded. */
    const end = (reason: unknown, winner?: string, isShielded = failure === 'shield'): void => {
      isOver = true;
      clearTimeout(starter);
      signal?.removeEventListener('abort', abandon);
      const cancelled: string[] = [];
      if (!isShielded) {
        for (const [{ typeName }, { controller, timer }] of running) {
          cancelled.push(typeName);
          clearTimeout(timer);
          controller.abort(reason);
        }
        running.clear();
      }
      if (running.size === 0) clearTimeout(deadline);
      onEnd?.(winner, cancelled);
    };
    const abandon = (): void => {
      reject(signal?.reason);
      end(signal?.reason, undefined, false);
    };
    const win = (winner: Contestant, value: unknown): void => {
      const { typeName } = winner;
      resolve(new RaceWinner(typeName, value));
      end(new DOMException(`${typeName} won ${union}.`, 'AbortError'), typeName);
    };
    const lose = (error: unknown): void => {
      reject(error);
      end(new DOMException(`${union} failed.`, 'AbortError'));
    };
    const answerNull = (): void => {
      resolve(null);
      end(new DOMException(`${union} is null.`, 'AbortError'));
    };
    const endIfDecided = (): void => {
      const open = contestants.length - failed.size - answers;
      const failures = (): BranchFailure[] =>
        contestants
          .filter((contestant) => failed.has(contestant))
          .map((contestant) => ({ typeName: contestant.typeName, reason: failed.get(contestant) }));
      if (failed.size === contestants.length) lose(everyBranchFailed(union, failures()));
      else if (agreement !== undefined && agreement.largest + open < agreement.quorum) {
        lose(noQuorum(union, agreement, failures()));
      } else if (open === 0) answerNull();
    };
    /** After a branch that has not won: the next one starts without its delay if nothing runs. */
    const proceed = (): void => {
      endIfDecided();
      if (isOver || running.size > 0) return;
      clearTimeout(starter);
      startDue(waiting[0]?.delay ?? 0);
    };
    /** Whether the result of a branch counts: it is in time, and the race goes on. */
    const finish = (contestant: Contestant): boolean => {
      clearTimeout(running.get(contestant)?.timer);
      const wasRunning = running.delete(contestant);
      if (isOver && running.size === 0) clearTimeout(deadline);
      return wasRunning && !isOver;
    };
    const fail = (contestant: Contestant, reason: unknown): void => {
      failed.set(contestant, reason);
      if (failure === 'cancel') lose(reason);
      else proceed();
    };
    const vote = (contestant: Contestant, value: unknown, votes: Agreement): void => {
      let elected: Answer | undefined;
      try {
        elected = votes.add(contestants.indexOf(contestant), value);
      } catch (reason) {
        fail(contestant, reason);
        return;
      }
      answers += 1;
      if (elected === undefined) proceed();
      else if (isNull(value)) answerNull();
      else win(contestants[elected.branch] as Contestant, elected.value);
    };
    const answer = (contestant: Contestant, value: unknown): void => {
      if (agreement !== undefined) vote(contestant, value, agreement);
      else if (isNull(value)) {
        answers += 1;
        proceed();
      } else win(contestant, value);
    };
    /** Cancels a branch that is late, shielded or not. One that waits for its start has failed, too. */
    const expire = (contestant: Contestant, milliseconds: number): void => {
      const reason = branchTimedOut(union, milliseconds);
      running.get(contestant)?.controller.abort(reason);
      if (running.has(contestant) ? finish(contestant) : !isOver) fail(contestant, reason);
    };
    const expireAll = (milliseconds: number): void => {
      for (const late of [...running.keys(), ...waiting.splice(0)]) expire(late, milliseconds);
    };
    const run = (contestant: Contestant): void => {
      const controller = new AbortController();
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => expire(contestant, timeoutMs), timeoutMs);
      running.set(contestant, { controller, timer });
      // A synchronous throw becomes a rejection, so that the other branches are started first.
      new Promise((settle) => settle(contestant.start(controller.signal))).then(
        (value) => finish(contestant) && answer(contestant, value),
        (reason: unknown) => finish(contestant) && fail(contestant, reason),
      );
    };
    /** Starts the branches that are due at a time, in milliseconds, and waits for the next one. */
    const startDue = (time: number): void => {
      for (let next = waiting[0]; next !== undefined && !isOver; next = waiting[0]) {
        const { delay = 0 } = next;
        if (delay > time) {
          starter = setTimeout(() => startDue(delay), delay - time);
          return;
        }
        waiting.shift();
        run(next);
      }
    };

    if (signal?.aborted) return abandon();
    signal?.addEventListener('abort', abandon);
    if (deadlineMs !== undefined) deadline = setTimeout(() => expireAll(deadlineMs), deadlineMs);
    endIfDecided();
    if (!isOver) startDue(0);
  });
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}
