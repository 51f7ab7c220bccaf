import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';
import { federationShapes } from './bundle.js';
import { checkerOf, object, oneOf, type ValueOf } from './shape.js';
import { readStrictJson } from './strict-json.js';

const { issuer, privateKey, publicKey } = federationShapes;
/** A private key file. The private key is the seed of RFC 8032: 32 bytes. */
const key = object({ format: oneOf('gg-federation-key/v1'), issuer, publicKey, privateKey });
const misfitOfKey = checkerOf(key);

/** A key, or why the file is not one. */
export type KeyReading =
  | { readonly ok: true; readonly key: ValueOf<typeof key> }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Reads a private key file (GG6002–GG6005, GG6027). */
export function readKey(bytes: Uint8Array, name: string): KeyReading {
  const json = readStrictJson(bytes, name);
  if (!json.ok) return json;
  const misfit = misfitOfKey(json.value);
  if (misfit === undefined) return { ok: true, key: json.value as ValueOf<typeof key> };
  const reason = `${misfit.path.slice(1) || 'it'} must be ${misfit.expected}`;
  return { ok: false, problem: diagnose('GG6027', { reason }, wholeFile(name)) };
}
