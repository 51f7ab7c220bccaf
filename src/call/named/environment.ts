import type { ContextSource } from '../../auth/caller.js';
import type { ErrorMask } from '../../execute/errors/mask-errors.js';
import type { Limits } from '../../limits/limits.js';
import type { WatchedOperation } from '../../logs/watch.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import type { MaybePromise } from '../../values/maybe-promise.js';
import { isPromiseLike } from '../../values/read-property.js';
import type { Calls } from '../calls.js';
import { operationProblem } from '../operation-problem.js';
import { ProblemError } from '../problem.js';

/** The parts of a server that run the operation of a request. */
export interface OperationEnvironment {
  /** Runs operations. The first call loads graphql-js; later calls are synchronous. */
  readonly execution: () => MaybePromise<Calls>;
  /** Returns the context for resolvers; may throw or reject. */
  readonly contextFor: (request: ContextSource) => unknown;
}

/** The parts of a server that operations by their names need. */
export interface NamedEnvironment extends OperationEnvironment {
  readonly schema: GqlSchema;
  readonly limits: Limits;
}

/** A request whose faults are recorded if metrics or logs are on. */
interface Watched {
  readonly watched?: WatchedOperation | undefined;
}

/**
 * The context of an operation.
 *
 * @throws {ProblemError} If it cannot be made: an error of the context fails the operation, as over GraphQL.
 */
export function contextOf(
  environment: Pick<OperationEnvironment, 'contextFor'>,
  { mask }: Calls,
  request: ContextSource & Watched,
): unknown {
  try {
    const context = environment.contextFor(request);
    return isPromiseLike(context) ? settle(context, mask, request) : context;
  } catch (error) {
    throw refusalOf(error, mask, request);
  }
}

async function settle(context: PromiseLike<unknown>, mask: ErrorMask, request: Watched): Promise<unknown> {
  try {
    return await context;
  } catch (error) {
    throw refusalOf(error, mask, request);
  }
}

function refusalOf(error: unknown, mask: ErrorMask, { watched }: Watched): ProblemError {
  return new ProblemError(operationProblem([mask.thrown(error, watched)]));
}
