import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Authenticator, Principal } from '../../../src/index.js';

export const issuer = 'https://login.example.com/';
export const audience = 'https://api.example.com';

/** A key pair of an issuer. */
export interface Issuer {
  readonly jwk: JWK;
  /** The public key as PEM, which key-confusion attacks use as an HMAC secret. */
  readonly pem: string;
  /** Signs a valid token, with the given claims and header in place of the usual ones. */
  sign(claims?: object, header?: object): Promise<string>;
}

/** Makes an issuer with a key of its own. */
export async function createIssuer(kid: string, alg = 'RS256'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    pem: await exportSPKI(publicKey),
    sign: (claims = {}, header = {}) =>
      new SignJWT({ iss: issuer, aud: audience, sub: 'ada', exp: now() + 600, ...claims })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
        .sign(privateKey),
  };
}

/** The time in seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** Authenticates a request with headers by lower-case name; an error is its result. */
export async function tryWith(
  authenticator: Authenticator,
  headers: Readonly<Record<string, string>>,
): Promise<Principal | null | Error> {
  try {
    return await authenticator({
      header: (name) => headers[name],
      request: () => new Request('http://localhost/', { headers }),
    });
  } catch (error) {
    return error as Error;
  }
}

/** The same with a bearer token. */
export function tryToken(authenticator: Authenticator, token: string): Promise<Principal | null | Error> {
  return tryWith(authenticator, { authorization: `Bearer ${token}` });
}
