import { toBase64Url } from '../../../federation/encoding.js';
import { sha256 } from '../../../federation/node/node-crypto.js';
import { fingerprintOf } from '../../../federation/trust-policy.js';

/** A new key, with the text of its file. */
export interface KeyText {
  readonly issuer: string;
  readonly publicKey: string;
  readonly text: string;
}

/** Writes the file of a key. */
export function formatKeyFile(
  name: string,
  key: { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array },
): KeyText {
  const issuer = `${name}#${fingerprintOf(key.publicKey, sha256)}`;
  const publicKey = `ed25519:${toBase64Url(key.publicKey)}`;
  const privateKey = `ed25519:${toBase64Url(key.privateKey)}`;
  const content = { format: 'gg-federation-key/v1', issuer, publicKey, privateKey };
  return { issuer, publicKey, text: `${JSON.stringify(content, null, 2)}\n` };
}
