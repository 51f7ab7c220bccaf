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
  /** JSON Web Tokens, as for {@link bearerJwt}. */
  readonly jwt?: JwtConfig;
  /** API keys, as for {@link apiKeys}. */
  readonly apiKeys?: { readonly header?: string; readonly keys: readonly ApiKey[] };
}

/** JSON Web Tokens in the project file: their keys are `jwks` or `secretFrom`. */
export interface JwtConfig
  extends Pick<BearerJwtOptions, 'issuer' | 'audience' | 'algorithms' | 'types' | 'clockTolerance'> {
  /** The URL of a key set, or the path of a file with one. */
  readonly jwks?: string;
  /** The environment variable that has the secret of HMAC signatures. The algorithm is HS256 unless `algorithms` is given. */
  readonly secretFrom?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

type KeySet = Exclude<BearerJwtOptions['jwks'], string>;

/**
 * Makes the authenticators of the project file.
 *
 * @param directory - What the path of a key set is relative to.
 * @param environment - Where `secretFrom` is looked up.
 * @throws {OptionError} If a setting cannot be used; the option is its key below `server`.
 */
export function authenticatorsOf({ jwt, apiKeys: keys }: AuthConfig, directory: string, environment: Environment) {
  const made: Authenticator[] = [];
  if (jwt !== undefined) {
    const { jwks, secretFrom, ...given } = jwt;
    if ((jwks === undefined) === (secretFrom === undefined))
      throw new OptionError('auth.jwt.jwks', 'be given, or “secretFrom”, but not both');
    if (jwks === undefined) made.push(make('auth.jwt', () => bearerJwt(symmetricOptions(jwt, environment))));
    else {
      const keySet = isWebUrl(jwks) ? jwks : readKeys(resolve(directory, jwks));
      made.push(make('auth.jwt', () => bearerJwt({ ...given, jwks: keySet })));
    }
  }
  if (keys !== undefined) made.push(make('auth.apiKeys', () => apiKeys(keys)));
  return made;
}

/** The options of tokens with a secret, which sign and verify them. */
export interface SigningOptions extends Omit<JwtConfig, 'jwks' | 'secretFrom'> {
  readonly algorithms: readonly string[];
  readonly jwks: Uint8Array;
}

/**
 * Reads the secret of tokens (`secretFrom`).
 *
 * @throws {OptionError} If the secret is missing, or shorter than the hash (RFC 7518, section 3.2).
 */
export function symmetricOptions(
  { jwks: _jwks, secretFrom = '', algorithms = ['HS256'], ...given }: JwtConfig,
  environment: Environment,
): SigningOptions {
  const secret = Buffer.from(environment[secretFrom] ?? '');
  const least = Math.max(...algorithms.map((name) => Number(/^HS(\d+)$/.exec(name)?.[1]) / 8));
  if (Number.isNaN(least))
    throw new OptionError('auth.jwt.algorithms', 'be some of HS256, HS384, HS512 with “secretFrom”');
  if (secret.length < least)
    throw new OptionError(
      'auth.jwt.secretFrom',
      `name an environment variable with a secret of at least ${least} bytes; ${secretFrom} has ${secret.length}`,
    );
  return { ...given, algorithms, jwks: secret };
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
