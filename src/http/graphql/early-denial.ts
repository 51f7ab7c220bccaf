import type { Execution } from '../../execute/execution.js';
import type { Exchange, Outcome } from '../exchange.js';
import { readOperation } from '../operation-request.js';
import { readValid } from './known-operation.js';

/**
 * Makes the check of callers before the engine makes the context of a request, as on REST routes: a context function may
 * rely on the principal. Returns the outcome for a caller without access. The execution checks every operation again,
 * those of batches and of plugins as well. Undefined on a server without demands.
 */
export function createEarlyDenial(
  execution: Execution,
): ((exchange: Exchange) => Promise<Outcome> | undefined) | undefined {
  const { denies } = execution;
  if (denies === undefined) return undefined;
  return (exchange) => {
    const { principal, watched } = exchange;
    const operation = readOperation(exchange);
    if (operation === undefined || 'fault' in operation) return undefined;
    const document = readValid(execution, operation.query);
    if (document === undefined) return undefined;
    const { operationName } = operation;
    const args = { document, operationName, principal };
    if (!denies(args)) return undefined;
    // Nothing runs. The refusal has the spans and metrics of an operation.
    return execution.execute({ ...args, watched }).then((result) => ({ kind: 'result', result }));
  };
}
