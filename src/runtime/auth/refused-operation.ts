import { GraphQLError } from 'graphql';
import { defined } from '../../base/values/defined.js';
import type { Denial } from './denial.js';

/** An error that refuses an operation, with the status and the headers that both engines answer it with. */
export function refusedOperation(
  message: string,
  extensions: Readonly<Record<string, unknown>>,
  status: number,
  header: Readonly<Record<string, string>>,
): GraphQLError {
  // Apollo Server reads the entries of a `Map`, and GraphQL Yoga the properties of an object.
  const headers = Object.assign(new Map(Object.entries(header)), header) as unknown as typeof header;
  return new GraphQLError(message, { extensions: { ...extensions, http: { status, headers } } });
}

export function errorOfDenial({ status, code, message, scopes, roles, challenge }: Denial): GraphQLError {
  const header: Record<string, string> = challenge === undefined ? {} : { 'www-authenticate': challenge };
  return refusedOperation(message, defined({ code, scopes, roles }), status, header);
}
