import { resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import { fromBase64Url } from '../../../federation/encoding.js';
import { readKey } from '../../../federation/key-file.js';
import { createSigner, publicKeyOf } from '../../../federation/node/node-crypto.js';
import { readFederationFile } from '../../../federation/node/read-federation-file.js';
import type { FederationSigner } from '../../../federation/sign-index.js';
import type { CliIo } from '../../terminal/io.js';
import { formatKeyFile } from './key-text.js';

/** A key that signs, or why it cannot. */
export type SignerReading =
  | { readonly ok: true; readonly signer: FederationSigner }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Reads the file of a key. Its public half and its issuer have to be those of its private half (GG6027). */
export async function readSigner(file: string, io: CliIo): Promise<SignerReading> {
  const reading = await readFederationFile(resolve(io.directory, file), file);
  if (!reading.ok) return reading;
  const found = readKey(reading.bytes, file);
  if (!found.ok) return found;
  const { issuer, publicKey, privateKey } = found.key;
  const refuse = (reason: string): SignerReading => ({
    ok: false,
    problem: diagnose('GG6027', { reason }, { file, start: 0, end: 0 }),
  });
  const seed = fromBase64Url(privateKey.slice('ed25519:'.length));
  if (seed === undefined) return refuse('its private key is not base64url of 32 bytes');
  const expected = formatKeyFile(issuer.replace(/#.*$/, ''), {
    privateKey: seed,
    publicKey: publicKeyOf(seed),
  });
  if (expected.publicKey !== publicKey) return refuse('its public key is not that of its private key');
  if (expected.issuer !== issuer) return refuse(`its issuer is not ${expected.issuer}`);
  return { ok: true, signer: createSigner(issuer, seed) };
}
