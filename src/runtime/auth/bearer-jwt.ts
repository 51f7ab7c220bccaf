import { hash, type KeyObject } from 'node:crypto';
import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { isWebUrl, parseUrl } from '../../base/source/parse-url.js';
import { defined } from '../../base/values/defined.js';
import type { GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import { LruMap } from '../limits/lru-map.js';
import { assertPeers, loadPeer } from '../load/load-peer.js';
import { AuthenticationError } from './authentication-error.js';
import type { Authenticator } from './guard.js';
import type { Principal } from './principal.js';
import { createSteadyClock } from './steady-clock.js';

/** The options of {@link bearerJwt}. */
export interface BearerJwtOptions {
  /** The issuer that the claim `iss` must name, or several. */
  readonly issuer: string | readonly string[];
  /** The audience that the claim `aud` must contain, or several, of which one is enough. */
  readonly audience: string | readonly string[];
  /** The public keys: the URL of a key set, a key set (JWKS), or one key. */
  readonly jwks: URL | string | JSONWebKeySet | JWK | CryptoKey | KeyObject | Uint8Array;
  /**
   * The algorithms that are accepted. Default: all asymmetric ones. The HMAC algorithms (`HS256` …) need a secret key, and
   * cannot be combined with others.
   */
  readonly algorithms?: readonly string[];
  /**
   * The types that the header `typ` may have. Default: `at+jwt`, the type of access tokens (RFC 9068). Add `JWT` for an
   * issuer that sends it, or no type: then nothing but the audience tells access tokens from other tokens of the issuer.
   */
  readonly types?: readonly string[];
  /** By how many seconds the clock of the issuer may differ. Default: 5. */
  readonly clockTolerance?: number;
  /** The timeout of the URL, in milliseconds. Default: 5 000. */
  readonly timeout?: number;
  /** The time between two requests to the URL, at least, in milliseconds. Default: 30 000. */
  readonly cooldown?: number;
}

/** The signature algorithms with a public key (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
const asymmetric: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const symmetric: readonly string[] = ['HS256', 'HS384', 'HS512'];

type Settings = Required<BearerJwtOptions>;

export const jwtDefaults = {
  algorithms: asymmetric,
  types: ['at+jwt'],
  clockTolerance: 5,
  timeout: 5_000,
  cooldown: 30_000,
};

const maxLength = 16_384;

const maxVerified = 1_000;

const scheme: GqlSecurityScheme = { type: 'bearer', format: 'JWT' };

/**
 * Authenticates callers by a JSON Web Token in the header `Authorization: Bearer …` (RFC 6750, RFC 9068). A token must be
 * an access token by its type, be signed by a key of the issuer, be for the audience, and expire (`exp`). One that is bound
 * to a key (`cnf`) is refused. The principal has the subject of the token as its id, and the scopes of its claims `scope`,
 * `scp` and `scopes`. Tokens are verified once, and remembered until they expire or the keys of the issuer change. If the
 * keys cannot be fetched, callers get 503. It needs `npm install jose`.
 *
 * @throws {TypeError} If the options are invalid.
 *
 * @example
 * ```ts
 * import { bearerJwt, createGqlServer } from 'gg-svc';
 *
 * createGqlServer({
 *   topologies: [
 *     { name: 'hello.gg', source: "(root)-[:PROCESS { auth: 'required' }]->(hello { text: 'Hello' })" },
 *   ],
 *   authenticate: bearerJwt({
 *     issuer: 'https://login.example.com/',
 *     audience: 'https://hello.example.com',
 *     jwks: 'https://login.example.com/.well-known/jwks.json',
 *   }),
 * });
 * ```
 */
export function bearerJwt(options: BearerJwtOptions): Authenticator {
  const settings = { ...jwtDefaults, ...defined(options) };
  checkOptions(settings);
  assertPeers(['jose']);
  const now = createSteadyClock();
  let loading: ReturnType<typeof createVerifier> | undefined;
  let loaded: Awaited<ReturnType<typeof createVerifier>> | undefined;
  /** By the header. The revision is that of the keys when the token was verified; undefined if it is not known. */
  const verified = new LruMap<string, { principal: TokenPrincipal; revision: number | undefined }>(maxVerified);

  const verify = async (token: string, key: string): Promise<Principal> => {
    loading ??= loadPeer(['jose'], () => createVerifier(settings, now));
    loaded = await loading;
    // Read before the token is verified: keys that change meanwhile do not count for it.
    const revision = loaded.revision();
    const principal = await loaded.verify(token);
    verified.set(key, { principal, revision });
    return principal;
  };
  return Object.assign(
    ({ header }: Parameters<Authenticator>[0]) => {
      const authorization = header('authorization');
      if (authorization === undefined) return null;
      // The hash, so that no credentials are kept.
      const key = hash('sha256', authorization, 'base64');
      const known = verified.get(key);
      const isKnown =
        known?.revision !== undefined &&
        known.revision === loaded?.revision() &&
        now() < known.principal.expiresAt * 1000;
      if (isKnown) return known.principal;
      const token = readToken(authorization);
      return token === undefined ? null : verify(token, key);
    },
    { scheme },
  );
}

/** Reads the token of a header; undefined for another scheme. Several credentials are refused. */
function readToken(authorization: string): string | undefined {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined && /(?:^|,)\s*Bearer(?:[\s,]|$)/i.test(authorization))
    throw new AuthenticationError('The header Authorization must be “Bearer” and one token.', scheme);
  if (token !== undefined && token.length > maxLength) throw new AuthenticationError('The token is too long.', scheme);
  return token;
}

type TokenPrincipal = Principal & { readonly expiresAt: number };

async function createVerifier(
  { issuer, audience, jwks, algorithms, types, clockTolerance, timeout, cooldown }: Settings,
  now: () => number,
) {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  let keyOf: JWTVerifyGetKey | undefined;
  let revision: () => number | undefined = () => 0;
  const accepted = types.map(plainType);
  if (typeof jwks === 'string' || jwks instanceof URL) {
    const { createRemoteKeys } = await import('./remote-keys.js');
    const remote = createRemoteKeys(new URL(jwks), { timeout, cooldown });
    keyOf = remote.find;
    revision = remote.revision;
  } else if (isKeySet(jwks)) keyOf = createLocalJWKSet(jwks);

  const read = (token: string, key: Exclude<typeof jwks, URL | string | JSONWebKeySet> | JWTVerifyGetKey) =>
    jwtVerify(token, key as JWTVerifyGetKey, {
      issuer: [issuer].flat(),
      audience: [audience].flat(),
      algorithms: [...algorithms],
      clockTolerance,
      currentDate: new Date(now()),
      requiredClaims: ['exp'],
    });
  /** A token without a key id may belong to any key of its kind. */
  const readWithEach = async (token: string, candidates: AsyncIterable<CryptoKey>) => {
    for await (const key of candidates) {
      try {
        return await read(token, key);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  };

  const verify = async (token: string): Promise<TokenPrincipal> => {
    try {
      const { payload, protectedHeader } = await read(token, keyOf ?? (jwks as JWK)).catch((error: unknown) => {
        if (error instanceof errors.JWKSMultipleMatchingKeys) return readWithEach(token, error);
        throw error;
      });
      checkUse(payload, protectedHeader, accepted);
      return principalOf(payload);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new AuthenticationError(explain(error), scheme);
    }
  };
  return { verify, revision };
}

/**
 * Checks that a token is meant to be used as a bearer token: by its type, so that no other token of the issuer is taken
 * for an access token (RFC 8725, section 3.11; RFC 9068, section 4), and that it is not bound to a key, which a thief of the
 * token does not have (RFC 7800; RFC 8705, section 3; RFC 9449, section 7.2).
 */
function checkUse({ cnf }: JWTPayload, { typ }: JWTVerifyResult['protectedHeader'], accepted: readonly string[]): void {
  if (!accepted.includes(plainType(typ ?? 'JWT')))
    throw new AuthenticationError('The token is of another type.', scheme);
  if (cnf !== undefined)
    throw new AuthenticationError('The token is bound to a key, so it is not a bearer token.', scheme);
}

/** A type without the prefix that RFC 7515, section 4.1.9, lets issuers leave out. */
function plainType(type: unknown): string {
  return String(type)
    .toLowerCase()
    .replace(/^application\//, '');
}

/** The fault of a token, without anything of its content. */
function explain(error: { readonly code: string; readonly claim?: string }): string {
  const isOfClaim = error.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED';
  return faults.get((isOfClaim ? error.claim : error.code) ?? '') ?? 'The token is invalid.';
}

/** By the code of the error, or by the claim that is wrong. */
const faults: ReadonlyMap<string, string> = new Map([
  ['ERR_JWT_EXPIRED', 'The token has expired.'],
  ['nbf', 'The token is not valid yet.'],
  ['iss', 'The token is from another issuer.'],
  ['aud', 'The token is for another audience.'],
  ['exp', 'The token must have an expiration time.'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'The algorithm of the token is not accepted.'],
]);

function principalOf(payload: JWTPayload): TokenPrincipal {
  const { sub, client_id, exp } = payload;
  const id = sub ?? client_id;
  if (typeof id !== 'string' || id === '') throw new AuthenticationError('The token has no subject.', scheme);
  const scopes = ['scope', 'scp', 'scopes'].flatMap((claim) => scopesOf(payload[claim]));
  return freeze({ id, scopes: [...new Set(scopes)], expiresAt: exp as number, claims: payload });
}

/** Scopes are a text with spaces (RFC 9068, section 2.2.3.1) or a list. */
function scopesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}

/** Freezes a value at any depth: requests with the same token share the principal. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** Byte arrays have a method of that name. */
function isKeySet(jwks: BearerJwtOptions['jwks']): jwks is JSONWebKeySet {
  return Array.isArray((jwks as Partial<JSONWebKeySet>).keys);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function checkOptions(options: Settings): void {
  const { issuer, audience, jwks, algorithms, types } = options;
  for (const [name, value] of Object.entries({ issuer, audience })) {
    const texts = [value].flat();
    if (texts.length === 0 || !texts.every(isText))
      throw new OptionError(`bearerJwt.${name}`, 'be a string that is not empty, or a list of such strings');
  }
  if (!Array.isArray(types) || types.length === 0 || !types.every(isText))
    throw new OptionError('bearerJwt.types', 'be a list of strings');
  const url = typeof jwks === 'string' ? parseUrl(jwks) : jwks instanceof URL ? jwks : undefined;
  if (url === undefined ? typeof jwks !== 'object' || jwks === null : !isWebUrl(url.href))
    throw new OptionError('bearerJwt.jwks', 'be an http(s) URL, a key set or a key');
  const kinds = [asymmetric, symmetric].filter((kind) => algorithms.some((name) => kind.includes(name)));
  const isKnown = algorithms.every((name) => asymmetric.includes(name) || symmetric.includes(name));
  if (!isKnown || kinds.length !== 1)
    throw new OptionError(
      'bearerJwt.algorithms',
      `be some of ${asymmetric.join(', ')}, or some of ${symmetric.join(', ')}`,
    );
  if (kinds[0] === symmetric && (url !== undefined || isKeySet(jwks)))
    throw new OptionError('bearerJwt.jwks', 'be one secret key for the HMAC algorithms');
  for (const name of ['clockTolerance', 'timeout', 'cooldown'] as const) {
    if (!(Number.isFinite(options[name]) && options[name] >= 0))
      throw new OptionError(`bearerJwt.${name}`, 'be a number that is not negative');
  }
}
