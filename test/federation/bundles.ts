import { expect } from 'vitest';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.js';
import { createSigner, importKey, sha256 } from '../../src/federation/node/node-crypto.js';
import { signIndex } from '../../src/federation/sign-index.js';
import { readTrustPolicy, type Trust } from '../../src/federation/trust-policy.js';
import { type Verification, verifyBundle } from '../../src/federation/verify-bundle.js';
import { finish } from './finish.js';
import {
  digest,
  hashOf,
  type Json,
  jcs,
  keyOf,
  merkle,
  message,
  publicKeyText,
  sign,
  type TestKey,
  without,
} from './second-implementation.js';

export const keys = {
  index: keyOf('index', 1),
  chains: keyOf('chains', 2),
  willow: keyOf('willow', 3),
  second: keyOf('second', 4),
  stranger: keyOf('stranger', 5),
};

/** The time of the golden bundle. */
export const generatedAt = '2026-03-01T12:00:00Z';
export const noon = Date.parse(generatedAt);

/** How a bundle in a directory is opened: under these names, at noon, and without looking again by itself. */
export const inDirectory = {
  bundle: 'index.bundle.json',
  trust: 'trust.json',
  refresh: 0,
  now: () => noon,
} as const;

export const policy: Json = {
  format: 'gg-federation-trust/v1',
  keys: [keys.index, keys.chains, keys.willow].map((key) => ({
    issuer: key.issuer,
    publicKey: publicKeyText(key),
  })),
  roles: {
    snapshot: { issuers: [keys.index.issuer], threshold: 1 },
    chain: { issuers: [keys.chains.issuer], threshold: 1 },
    witness: { issuers: [keys.willow.issuer], threshold: 1 },
    route: { issuers: [keys.index.issuer], threshold: 1 },
    revocation: { issuers: [keys.index.issuer], threshold: 1 },
  },
};

/** Reads a policy that has to be sound. */
export function trustOf(value: Json): Trust {
  const reading = readPolicy(JSON.stringify(value));
  if (!reading.ok) throw new Error(`${reading.problem.code} ${reading.problem.message}`);
  return reading.trust;
}

export function readPolicy(text: string) {
  return readTrustPolicy(Buffer.from(text), 'trust.json', { sha256, importKey });
}

/** A plain index of three chains, with a route over two hops and a revocation. */
export const plainIndex: Json = {
  epoch: 7,
  generatedAt,
  mirrors: ['https://mirror.example/federation/bundle'],
  chains: ['alder', 'birch', 'cedar'].map((chainId, place) => ({
    chainId,
    ingressEndpoints: [
      { transport: 'https', url: `https://${chainId}.example/ingress`, priority: place, region: 'eu-west' },
    ],
    capabilities: ['read'],
    expiresAt: '2026-04-01T00:00:00Z',
    witnessHead: { witnessId: 'willow', head: `head of ${chainId}`, epoch: 10 + place },
  })),
  routes: [
    ['alder', 'birch', 'cedar'],
    ['birch', 'cedar'],
  ].map((way) => ({
    expiresAt: '2026-03-15T00:00:00Z',
    hops: way.map((chainId) => ({ chainId, endpoint: `https://${chainId}.example/ingress` })),
  })),
  revocations: [{ kind: 'chain', subject: 'dogwood', reason: 'retired' }],
};

const signers = new Map(
  Object.entries({
    snapshot: [keys.index],
    chain: [keys.chains],
    witness: [keys.willow],
    route: [keys.index],
    revocation: [keys.index],
  }).map(([role, list]) => [role as 'route', list.map(({ issuer, seed }) => createSigner(issuer, seed))]),
);

/** Signs an index as `gg-svc federation sign` does. */
export function signPlain(index: Json, by: typeof signers = signers) {
  const text = typeof index === 'string' ? index : JSON.stringify(index);
  return signIndex(Buffer.from(text), { name: 'index.json', signers: by, now: noon, sha256 });
}

/** A signed bundle as an object that may be bent. */
export function signed(index: Json = plainIndex): Json {
  const signing = signPlain(index);
  if (!signing.ok) throw new Error(`${signing.problem.code} ${signing.problem.message}`);
  return JSON.parse(signing.text);
}

/** The bytes of a bundle, in canonical form. */
export function bytesOf(bundle: Json): Uint8Array {
  return Buffer.from(jcs(bundle));
}

/** Who signs when a bundle is sealed again, for each kind of record; undefined leaves them as they are. */
export interface Resigners {
  readonly chains?: TestKey;
  readonly witnesses?: TestKey;
  readonly routes?: TestKey;
  readonly revocations?: TestKey;
}

/**
 * What an attacker does who holds the key of the index: counts, root and header are right again; of the records
 * only those for which he has keys as well.
 */
export function sealed(bundle: Json, resigners: Resigners = {}): Uint8Array {
  const by = (key: TestKey, type: string, content: Json) => [
    { issuer: key.issuer, signature: sign(key, message(type, content)) },
  ];
  for (const chain of bundle.chains) {
    const content = without(chain, 'witnessHead', 'signatures');
    if (resigners.chains) chain.signatures = by(resigners.chains, 'chain', content);
    if (!resigners.witnesses) continue;
    const head = {
      ...without(chain.witnessHead, 'digest', 'signature'),
      issuer: resigners.witnesses.issuer,
    };
    const bytes = message('witness-head', { ...head, chainId: chain.chainId });
    chain.witnessHead = { ...head, digest: digest(bytes), signature: sign(resigners.witnesses, bytes) };
  }
  for (const route of resigners.routes ? bundle.routes : []) {
    const content = without(route, 'digest', 'signatures');
    route.digest = digest(message('route', content));
    route.signatures = by(resigners.routes as TestKey, 'route', content);
  }
  for (const revocation of resigners.revocations ? bundle.revocations : []) {
    const content = without(revocation, 'signatures');
    revocation.signatures = by(resigners.revocations as TestKey, 'revocation', content);
  }
  const records = [...bundle.chains, ...bundle.routes, ...bundle.revocations];
  const header = {
    ...without(bundle.snapshot, 'digest', 'signatures'),
    recordCount: bundle.chains.length + bundle.routes.length,
    revocationCount: bundle.revocations.length,
  };
  const leaves = [hashOf('snapshot', header), ...records.map((record) => hashOf('envelope', record))];
  const content = { ...header, digest: `sha256:${Buffer.from(merkle(leaves)).toString('hex')}` };
  return bytesOf({ ...bundle, snapshot: { ...content, signatures: by(keys.index, 'snapshot', content) } });
}

/** All keys of the golden bundle. */
export const allKeys: Resigners = {
  chains: keys.chains,
  witnesses: keys.willow,
  routes: keys.index,
  revocations: keys.index,
};

let golden: Trust | undefined;

/** The golden policy as the verification takes it. Read by the first test that needs it, never when a file loads. */
function goldenTrust(): Trust {
  golden ??= trustOf(policy);
  return golden;
}

/** Verifies a bundle at noon under the golden policy, unless told otherwise. */
export function verifyAt(bytes: Uint8Array, options: Partial<Parameters<typeof verifyBundle>[1]> = {}): Verification {
  const trust = options.trust ?? goldenTrust();
  const environment = { name: 'bundle', now: noon, sha256, history: undefined, ...options, trust };
  return finish(verifyBundle(bytes, environment));
}

/** The code and the message of a finding, which has to be about the whole of a file. */
export function said({ code, message: text, span }: Diagnostic, file: string): string {
  expect(span).toEqual({ file, start: 0, end: 0 });
  return `${code} ${text}`;
}

/** What is said of a bundle that is refused; undefined when it is not. */
export function refusal(
  bytes: Uint8Array,
  options: Partial<Parameters<typeof verifyBundle>[1]> = {},
): string | undefined {
  const found = verifyAt(bytes, options);
  if (found.ok) return undefined;
  // Nothing of a bundle that is refused gets out.
  expect(Object.keys(found)).toEqual(['ok', 'problem']);
  return said(found.problem, 'bundle');
}
