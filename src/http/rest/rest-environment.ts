import type { EventFormat } from '../../api/cloud-event.js';
import type { ContextSource } from '../../auth/caller.js';
import type { Calls } from '../../call/calls.js';
import type { ErrorMask } from '../../execute/errors/mask-errors.js';
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

type Watched = Pick<Exchange, 'watched'>;

/** The context of an operation. An error of the context fails the operation, as over GraphQL. */
export function contextOf(
  environment: Pick<RestEnvironment, 'contextFor'>,
  { mask }: Calls,
  exchange: ContextSource & Watched,
): unknown {
  try {
    const context = environment.contextFor(exchange);
    return isPromiseLike(context) ? settle(context, mask, exchange) : context;
  } catch (error) {
    throw refusalOf(error, mask, exchange);
  }
}

async function settle(context: PromiseLike<unknown>, mask: ErrorMask, exchange: Watched): Promise<unknown> {
  try {
    return await context;
  } catch (error) {
    throw refusalOf(error, mask, exchange);
  }
}

function refusalOf(error: unknown, mask: ErrorMask, { watched }: Watched): ProblemError {
  return new ProblemError(operationProblem([mask.thrown(error, watched)]));
}
