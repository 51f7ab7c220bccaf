import { loadPeer } from '../load/load-peer.js';
import type { SigningOptions } from './auth-config.js';
import { jwtDefaults } from './bearer-jwt.js';

/** The caller that a token is for. */
export interface TokenCaller {
  /** The claim `sub`, which is the id of the principal. */
  readonly id: string;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The claims that {@link signToken} writes, which further claims cannot replace. */
export const ownClaims: readonly string[] = ['iss', 'aud', 'sub', 'iat', 'exp', 'scope', 'roles'];

/**
 * Signs a token that `bearerJwt` with the same options accepts.
 *
 * @param seconds - How long the token is valid.
 * @throws {PeerMissingError} If jose is not installed.
 */
export async function signToken(
  { issuer, audience, algorithms, types = jwtDefaults.types, jwks }: SigningOptions,
  { id, scopes, roles, claims }: TokenCaller,
  seconds: number,
): Promise<string> {
  const { SignJWT } = await loadPeer(['jose'], () => import('jose'));
  const [iss, aud] = [issuer, audience].map((value) => [value].flat()[0] as string) as [string, string];
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + seconds };
  return new SignJWT({ ...claims, iss, aud, sub: id, ...times, scope: scopes.join(' '), roles: [...roles] })
    .setProtectedHeader({ alg: algorithms[0] as string, typ: types[0] as string })
    .sign(jwks);
}
