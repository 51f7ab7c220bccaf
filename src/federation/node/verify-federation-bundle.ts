import { setImmediate } from 'node:timers/promises';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { type ByteLimit, type BytesReading, type ReadBytes, readBytes } from '../../base/read/read-bytes.js';
import { wholeFile } from '../../base/source/span.js';
import { bundleLimits } from '../bundle.js';
import type { FederationChain, FederationRoute, FederationSnapshot } from '../records.js';
import type { FederationTrustPolicy, TrustReading } from '../trust-policy.js';
import type { Verification, VerifyEnvironment } from '../verify-bundle.js';
import { importKey, sha256 } from './node-crypto.js';

const limit: ByteLimit = {
  bytes: bundleLimits.bytes,
  exceeded: (name, size) => diagnose('GG6001', { what: 'bytes', size, limit: bundleLimits.bytes }, wholeFile(name)),
};

/**
 * Reads a bundle, a policy or a key from a file or a URL: at most as many bytes as a bundle may have (GG6001).
 * Never rejects.
 *
 * @param known - The last reading; it is returned again if nothing has changed since.
 */
export function readFederationFile(location: string, name: string, known?: ReadBytes): Promise<BytesReading> {
  return readBytes(location, name, limit, 'application/json, */*;q=0.5', known && { known });
}

/** The records of a verified bundle, or the findings. */
export type FederationVerification =
  | {
      readonly ok: true;
      readonly snapshot: FederationSnapshot;
      readonly chains: readonly FederationChain[];
      readonly routes: readonly FederationRoute[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Options of a verification. */
export interface VerifyOptions {
  /** The time to verify for. Default: now. */
  readonly now?: Date;
  /** The name of the bundle in findings. Default: `bundle`. */
  readonly name?: string;
  /** The name of the trust policy in findings. Default: `trust policy`. */
  readonly policyName?: string;
}

/**
 * Verifies a federation bundle, for instance the answer of `GET /federation/bundle`: its form, all signatures and
 * digests, the Merkle root, revocations and times. It never rejects because of the content of the bundle or policy.
 *
 * @param bundle - The bytes or the text of the bundle.
 * @param trust - The trust policy: an object, or the text or the bytes of its file. Never load it from where the
 * bundle comes from.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { verifyFederationBundle } from 'gg-svc/federation';
 *
 * const response = await fetch('http://localhost:4000/federation/bundle');
 * const result = await verifyFederationBundle(await response.text(), await readFile('trust.json'));
 * if (result.ok) console.log(result.snapshot.epoch, result.chains.length);
 * else console.error(result.diagnostics[0]?.message);
 * ```
 */
export async function verifyFederationBundle(
  bundle: string | Uint8Array,
  trust: string | Uint8Array | FederationTrustPolicy,
  options: VerifyOptions = {},
): Promise<FederationVerification> {
  const policy = await readTrust(asBytes(trust), options.policyName ?? 'trust policy');
  if (!policy.ok) return { ok: false, diagnostics: [policy.problem] };
  const found = await verifyInSlices(asBytes(bundle), {
    name: options.name ?? 'bundle',
    trust: policy.trust,
    now: options.now?.getTime() ?? Date.now(),
    history: undefined,
  });
  if (!found.ok) return { ok: false, diagnostics: [found.problem] };
  const { snapshot, chains, routes } = found.records;
  return { ok: true, snapshot, chains: [...chains.values()], routes: [...routes.values()] };
}

/** Reads a trust policy. The checks of keys are imported lazily: servers without a bundle never need them. */
export async function readTrust(bytes: Uint8Array, name: string): Promise<TrustReading> {
  const { readTrustPolicy } = await import('../trust-policy.js');
  return readTrustPolicy(bytes, name, { sha256, importKey });
}

/** The time after which a verification yields to the event loop, in milliseconds. */
const slice = 10;

/** Verifies a bundle, and yields to the event loop in between. */
export async function verifyInSlices(
  bytes: Uint8Array,
  environment: Omit<VerifyEnvironment, 'sha256'>,
): Promise<Verification> {
  const { verifyBundle } = await import('../verify-bundle.js');
  const steps = verifyBundle(bytes, { ...environment, sha256 });
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < slice) continue;
    await setImmediate();
    since = performance.now();
  }
}

function asBytes(given: string | Uint8Array | FederationTrustPolicy): Uint8Array {
  if (given instanceof Uint8Array) return given;
  return Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
}
