import { type ExecutionResult, GraphQLError } from 'graphql';
import { type Deadline, type Lifetime, runUntil } from '../../base/values/run-until.js';

/**
 * Runs an operation until it is done, its timeout expires or its client disconnects. In the last two cases its signal
 * is aborted, and the result is an error with the code OPERATION_TIMEOUT or OPERATION_ABORTED.
 *
 * @param run - Starts the operation; the lifetime has the signal for its resolvers.
 */
export function runWithin<Result, Conditions extends Deadline = Deadline>(
  deadline: Conditions,
  run: (lifetime: Lifetime, deadline: Conditions) => Result | PromiseLike<Result>,
  drop?: (late: Result) => void,
): Result | ExecutionResult | Promise<Result | ExecutionResult> {
  return runUntil(deadline, run, giveUp, drop);
}

function giveUp(why: 'timeout' | 'aborted', lifetime: Lifetime, { timeout }: Deadline): ExecutionResult {
  const [message, code, status] =
    why === 'timeout'
      ? [`The operation took longer than ${timeout / 1000} seconds.`, 'OPERATION_TIMEOUT', 504]
      : ['The operation was cancelled because its client disconnected.', 'OPERATION_ABORTED', 499];
  const error = new GraphQLError(message, { extensions: { code, http: { status } } });
  lifetime.end(error);
  return { errors: [error] };
}
