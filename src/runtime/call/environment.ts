import { isPromiseLike, type MaybePromise } from '../../base/values/maybe-promise.js';
import type { EventFormat } from '../../compiler/api/cloud-event.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { ContextSource } from '../auth/caller.js';
import type { Limits } from '../limits/limits.js';
import type { Monitor, TrackedOperation } from '../logs/monitor.js';
import type { Calls } from './calls.js';
import { operationProblem, ProblemError } from './problem.js';

/** A server as its ways in see it: REST, GraphQL, events and agents. `server/service.ts` makes it. */
export interface Environment {
  readonly schema: GqlSchema;
  readonly limits: Limits;
  readonly endpoint: string;
  readonly title: string;
  /** Whether GraphiQL is not served. */
  readonly production: boolean;
  readonly eventFormat: EventFormat;
  readonly monitor: Monitor;
  /** Returns the calls of the server. The first call loads graphql-js; later ones are synchronous. */
  execution(): MaybePromise<Calls>;
  /** Returns the context for resolvers; may throw or reject. */
  contextFor(request: ContextSource): unknown;
}

/**
 * The context of an operation.
 *
 * @throws {ProblemError} If it cannot be made: an error of the context fails the operation, as over GraphQL.
 */
export function contextOf(
  { contextFor }: Environment,
  { mask }: Calls,
  request: ContextSource & { readonly tracked?: TrackedOperation | undefined },
): unknown {
  try {
    const context = contextFor(request);
    return isPromiseLike(context)
      ? Promise.resolve(context).catch((error: unknown) => refuse(error, mask, request.tracked))
      : context;
  } catch (error) {
    return refuse(error, mask, request.tracked);
  }
}

function refuse(error: unknown, mask: Calls['mask'], tracked: TrackedOperation | undefined): never {
  throw new ProblemError(operationProblem([mask.thrown(error, tracked)]));
}
