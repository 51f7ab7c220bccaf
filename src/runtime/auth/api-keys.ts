import { hash } from 'node:crypto';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { proceed } from '../../base/values/maybe-promise.js';
import type { GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import { AuthenticationError } from './authentication-error.js';
import type { Authenticator } from './guard.js';
import type { Principal } from './principal.js';
import { createSteadyClock } from './steady-clock.js';

/** An API key that the server knows; the key itself is not kept. */
export interface ApiKey extends Omit<Principal, 'claims'> {
  /** The SHA-256 of the key, in hexadecimal. */
  readonly sha256: string;
}

/** The options of {@link apiKeys}: `keys` or `lookup`. */
export interface ApiKeysOptions {
  /** The header that carries the key. Default: `X-API-Key`. */
  readonly header?: string;
  /** All keys. */
  readonly keys?: readonly ApiKey[];
  /**
   * Finds the owner of a key, for example in a database.
   *
   * @param sha256 - The SHA-256 of the key, in lower-case hexadecimal.
   */
  readonly lookup?: (sha256: string) => Principal | null | undefined | Promise<Principal | null | undefined>;
}

const maxLength = 1_024;

/**
 * Authenticates callers by an API key in a header. The server has only the hashes of the keys, so a key must be random
 * (`openssl rand -hex 32`); its hash is `printf %s "$KEY" | sha256sum`.
 *
 * @throws {TypeError} If the options are invalid.
 *
 * @example
 * ```ts
 * import { apiKeys, createGqlServer } from 'gg-svc';
 *
 * createGqlServer({
 *   topologies: [
 *     { name: 'hello.gg', source: "(root)-[:PROCESS { auth: 'required' }]->(hello { text: 'Hello' })" },
 *   ],
 *   authenticate: apiKeys({
 *     keys: [
 *       { id: 'billing', sha256: '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b', scopes: ['orders:read'] },
 *     ],
 *   }),
 * });
 * ```
 */
export function apiKeys({ header: name = 'X-API-Key', keys, lookup }: ApiKeysOptions): Authenticator {
  if (typeof name !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw new OptionError('apiKeys.header', 'be the name of a header');
  if ((keys === undefined) === (lookup === undefined))
    throw new OptionError('apiKeys.keys', 'be given, or “lookup”, and not both');
  const scheme: GqlSecurityScheme = { type: 'apiKey', header: name };
  const find = lookup ?? findAmong(keys as readonly ApiKey[]);
  const field = name.toLowerCase();
  const now = createSteadyClock();

  const settle = (found: Principal | null | undefined): Principal => {
    if (found === null || found === undefined) throw new AuthenticationError('The API key is unknown.', scheme);
    const { expiresAt } = found;
    if (expiresAt !== undefined && now() >= expiresAt * 1000)
      throw new AuthenticationError('The API key has expired.', scheme);
    return found;
  };
  return Object.assign(
    ({ header }: Parameters<Authenticator>[0]) => {
      const key = header(field);
      if (key === undefined) return null;
      if (key.length > maxLength) throw new AuthenticationError('The API key is too long.', scheme);
      return proceed(find(hash('sha256', key)), settle);
    },
    { scheme },
  );
}

/** Finds keys by their hashes. The time of a search tells a caller nothing: it cannot choose the beginning of a hash. */
function findAmong(keys: readonly ApiKey[]): (sha256: string) => Principal | null {
  if (!Array.isArray(keys)) throw new OptionError('apiKeys.keys', 'be a list');
  const known = new Map(
    keys.map(({ sha256, ...principal }: ApiKey, at) => {
      if (typeof principal.id !== 'string' || principal.id === '')
        throw new OptionError(`apiKeys.keys[${at}].id`, 'be a string that is not empty');
      if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/i.test(sha256))
        throw new OptionError(`apiKeys.keys[${at}].sha256`, 'have 64 hexadecimal digits');
      return [sha256.toLowerCase(), Object.freeze(principal)] as const;
    }),
  );
  return (sha256) => known.get(sha256) ?? null;
}
