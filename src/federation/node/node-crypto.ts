import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { fromBase64Url, type Sha256, toBase64Url } from '../encoding.js';
import type { FederationSigner } from '../sign-index.js';
import type { VerifySignature } from '../trust-policy.js';

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

/** Makes an Ed25519 verifier from a public key of 32 bytes. */
export function importKey(publicKey: Uint8Array): VerifySignature {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) }, format: 'jwk' });
  return (message, signature) => verify(null, message, key, signature);
}

/** Makes a new key: its seed and its public key, 32 bytes each. */
export function generateKey(): { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return { privateKey: bytesOf(d), publicKey: bytesOf(publicPart(publicKey)) };
}

export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return bytesOf(publicPart(createPublicKey(importSeed(privateKey))));
}

export function createSigner(issuer: string, privateKey: Uint8Array): FederationSigner {
  const key = importSeed(privateKey);
  return { issuer, sign: (message) => sign(null, message, key) };
}

/** The PKCS #8 prefix of an Ed25519 seed (RFC 8410, section 7). */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function importSeed(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' });
}

function publicPart(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? '';
}

function bytesOf(text: string): Uint8Array {
  return fromBase64Url(text) ?? new Uint8Array();
}
