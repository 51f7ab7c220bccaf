import type { Calls } from '../../call/calls.js';
import type { FollowedRun, RunNews } from '../../logs/monitor.js';
import type { OperationLabel } from './operation-labels.js';
import type { RecordedRun } from './recorded-run.js';
import type { TrackedRequest } from './tracked-request.js';

/**
 * Records calls, races and events in full, for a page that shows them. It outlives the servers that it records, so
 * that a reload of the topology keeps them. Its methods are called only while it is on, except `serves` and
 * `followRuns`.
 */
export interface CallRecorder {
  /** Whether anything is recorded. While it is off, a request costs the check of this boolean. */
  readonly isOn: boolean;
  serves(execution: Calls): void;
  /** Takes a function of a server that tells of its last durable runs. */
  followRuns(tell: () => void): void;
  /** Runs the operation of a call, whose spans and races belong to the call. */
  within<Result>(run: RecordedRun, work: () => Result): Result;
  /** A request has ended, at a time of `performance.now()`. */
  requestEnded(
    request: TrackedRequest,
    end: number,
    status: number | undefined,
    refused: OperationLabel | undefined,
  ): void;
  /** An operation has ended that has no request of its own: the program or a chain has called it. */
  runEnded(run: RecordedRun, start: number, end: number): void;
  /** A step of a run of a chain has begun or ended, or the run has. */
  runChanged(run: FollowedRun, news: RunNews): void;
  raceEnded(union: string, winner: string | undefined, cancelled: readonly string[]): void;
  /** An event is published; the returned function takes the error of a sink or broker that has refused it. */
  published(subscription: string, payload: unknown, problem: string | undefined): (error: unknown) => void;
  delivered(subscription: string, payload: unknown, subscribers: number): void;
}

/** An option of servers that is internal; its shape may change with the studio. */
export interface RecorderOption {
  readonly recorder?: CallRecorder | undefined;
}
