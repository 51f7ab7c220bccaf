import type { EventFormat } from '../../api/cloud-event.js';
import type { ContextSource } from '../../auth/caller.js';
import type { Execution } from '../../execute/execution.js';
import type { Limits } from '../../limits/limits.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { isPromiseLike } from '../../values/read-property.js';
import type { Exchange, OperationEnvironment } from '../exchange.js';
import { operationProblem } from '../operation-problem.js';
import { ProblemError } from '../problem.js';

/** The parts of a server that REST needs. */
export interface RestEnvironment extends OperationEnvironment {
  readonly schema: GqlSchema;
  readonly limits: Limits;
  readonly eventFormat: EventFormat;
}

/** The context of an operation. An error of the context fails the operation, as over GraphQL. */
export function contextOf(
  environment: Pick<RestEnvironment, 'contextFor'>,
  { mask }: Execution,
  exchange: ContextSource & Pick<Exchange, 'watched'>,
): unknown {
  const fail = (error: unknown): never => {
    throw new ProblemError(operationProblem([mask.thrown(error, exchange.watched)]));
  };
  try {
    const context = environment.contextFor(exchange);
    return isPromiseLike(context) ? Promise.resolve(context).catch(fail) : context;
  } catch (error) {
    return fail(error);
  }
}
