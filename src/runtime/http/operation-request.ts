import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { OperationRequest } from '../execute/resolvers/contract.js';
import { isJsonObject } from '../limits/parse-json.js';
import type { Exchange } from './exchange.js';

export interface RequestFault {
  readonly fault: string;
}

/** Reads the operation of a request, whose JSON was parsed; undefined for a list, and for other bodies. */
export function readOperation({
  method,
  query,
  json,
}: Pick<Exchange, 'method' | 'query' | 'json'>): OperationRequest | RequestFault | undefined {
  if (method === 'GET') return readFromQuery(query);
  return isJsonObject(json) ? readFromMembers(json) : undefined;
}

/** Reads an operation from the query string of a GET. Its JSON was checked before. */
function readFromQuery(query: string): OperationRequest | RequestFault {
  const parameters = new URLSearchParams(query);
  const variables = parameters.get('variables');
  return readFromMembers({
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    variables: variables === null || variables === '' ? null : (JSON.parse(variables) as JsonValue),
  });
}

/** Reads an operation from JSON: the body of a POST, or a message of a WebSocket. */
export function readFromMembers(members: Readonly<Record<string, unknown>>): OperationRequest | RequestFault {
  const { query, variables = null, operationName = null } = members;
  if (typeof query !== 'string' || query === '') return { fault: '“query” must be the text of a GraphQL document.' };
  if (operationName !== null && typeof operationName !== 'string') {
    return { fault: '“operationName” must be a string.' };
  }
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    return { fault: '“variables” must be an object.' };
  }
  return { query, operationName, variables: variables as Readonly<Record<string, unknown>> | null };
}
