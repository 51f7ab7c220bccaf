import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { FederationHistory } from '../history.js';
import type { FederationChain, FederationRoute, FederationSnapshot } from '../records.js';
import type { FederationTrustPolicy, Trust, TrustReading } from '../trust-policy.js';
import type { Verification } from '../verify-bundle.js';
import { importKey, sha256 } from './node-crypto.js';

/** What came of verifying a bundle: all of its records, or nothing and why. */
export type FederationVerification =
  | {
      readonly ok: true;
      readonly snapshot: FederationSnapshot;
      readonly chains: readonly FederationChain[];
      readonly routes: readonly FederationRoute[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** How a bundle is verified. */
export interface VerifyOptions {
  /** The time as of which it is verified. Now unless given. */
  readonly now?: Date;
  /** What findings call the bundle. `bundle` unless given. */
  readonly name?: string;
  /** What findings call the trust policy. `trust policy` unless given. */
  readonly policyName?: string;
}

/**
 * Verifies a federation bundle, such as one that `GET /federation/bundle` answers: its form, every signature and
 * every digest, the Merkle root, revocations and times. It never rejects for what the bundle or the policy hold.
 *
 * @param bundle - The bytes of the bundle, or its text.
 * @param trust - The trust policy: as an object, or the text or the bytes of its file. Never take it from where
 * the bundle comes from.
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

/** Reads a trust policy. What it takes to check keys is loaded now: who has no bundle needs none of it. */
export async function readTrust(bytes: Uint8Array, name: string): Promise<TrustReading> {
  const { readTrustPolicy } = await import('../trust-policy.js');
  return readTrustPolicy(bytes, name, { sha256, importKey });
}

/** How long a verification works before it lets others work, in milliseconds. */
const slice = 10;

/** Verifies a bundle, and lets requests be answered meanwhile. */
export async function verifyInSlices(
  bytes: Uint8Array,
  environment: {
    readonly name: string;
    readonly trust: Trust;
    readonly now: number;
    readonly history: FederationHistory | undefined;
  },
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
