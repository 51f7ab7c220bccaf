import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';
import {
  type BundleSignature,
  bundleFormat,
  type ChainEnvelope,
  type FederationBundle,
  type FederationRole,
  type RevocationEnvelope,
  type RouteEnvelope,
  type SnapshotEnvelope,
} from './bundle.js';
import { canonicalBundle } from './canonical-bundle.js';
import {
  canonicalJson,
  formatDigest,
  type PreimageType,
  preimage,
  type Sha256,
  toBase64Url,
} from './encoding.js';
import { type FederationIndex, misfitOfIndex, type PlainChain, type PlainRoute } from './plain-index.js';
import { readBundle } from './read-bundle.js';
import { findRevoked, revocationKey } from './revocations.js';
import { readStrictJson } from './strict-json.js';
import { formatTime } from './time.js';
import { envelopeDigests, snapshotDigest } from './verify-bundle.js';

/** A key that signs. */
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

/** A signed bundle with the text of its file, or why the index cannot be signed. */
export type Signing =
  | { readonly ok: true; readonly text: string; readonly bundle: FederationBundle }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Signs an index: sorts it, and computes digests, the witness digests of hops, counts and the Merkle root. Rejected if
 * it is not strict JSON (GG6002–GG6005) or has the wrong shape (GG6026), if a key is missing (GG6028), if it contains
 * duplicates (GG6015) or something that it revokes (GG6019).
 */
export function signIndex(bytes: Uint8Array, environment: SignEnvironment): Signing {
  const { name, signers, now } = environment;
  const span = wholeFile(name);
  const json = readStrictJson(bytes, name);
  if (!json.ok) return json;
  const misfit = misfitOfIndex(json.value);
  if (misfit !== undefined) {
    const at = misfit.path.slice(1) || 'the document';
    return { ok: false, problem: diagnose('GG6026', { at, expected: misfit.expected }, span) };
  }
  const index = json.value as FederationIndex;
  const stranger = unknownHop(index);
  if (stranger !== undefined) return { ok: false, problem: diagnose('GG6026', stranger, span) };
  const missing = neededRoles(index).find((role) => (signers.get(role) ?? []).length === 0);
  if (missing !== undefined) return { ok: false, problem: diagnose('GG6028', { role: missing }, span) };

  const { bundle, text } = new IndexSigner(environment).sign(index, index.generatedAt ?? formatTime(now));
  const reading = readBundle(new TextEncoder().encode(text), name);
  if (!reading.ok) return reading;
  const revoked = findRevoked(bundle, new Set(bundle.revocations.map(revocationKey)), name);
  return revoked === undefined ? { ok: true, text, bundle } : { ok: false, problem: revoked };
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

function neededRoles({ chains, routes = [], revocations = [] }: FederationIndex): FederationRole[] {
  return [
    'snapshot',
    ...(chains.length > 0 ? (['chain', 'witness'] as const) : []),
    ...(routes.length > 0 ? (['route'] as const) : []),
    ...(revocations.length > 0 ? (['revocation'] as const) : []),
  ];
}

class IndexSigner {
  readonly #environment: SignEnvironment;

  constructor(environment: SignEnvironment) {
    this.#environment = environment;
  }

  sign(index: FederationIndex, generatedAt: string): { bundle: FederationBundle; text: string } {
    const { sha256 } = this.#environment;
    const chains = [...index.chains]
      .sort((a, b) => compare(a.chainId, b.chainId))
      .map((chain, at) => this.#chain(chain, at, generatedAt));
    const witnesses = new Map(chains.map(({ chainId, witnessHead }) => [chainId, witnessHead.digest]));
    const routes = (index.routes ?? [])
      .map((route) => this.#route(route, index.epoch, witnesses))
      .sort((a, b) => compare(a.fromChainId, b.fromChainId) || compare(a.toChainId, b.toChainId));
    const revocations = (index.revocations ?? [])
      .map((revocation) => this.#revocation({ revokedAt: generatedAt, ...revocation }))
      .sort((a, b) => compare(a.kind, b.kind) || compare(a.subject, b.subject));

    const envelopes = {
      chains: chains.map(canonicalJson),
      routes: routes.map(canonicalJson),
      revocations: revocations.map(canonicalJson),
    };
    const digests = envelopeDigests(sha256, envelopes);
    const header = {
      epoch: index.epoch,
      generatedAt,
      index: index.index ?? 0,
      mirrors: index.mirrors ?? [],
      recordCount: chains.length + routes.length,
      revocationCount: revocations.length,
    };
    const content = { ...header, digest: snapshotDigest(sha256, header, digests) };
    const snapshot: SnapshotEnvelope = {
      ...content,
      signatures: this.#signatures('snapshot', 'snapshot', content),
    };
    const bundle: FederationBundle = { chains, format: bundleFormat, revocations, routes, snapshot };
    return { bundle, text: canonicalBundle(bundle, envelopes) };
  }

  #chain({ witnessHead, ...plain }: PlainChain, index: number, generatedAt: string): ChainEnvelope {
    const content = { ...plain, index };
    // A witness head has one signature and names its issuer, so only the first key of the role signs.
    const [witness] = this.#signers('witness');
    const head = { issuedAt: generatedAt, ...witnessHead, issuer: (witness as FederationSigner).issuer };
    const message = preimage('witness-head', { ...head, chainId: plain.chainId });
    return {
      ...content,
      signatures: this.#signatures('chain', 'chain', content),
      witnessHead: {
        ...head,
        digest: formatDigest(this.#environment.sha256(message)),
        signature: sign(witness as FederationSigner, message),
      },
    };
  }

  #route(plain: PlainRoute, epoch: number, witnesses: ReadonlyMap<string, string>): RouteEnvelope {
    const hops = plain.hops.map(({ chainId, endpoint }, index) => ({
      index,
      chainId,
      endpoint,
      witnessDigest: witnesses.get(chainId) as string,
    }));
    const content = {
      epoch: plain.epoch ?? epoch,
      expiresAt: plain.expiresAt,
      fromChainId: (hops[0] as (typeof hops)[number]).chainId,
      hops,
      toChainId: (hops.at(-1) as (typeof hops)[number]).chainId,
    };
    return {
      ...content,
      digest: formatDigest(this.#environment.sha256(preimage('route', content))),
      signatures: this.#signatures('route', 'route', content),
    };
  }

  #revocation(content: Omit<RevocationEnvelope, 'signatures'>): RevocationEnvelope {
    return { ...content, signatures: this.#signatures('revocation', 'revocation', content) };
  }

  #signatures(role: FederationRole, type: PreimageType, content: object): BundleSignature[] {
    const message = preimage(type, content);
    return this.#signers(role).map((signer) => ({ issuer: signer.issuer, signature: sign(signer, message) }));
  }

  #signers(role: FederationRole): readonly FederationSigner[] {
    const signers = this.#environment.signers.get(role) as readonly FederationSigner[];
    return [...signers].sort((a, b) => compare(a.issuer, b.issuer));
  }
}

function sign({ sign: signWith }: FederationSigner, message: Uint8Array): string {
  return `ed25519:${toBase64Url(signWith(message))}`;
}

/** The order of canonical JSON: by code units, independent of the locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
