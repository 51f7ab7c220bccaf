import { resolve } from 'node:path';
import { diagnose } from '../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../base/diagnostics/option-error.js';
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

type KeySet = Exclude<BearerJwtOptions['jwks'], string>;

/**
 * Makes the authenticators of the project file.
 *
 * @param directory - What the path of a key set is relative to.
 * @throws {OptionError} If a setting cannot be used; the option is its key below `server`.
 */
export function authenticatorsOf({ jwt, apiKeys: keys }: AuthConfig, directory: string) {
  const made: Authenticator[] = [];
  if (jwt !== undefined) {
    const jwks = isWebUrl(jwt.jwks) ? jwt.jwks : readKeys(resolve(directory, jwt.jwks));
    made.push(make('auth.jwt', () => bearerJwt({ ...jwt, jwks })));
  }
  if (keys !== undefined) made.push(make('auth.apiKeys', () => apiKeys(keys)));
  return made;
}

function make(section: string, authenticator: () => Authenticator): Authenticator {
  try {
    return authenticator();
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new OptionError(error.option.replace(/^\w+/, section), error.expected);
  }
}

/** Reads the key set of a file. */
function readKeys(path: string): KeySet {
  const exceeded = () => diagnose('GG4002', { path, reason: 'it is larger than 1 MiB' }, wholeFile(path));
  const reading = readFileBytes(path, path, { bytes: 1 << 20, exceeded });
  const found = reading.ok ? parseKeys(reading.bytes) : undefined;
  if (Array.isArray(found?.keys)) return found as KeySet;
  throw new OptionError('auth.jwt.jwks', 'be a URL, or the path of a JSON file with a key set');
}

function parseKeys(bytes: Uint8Array): { readonly keys?: readonly object[] } | null {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}
