import { ed25519 } from '@noble/curves/ed25519.js';
import { bundleLimits, type FederationRole, federationRoles, federationShapes } from './bundle.js';
import { fromBase64Url, type Sha256, toHex } from './encoding.js';
import { defaultWitnessFreshness } from './lookup.js';
import { type Checked, checked, refusal } from './refusal.js';
import { checkerOf, integer, list, object, oneOf } from './shape.js';
import { readStrictJson } from './strict-json.js';

/** A trust policy in its file: which keys may sign which records, and how long records are fresh. */
export interface FederationTrustPolicy {
  readonly format: 'gg-federation-trust/v1';
  readonly keys: readonly { readonly issuer: string; readonly publicKey: string }[];
  readonly roles: { readonly [Role in FederationRole]?: RoleTrust };
  /** In seconds. */
  readonly freshness?: {
    /** The maximum age of a snapshot. Default: one day. */
    readonly snapshot?: number;
    /** The maximum age of a witness head. Default: one day. */
    readonly witness?: number;
    /** The tolerated clock difference between machines. Default: one minute. */
    readonly skew?: number;
  };
  /** The lowest accepted epoch of a snapshot. */
  readonly minimumEpoch?: number;
}

/** The issuers that may sign a kind of record, and how many signatures it needs. */
export interface RoleTrust {
  readonly issuers: readonly string[];
  readonly threshold: number;
}

/** Checks a signature over a message with one key. */
export type VerifySignature = (message: Uint8Array, signature: Uint8Array) => boolean;

export type Trust = ReturnType<typeof readTrust>;

export interface KeyEnvironment {
  readonly sha256: Sha256;
  /** Makes a verifier from a public key of 32 bytes. */
  readonly importKey: (publicKey: Uint8Array) => VerifySignature;
}

export type TrustReading = Checked<{ readonly trust: Trust }>;

const { count, issuer, publicKey } = federationShapes;
const seconds = integer(0, 3_153_600_000);
const role = object({ issuers: list(issuer, 1, bundleLimits.items), threshold: integer(1, bundleLimits.items) });

const misfitOfPolicy = checkerOf(
  object(
    {
      format: oneOf('gg-federation-trust/v1'),
      keys: list(object({ issuer, publicKey }), 1, 1024),
      roles: object({ snapshot: role }, { chain: role, revocation: role, route: role, witness: role }),
    },
    { freshness: object({}, { skew: seconds, snapshot: seconds, witness: seconds }), minimumEpoch: count },
  ),
);

/**
 * Reads a trust policy. The whole policy is rejected if its shape is wrong (GG6008), a key is unsafe (GG6009), or an
 * issuer does not match its key (GG6010).
 */
export function readTrustPolicy(bytes: Uint8Array, name: string, environment: KeyEnvironment): TrustReading {
  return checked(() => ({ trust: readTrust(bytes, name, environment) }));
}

function readTrust(bytes: Uint8Array, name: string, { sha256, importKey }: KeyEnvironment) {
  const policy = readStrictJson(bytes, name) as FederationTrustPolicy;
  const unfit = (at: string, expected: string): Error => refusal('GG6008', { at, expected }, name);
  const misfit = misfitOfPolicy(policy);
  if (misfit !== undefined) throw unfit(misfit.path.slice(1) || 'the document', misfit.expected);

  const keys = new Map<string, VerifySignature>();
  const seen = new Set<string>();
  for (const [index, { issuer, publicKey }] of policy.keys.entries()) {
    if (keys.has(issuer)) throw unfit(`keys[${index}].issuer`, 'unique');
    // One key under two names would count twice towards a threshold.
    if (seen.has(publicKey)) throw unfit(`keys[${index}].publicKey`, 'unique');
    seen.add(publicKey);
    const bytes = readPublicKey(publicKey);
    if (typeof bytes === 'string') throw refusal('GG6009', { issuer, reason: bytes }, name);
    const fingerprint = fingerprintOf(bytes, sha256);
    if (issuer.split('#')[1] !== fingerprint) throw refusal('GG6010', { issuer, fingerprint }, name);
    keys.set(issuer, importKey(bytes));
  }

  const roles = new Map<FederationRole, RoleTrust>();
  for (const role of federationRoles) {
    const trust = policy.roles[role];
    if (trust === undefined) continue;
    const { issuers, threshold } = trust;
    const stranger = issuers.findIndex((one) => !keys.has(one));
    if (stranger !== -1) throw unfit(`roles.${role}.issuers[${stranger}]`, 'the issuer of one of the keys');
    if (new Set(issuers).size < issuers.length) throw unfit(`roles.${role}.issuers`, 'free of duplicates');
    // A witness head has one signature.
    const most = role === 'witness' ? 1 : issuers.length;
    if (threshold > most) throw unfit(`roles.${role}.threshold`, `at most ${most}`);
    roles.set(role, trust);
  }
  const { snapshot = 86_400, witness = defaultWitnessFreshness, skew = 60 } = policy.freshness ?? {};
  const { minimumEpoch = 0 } = policy;
  return { keys, roles, freshness: { snapshot, witness, skew }, minimumEpoch };
}

/** Reads a key `ed25519:…`, or why it is not safe: not canonical (RFC 8032), or not in the prime-order group. */
function readPublicKey(text: string): Uint8Array | string {
  const bytes = fromBase64Url(text.slice('ed25519:'.length));
  if (bytes === undefined) return 'its last character has unused bits that are not zero';
  try {
    const point = ed25519.Point.fromBytes(bytes, false);
    if (point.isSmallOrder()) return 'it is a point of small order';
    return point.isTorsionFree() ? bytes : 'it is not in the prime-order group';
  } catch {
    return 'it is not the canonical encoding of a curve point';
  }
}

/** The fingerprint in the issuer of a key: the first 16 hexadecimal digits of its SHA-256. */
export function fingerprintOf(publicKeyBytes: Uint8Array, sha256: Sha256): string {
  return toHex(sha256(publicKeyBytes).subarray(0, 8));
}
