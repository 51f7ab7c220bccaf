import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Execution } from '../../execute/execution.js';
import { type MaybePromise, proceed } from '../../values/maybe-promise.js';
import type { CalledOperation, Exchange } from '../exchange.js';
import { readFromMembers, readFromQuery } from '../operation-request.js';
import { isJsonObject } from '../parse-json.js';

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
  const fields: string[] = [];
  collect(operation.selectionSet, document, fields);
  return { kind: operation.operation, fields };
}

/** Adds the names of the fields, each as often as it is selected. A valid document has no cycle of fragments. */
function collect({ selections }: SelectionSetNode, document: DocumentNode, fields: string[]): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) fields.push(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, document, fields);
    else {
      const isUsed = (
        definition: DocumentNode['definitions'][number],
      ): definition is FragmentDefinitionNode =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value;
      const fragment = document.definitions.find(isUsed);
      if (fragment !== undefined) collect(fragment.selectionSet, document, fields);
    }
  }
}
