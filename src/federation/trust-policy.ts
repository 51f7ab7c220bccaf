import { ed25519 } from '@noble/curves/ed25519.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { bundleLimits, type FederationRole, federationRoles, federationShapes } from './bundle.js';
import { fromBase64Url, type Sha256, toHex } from './encoding.js';
import { defaultWitnessFreshness } from './lookup.js';
import { integer, list, object, oneOf } from './shape.js';
import { readStrictJson } from './strict-json.js';

/** A trust policy as it is written in its file: whose signatures count, for what, and for how long. */
export interface FederationTrustPolicy {
  readonly format: 'gg-federation-trust/v1';
  readonly keys: readonly { readonly issuer: string; readonly publicKey: string }[];
  readonly roles: { readonly [Role in FederationRole]?: RoleTrust };
  /** All in seconds. */
  readonly freshness?: {
    /** How old a snapshot may be. A day unless given. */
    readonly snapshot?: number;
    /** How old a witness head may be. A day unless given. */
    readonly witness?: number;
    /** By how much the clocks of two machines may differ. A minute unless given. */
    readonly skew?: number;
  };
  /** The epoch that a snapshot has at least. */
  readonly minimumEpoch?: number;
}

/** Who may sign as something, and how many of them have to. */
export interface RoleTrust {
  readonly issuers: readonly string[];
  readonly threshold: number;
}

/** Checks a signature over a message with one key. */
export type VerifySignature = (message: Uint8Array, signature: Uint8Array) => boolean;

/** A policy that was read and found sound. */
export interface Trust {
  readonly keys: ReadonlyMap<string, VerifySignature>;
  readonly roles: ReadonlyMap<FederationRole, RoleTrust>;
  readonly freshness: { readonly snapshot: number; readonly witness: number; readonly skew: number };
  readonly minimumEpoch: number;
}

/** What reading a policy needs of the world. */
export interface KeyEnvironment {
  readonly sha256: Sha256;
  /** Makes the check of signatures by a public key of 32 bytes. */
  readonly importKey: (publicKey: Uint8Array) => VerifySignature;
}

/** A policy that can be used, or why it cannot. */
export type TrustReading =
  | { readonly ok: true; readonly trust: Trust }
  | { readonly ok: false; readonly problem: Diagnostic };

const { count, issuer, publicKey } = federationShapes;
const seconds = integer(0, 3_153_600_000);
const role = object({
  issuers: list(issuer, 1, bundleLimits.items),
  threshold: integer(1, bundleLimits.items),
});

const policyShape = object(
  {
    format: oneOf('gg-federation-trust/v1'),
    keys: list(object({ issuer, publicKey }), 1, 1024),
    roles: object({ snapshot: role }, { chain: role, revocation: role, route: role, witness: role }),
  },
  { freshness: object({}, { skew: seconds, snapshot: seconds, witness: seconds }), minimumEpoch: count },
);

/**
 * Reads a trust policy. It is refused as a whole when anything in it is not as it must be (GG6008), a key is one
 * that must not be used (GG6009), or an issuer is not that of its key (GG6010).
 *
 * @param name - What findings call the policy.
 */
export function readTrustPolicy(bytes: Uint8Array, name: string, environment: KeyEnvironment): TrustReading {
  const json = readStrictJson(bytes, name);
  if (!json.ok) return json;
  const span = { file: name, start: 0, end: 0 };
  const refuse = (at: string, expected: string): TrustReading => ({
    ok: false,
    problem: diagnose('GG6008', { at, expected }, span),
  });
  const misfit = policyShape(json.value);
  if (misfit !== undefined) return refuse(misfit.path.slice(1) || 'the whole', misfit.expected);
  const policy = json.value as FederationTrustPolicy;

  const keys = new Map<string, VerifySignature>();
  const seen = new Set<string>();
  for (const [index, key] of policy.keys.entries()) {
    if (keys.has(key.issuer)) return refuse(`keys[${index}].issuer`, 'another: it stands there twice');
    // One key under two names would count twice where two have to sign.
    if (seen.has(key.publicKey)) return refuse(`keys[${index}].publicKey`, 'another: it stands there twice');
    seen.add(key.publicKey);
    const checked = checkKey(key.publicKey, environment.sha256);
    if (!checked.ok) {
      const problem = diagnose('GG6009', { issuer: key.issuer, reason: checked.reason }, span);
      return { ok: false, problem };
    }
    const { fingerprint } = checked;
    if (key.issuer.split('#')[1] !== fingerprint) {
      return { ok: false, problem: diagnose('GG6010', { issuer: key.issuer, fingerprint }, span) };
    }
    keys.set(key.issuer, environment.importKey(checked.bytes));
  }

  const roles = new Map<FederationRole, RoleTrust>();
  for (const name of federationRoles) {
    const trust = policy.roles[name];
    if (trust === undefined) continue;
    const { issuers, threshold } = trust;
    const stranger = issuers.findIndex((one) => !keys.has(one));
    if (stranger !== -1) return refuse(`roles.${name}.issuers[${stranger}]`, 'the issuer of one of the keys');
    if (new Set(issuers).size < issuers.length) return refuse(`roles.${name}.issuers`, 'without repetition');
    // A witness speaks for itself; its head has one signature.
    const most = name === 'witness' ? 1 : issuers.length;
    if (threshold > most) return refuse(`roles.${name}.threshold`, `at most ${most}`);
    roles.set(name, trust);
  }
  const { snapshot = 86_400, witness = defaultWitnessFreshness, skew = 60 } = policy.freshness ?? {};
  const trust = {
    keys,
    roles,
    freshness: { snapshot, witness, skew },
    minimumEpoch: policy.minimumEpoch ?? 0,
  };
  return { ok: true, trust };
}

/** A public key that may be used, or why it must not be. */
export type CheckedKey =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly fingerprint: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks a public key of the form `ed25519:…`: it is the one spelling of a point of the curve (RFC 8032, not the
 * laxer ZIP 215), and that point is in the group that keys come from.
 */
export function checkKey(publicKeyText: string, sha256: Sha256): CheckedKey {
  const bytes = fromBase64Url(publicKeyText.slice('ed25519:'.length));
  if (bytes === undefined) return { ok: false, reason: 'its last character spells bits that mean nothing' };
  let point: InstanceType<typeof ed25519.Point>;
  try {
    point = ed25519.Point.fromBytes(bytes, false);
  } catch {
    return { ok: false, reason: 'it is not the canonical form of a point of the curve' };
  }
  if (point.isSmallOrder()) return { ok: false, reason: 'it is a point of small order' };
  if (!point.isTorsionFree()) return { ok: false, reason: 'it is not in the prime-order group' };
  return { ok: true, bytes, fingerprint: fingerprintOf(bytes, sha256) };
}

/** The 16 digits that stand in the issuer of a key: the beginning of its SHA-256. */
export function fingerprintOf(publicKeyBytes: Uint8Array, sha256: Sha256): string {
  return toHex(sha256(publicKeyBytes).subarray(0, 8));
}
