import type { GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';

/**
 * Thrown by an authenticator for invalid credentials. The client gets the status 401 and the message, which must not
 * contain a secret.
 *
 * @example
 * ```ts
 * import { AuthenticationError, createGqlServer } from 'gg-svc';
 *
 * createGqlServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 *   authenticate: ({ header }) => {
 *     const user = header('x-user');
 *     if (user === undefined) return null;
 *     if (!/^[a-z]+$/.test(user)) throw new AuthenticationError('The user name is malformed.');
 *     return { id: user };
 *   },
 * });
 * ```
 */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';

  /** @param scheme - The scheme of the credentials; undefined if it is not known. */
  constructor(
    message = 'The credentials are invalid.',
    readonly scheme?: GqlSecurityScheme,
  ) {
    super(message);
  }
}

/** Thrown by an authenticator that cannot verify credentials now. The client gets the status 503. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = 'AuthenticationUnavailableError';
}
