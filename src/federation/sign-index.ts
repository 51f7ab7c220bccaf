import {
  bundleFormat,
  bundleLimits,
  endpointShape,
  type FederationBundle,
  type FederationRole,
  federationRoles,
  federationShapes,
  revocationKinds,
} from './bundle.js';
import { canonicalJson, formatDigest, type PreimageType, preimage, type Sha256, toBase64Url } from './encoding.js';
import { readBundle } from './read-bundle.js';
import { checked, refusal } from './refusal.js';
import { refuseRevoked, revocationKey } from './revocations.js';
import { checkerOf, list, object, oneOf, type ValueOf } from './shape.js';
import { readStrictJson } from './strict-json.js';
import { formatTime } from './time.js';
import { envelopeDigests, snapshotDigest } from './verify-bundle.js';

export interface FederationSigner {
  readonly issuer: string;
  /** Ed25519 over a message: 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** The inputs of signing, apart from the index. */
export interface SignEnvironment {
  readonly name: string;
  readonly signers: ReadonlyMap<FederationRole, readonly FederationSigner[]>;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
  readonly sha256: Sha256;
}

/**
 * Signs an index: sorts it, and computes digests, the witness digests of hops, counts and the Merkle root. Rejected if
 * it is not strict JSON (GG6002–GG6005) or has the wrong shape (GG6026), if a key is missing (GG6028), if it contains
 * duplicates (GG6015) or something that it revokes (GG6019).
 */
export function signIndex(bytes: Uint8Array, environment: SignEnvironment) {
  return checked(() => {
    const { name } = environment;
    const bundle = signRecords(readIndex(bytes, environment), environment);
    const text = canonicalJson(bundle);
    readBundle(new TextEncoder().encode(text), name);
    refuseRevoked(bundle, new Set(bundle.revocations.map(revocationKey)), name);
    return { text, bundle };
  });
}

function readIndex(bytes: Uint8Array, { name, signers }: SignEnvironment): FederationIndex {
  const index = readStrictJson(bytes, name) as FederationIndex;
  const misfit = misfitOfIndex(index);
  if (misfit !== undefined)
    throw refusal('GG6026', { at: misfit.path.slice(1) || 'the document', expected: misfit.expected }, name);
  const stranger = unknownHop(index);
  if (stranger !== undefined) throw refusal('GG6026', stranger, name);
  const { chains, routes = [], revocations = [] } = index;
  const records = { snapshot: [index], chain: chains, witness: chains, route: routes, revocation: revocations };
  const missing = federationRoles.find((role) => records[role].length > 0 && (signers.get(role) ?? []).length === 0);
  if (missing !== undefined) throw refusal('GG6028', { role: missing }, name);
  return index;
}

/** A hop needs the witness of its chain, so the chain must be in the index. */
function unknownHop({ chains, routes = [] }: FederationIndex): { at: string; expected: string } | undefined {
  const known = new Set(chains.map(({ chainId }) => chainId));
  for (const [at, { hops }] of routes.entries()) {
    const hop = hops.findIndex(({ chainId }) => !known.has(chainId));
    if (hop !== -1) return { at: `routes[${at}].hops[${hop}].chainId`, expected: 'one of the chains' };
  }
  return undefined;
}

function signRecords(index: FederationIndex, { signers, now, sha256 }: SignEnvironment): FederationBundle {
  const { epoch, generatedAt = formatTime(now) } = index;
  const signersOf = (role: FederationRole) =>
    (signers.get(role) as readonly FederationSigner[]).toSorted((a, b) => compare(a.issuer, b.issuer));
  const sign = (signer: FederationSigner, message: Uint8Array) => `ed25519:${toBase64Url(signer.sign(message))}`;
  const signaturesOf = (role: FederationRole & PreimageType, content: object) => {
    const message = preimage(role, content);
    return signersOf(role).map((signer) => ({ issuer: signer.issuer, signature: sign(signer, message) }));
  };

  const chains = index.chains
    .toSorted((a, b) => compare(a.chainId, b.chainId))
    .map(({ witnessHead, ...plain }, at) => {
      const content = { ...plain, index: at };
      // A witness head has one signature and names its issuer, so only the first key of the role signs.
      const [witness] = signersOf('witness') as [FederationSigner];
      const head = { issuedAt: generatedAt, ...witnessHead, issuer: witness.issuer };
      const message = preimage('witness-head', { ...head, chainId: plain.chainId });
      return {
        ...content,
        signatures: signaturesOf('chain', content),
        witnessHead: { ...head, digest: formatDigest(sha256(message)), signature: sign(witness, message) },
      };
    });
  const witnesses = new Map(chains.map(({ chainId, witnessHead }) => [chainId, witnessHead.digest]));
  const routes = (index.routes ?? [])
    .map(({ hops: plainHops, ...plain }) => {
      const hops = plainHops.map((hop, at) => ({
        ...hop,
        index: at,
        witnessDigest: witnesses.get(hop.chainId) as string,
      }));
      const fromChainId = (hops[0] as (typeof hops)[number]).chainId;
      const toChainId = (hops.at(-1) as (typeof hops)[number]).chainId;
      const content = { epoch, ...plain, fromChainId, hops, toChainId };
      const digest = formatDigest(sha256(preimage('route', content)));
      return { ...content, digest, signatures: signaturesOf('route', content) };
    })
    .sort((a, b) => compare(a.fromChainId, b.fromChainId) || compare(a.toChainId, b.toChainId));
  const revocations = (index.revocations ?? [])
    .map((plain) => ({ revokedAt: generatedAt, ...plain }))
    .map((content) => ({ ...content, signatures: signaturesOf('revocation', content) }))
    .sort((a, b) => compare(a.kind, b.kind) || compare(a.subject, b.subject));

  const header = {
    epoch,
    generatedAt,
    index: index.index ?? 0,
    mirrors: index.mirrors ?? [],
    recordCount: chains.length + routes.length,
    revocationCount: revocations.length,
  };
  const digests = envelopeDigests(sha256, {
    chains: chains.map(canonicalJson),
    routes: routes.map(canonicalJson),
    revocations: revocations.map(canonicalJson),
  });
  const content = { ...header, digest: snapshotDigest(sha256, header, digests) };
  const snapshot = { ...content, signatures: signaturesOf('snapshot', content) };
  return { chains, format: bundleFormat, revocations, routes, snapshot };
}

/** The order of canonical JSON: by code units, independent of the locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const { issuer, privateKey, publicKey } = federationShapes;
/** A private key file. The private key is the seed of RFC 8032: 32 bytes. */
const keyFile = object({ format: oneOf('gg-federation-key/v1'), issuer, publicKey, privateKey });
const misfitOfKey = checkerOf(keyFile);

/** Reads a private key file (GG6002–GG6005, GG6027). */
export function readKey(bytes: Uint8Array, name: string) {
  return checked(() => {
    const key = readStrictJson(bytes, name) as ValueOf<typeof keyFile>;
    const misfit = misfitOfKey(key);
    if (misfit === undefined) return { key };
    const reason = `${misfit.path.slice(1) || 'it'} must be ${misfit.expected}`;
    throw refusal('GG6027', { reason }, name);
  });
}

const { count, id, line, time, token, url } = federationShapes;
const { items, records } = bundleLimits;

const chain = object({
  chainId: id,
  ingressEndpoints: list(endpointShape, 0, items),
  capabilities: list(token, 0, items),
  expiresAt: time,
  // `issuedAt`: by default the time of the index.
  witnessHead: object({ witnessId: id, head: line, epoch: count }, { issuedAt: time }),
});

/** A route before signing. Its ends are its first and its last hop; its epoch is by default that of the index. */
const route = object(
  { expiresAt: time, hops: list(object({ chainId: id, endpoint: url }), 2, items) },
  { epoch: count },
);

/** Revoked, by default, at the time of the index. */
const revocation = object({ kind: oneOf(...revocationKinds), subject: line, reason: line }, { revokedAt: time });

const index = object(
  {
    // Increases with every signed index.
    epoch: count,
    chains: list(chain, 0, records),
  },
  {
    // The number of this index if its owner has several. Default: 0.
    index: count,
    // Default: the time of signing.
    generatedAt: time,
    // URLs that serve the same bundle.
    mirrors: list(url, 0, items),
    routes: list(route, 0, records),
    revocations: list(revocation, 0, records),
  },
);

/** A federation index before signing, as its owner writes it. */
type FederationIndex = ValueOf<typeof index>;

const misfitOfIndex = checkerOf(index);
