import { type DocumentNode, getOperationAST } from 'graphql';
import type { Execution } from '../../execute/execution.js';
import { calledFields } from '../../limits/called-fields.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { type MaybePromise, proceed } from '../../values/maybe-promise.js';
import type { CalledOperation, Exchange } from '../exchange.js';
import { readFromMembers, readFromQuery } from '../operation-request.js';

/**
 * Returns the operations of a GraphQL request; undefined if one of them is persisted, so that only the engine knows it.
 * Documents that cannot run call nothing.
 */
export function readCalledOperations(
  exchange: Exchange,
  execution: () => MaybePromise<Execution>,
): MaybePromise<readonly CalledOperation[] | undefined> {
  const { json, method, query } = exchange;
  // A browser that opens GraphiQL.
  if (method === 'GET' && !/(?:^|&)(?:query|extensions)=/.test(query)) return [];
  const given =
    method === 'GET'
      ? [readFromQuery(query)]
      : [json].flat().map((members) => (isJsonObject(members) ? readFromMembers(members) : undefined));
  return proceed(execution(), ({ reader }) => {
    const called: CalledOperation[] = [];
    for (const operation of given) {
      if (operation === undefined || 'fault' in operation) return undefined;
      try {
        const document = reader.find(operation.query) ?? reader.parse(operation.query);
        if (reader.validate(document).length > 0) continue;
        const found = calledOperation(document, operation.operationName);
        if (found !== undefined) called.push(found);
      } catch {
        // The engine reports that it is not GraphQL.
      }
    }
    return called;
  });
}

/** The operation of a valid document; undefined if none is selected. */
export function calledOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): CalledOperation | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  return { kind: operation.operation, fields: calledFields(document, operation) };
}
