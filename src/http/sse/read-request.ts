import type { OperationRequest } from '../../execute/resolvers/contract.js';
import type { JsonValue } from '../../graph/json-value.js';

/** What makes a request one that cannot be run, in words for its author. */
export interface RequestFault {
  readonly fault: string;
}

/** Reads the operation out of the query string of a GET. */
export function readFromUrl({ searchParams }: URL): OperationRequest | RequestFault {
  const variables = searchParams.get('variables');
  return readFromMembers({
    query: searchParams.get('query'),
    operationName: searchParams.get('operationName'),
    // The guard has seen that it is JSON.
    variables: variables === null || variables === '' ? null : (JSON.parse(variables) as JsonValue),
  });
}

/** Reads the operation out of JSON: the body of a POST. */
export function readFromMembers(members: {
  readonly [name: string]: unknown;
}): OperationRequest | RequestFault {
  const { query, variables = null, operationName = null } = members;
  if (typeof query !== 'string' || query === '')
    return { fault: '“query” must be the text of a GraphQL document.' };
  if (operationName !== null && typeof operationName !== 'string') {
    return { fault: '“operationName” must be text.' };
  }
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    return { fault: '“variables” must be an object.' };
  }
  return { query, operationName, variables: variables as Readonly<Record<string, unknown>> | null };
}
