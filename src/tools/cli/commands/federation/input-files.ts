import { resolve } from 'node:path';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import { fromBase64Url, toBase64Url } from '../../../../federation/encoding.js';
import { createSigner, publicKeyOf, sha256 } from '../../../../federation/node/node-crypto.js';
import { readFederationFile } from '../../../../federation/node/verify-federation-bundle.js';
import { type FederationSigner, readKey } from '../../../../federation/sign-index.js';
import { fingerprintOf } from '../../../../federation/trust-policy.js';
import { failure, orFail } from '../../terminal/failure.js';
import type { CliIo } from '../../terminal/io.js';

/** Reads a file, or also a URL where `mayBeUrl` is set. Keys and trust policies never come from a URL. */
export async function readInput(name: string, io: CliIo, mayBeUrl = false): Promise<Uint8Array> {
  const location = mayBeUrl && isWebUrl(name) ? name : resolve(io.directory, name);
  return orFail(await readFederationFile(location, name)).bytes;
}

/** The text of a key file, and the public part of it. */
export function formatKeyFile(name: string, key: { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array }) {
  const issuer = `${name}#${fingerprintOf(key.publicKey, sha256)}`;
  const publicKey = `ed25519:${toBase64Url(key.publicKey)}`;
  const privateKey = `ed25519:${toBase64Url(key.privateKey)}`;
  const content = { format: 'gg-federation-key/v1', issuer, publicKey, privateKey };
  return { issuer, publicKey, text: `${JSON.stringify(content, null, 2)}\n` };
}

/**
 * Reads a key file.
 *
 * @throws {CommandFailure} GG6027 when its public key or its issuer does not belong to its private key.
 */
export async function readSigner(file: string, io: CliIo): Promise<FederationSigner> {
  const { issuer, publicKey, privateKey } = orFail(readKey(await readInput(file, io), file)).key;
  const refuse = (reason: string) => failure('GG6027', { reason }, file);
  const seed = fromBase64Url(privateKey.slice('ed25519:'.length));
  if (seed === undefined) throw refuse('its private key is not base64url of 32 bytes');
  const key = { privateKey: seed, publicKey: publicKeyOf(seed) };
  const expected = formatKeyFile(issuer.replace(/#.*$/, ''), key);
  if (expected.publicKey !== publicKey) throw refuse('its public key does not belong to its private key');
  if (expected.issuer !== issuer) throw refuse(`its issuer must be ${expected.issuer}`);
  return createSigner(issuer, seed);
}
