import { resolve } from 'node:path';
import { diagnose } from '../../base/diagnostics/diagnostic.js';
import { readFileBytes } from '../../base/read/read-bytes.js';
import { isWebUrl } from '../../base/source/parse-url.js';
import { wholeFile } from '../../base/source/span.js';
import { type ApiKey, apiKeys } from './api-keys.js';
import { type BearerJwtOptions, bearerJwt } from './bearer-jwt.js';
import type { Authenticator } from './guard.js';

/** How callers authenticate, in the project file. */
export interface AuthConfig {
  /** JSON Web Tokens, as for {@link bearerJwt}; `jwks` is the URL of a key set, or the path of a file with one. */
  readonly jwt?: Pick<BearerJwtOptions, 'issuer' | 'audience' | 'algorithms' | 'types' | 'clockTolerance'> & {
    readonly jwks: string;
  };
  /** API keys, as for {@link apiKeys}. */
  readonly apiKeys?: { readonly header?: string; readonly keys: readonly ApiKey[] };
}

/** A setting that cannot be used: its key below `server.auth`, and what it must be. */
export interface WrongAuth {
  readonly key: 'jwt' | 'jwt.jwks' | 'apiKeys';
  readonly expected: string;
}

/**
 * Makes the authenticators of the project file.
 *
 * @param directory - What the path of a key set is relative to.
 */
export function authenticatorsOf(
  { jwt, apiKeys: keys }: AuthConfig,
  directory: string,
): readonly Authenticator[] | WrongAuth {
  const made: Authenticator[] = [];
  const add = (key: 'jwt' | 'apiKeys', make: () => Authenticator): WrongAuth | undefined => {
    try {
      made.push(make());
      return undefined;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { key, expected: `be valid: ${error.message.replace(/^\w+: |\.$/g, '')}` };
    }
  };
  if (jwt !== undefined) {
    const jwks = isWebUrl(jwt.jwks) ? jwt.jwks : readKeys(resolve(directory, jwt.jwks));
    if (jwks === undefined)
      return { key: 'jwt.jwks', expected: 'be a URL, or the path of a JSON file with a key set' };
    const wrong = add('jwt', () => bearerJwt({ ...jwt, jwks }));
    if (wrong !== undefined) return wrong;
  }
  const wrong = keys && add('apiKeys', () => apiKeys(keys));
  return wrong ?? made;
}

/** Reads the key set of a file; undefined if it has none. */
function readKeys(path: string): Exclude<BearerJwtOptions['jwks'], string> | undefined {
  const exceeded = () => diagnose('GG4002', { path, reason: 'it is larger than 1 MiB' }, wholeFile(path));
  const reading = readFileBytes(path, path, { bytes: 1 << 20, exceeded });
  if (!reading.ok) return undefined;
  try {
    const found = JSON.parse(Buffer.from(reading.bytes).toString()) as {
      readonly keys?: readonly object[];
    } | null;
    return Array.isArray(found?.keys) ? (found as Exclude<BearerJwtOptions['jwks'], string>) : undefined;
  } catch {
    return undefined;
  }
}
