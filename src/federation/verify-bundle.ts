import type {
  BundleSignature,
  ChainEnvelope,
  FederationBundle,
  FederationRole,
  RouteEnvelope,
  SnapshotEnvelope,
} from './bundle.js';
import {
  digestOf,
  formatDigest,
  fromBase64Url,
  merkleRoot,
  PreimageWriter,
  parseDigest,
  type Sha256,
} from './encoding.js';
import { type FederationHistory, succeed } from './history.js';
import { type Envelopes, readBundle } from './read-bundle.js';
import type { FederationChain, FederationRoute, FederationSnapshot } from './records.js';
import { type Checked, refusal, refusedBy } from './refusal.js';
import { refuseRevoked, revocationKey } from './revocations.js';
import { signedText } from './signed-text.js';
import { parseTime } from './time.js';
import type { RoleTrust, Trust } from './trust-policy.js';

/** The inputs of a verification, apart from the bundle. */
export interface VerifyEnvironment {
  readonly name: string;
  readonly trust: Trust;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
  readonly sha256: Sha256;
  /** The history so far; undefined for a first bundle. */
  readonly history: FederationHistory | undefined;
}

export interface VerifiedRecords {
  readonly snapshot: FederationSnapshot;
  /** By id. */
  readonly chains: ReadonlyMap<string, FederationChain>;
  /** By {@link routeKey}. */
  readonly routes: ReadonlyMap<string, FederationRoute>;
}

/** All records of a bundle, or none and the first problem. */
export type Verification = Checked<Verified>;

type Verified = ReturnType<typeof succeed> & { readonly records: VerifiedRecords };

/** The key of a route in maps. Ids contain no spaces. */
export function routeKey(fromChainId: string, toChainId: string): string {
  return `${fromChainId} ${toChainId}`;
}

/**
 * Verifies a bundle. It yields after each record, so that a server can answer requests in between. It trusts nothing
 * before all of these hold:
 *
 * - the form of the bundle (see `readBundle`);
 * - the signatures of the header, and the Merkle root over the content (GG6011–GG6014, GG6017);
 * - every signature and digest of every record (GG6011–GG6014, GG6018);
 * - nothing in it is revoked, by this bundle or an earlier one (GG6019);
 * - nothing is from the future (GG6021) or expired (GG6020);
 * - it continues the history (GG6023–GG6025).
 */
export function* verifyBundle(bytes: Uint8Array, environment: VerifyEnvironment): Generator<void, Verification> {
  try {
    return { ok: true, ...(yield* verify(bytes, environment)) };
  } catch (error) {
    return refusedBy(error);
  }
}

function* verify(bytes: Uint8Array, environment: VerifyEnvironment): Generator<void, Verified> {
  const { name, trust, sha256, history } = environment;
  const { bundle, envelopes } = readBundle(bytes, name);
  yield;
  const check = recordChecks(environment);
  // All preimages reuse the same buffer.
  const preimages = new PreimageWriter();

  const digests = envelopeDigests(sha256, envelopes);
  const { signatures, ...content } = bundle.snapshot;
  // The header was parsed from canonical text, so its names are in order.
  check.signatures('snapshot', preimages.write('snapshot', JSON.stringify(content)), signatures, 'snapshot');
  const { digest: claimed, ...header } = content;
  const found = snapshotDigest(sha256, header, digests);
  if (found !== claimed) throw refusal('GG6017', { claimed, found }, name);
  yield;

  const chains = new Map<string, FederationChain>();
  for (const [index, chain] of bundle.chains.entries()) {
    const at = `chains[${index}]`;
    const text = envelopes.chains[index] as string;
    const { digest, issuer, signature } = chain.witnessHead;
    check.signatures('chain', preimages.write('chain', signedText.chain(text)), chain.signatures, at);
    const head = preimages.write('witness-head', signedText.witnessHead(text, chain.chainId));
    check.digest(head, digest, `${at}.witnessHead`);
    check.signatures('witness', head, [{ issuer, signature }], `${at}.witnessHead`);
    chains.set(chain.chainId, chainRecord(chain, formatDigest(digests[index] as Uint8Array)));
    yield;
  }
  const routes = new Map<string, FederationRoute>();
  for (const [index, route] of bundle.routes.entries()) {
    const at = `routes[${index}]`;
    const message = preimages.write('route', signedText.route(envelopes.routes[index] as string));
    check.digest(message, route.digest, at);
    check.signatures('route', message, route.signatures, at);
    const digest = formatDigest(digests[chains.size + index] as Uint8Array);
    routes.set(routeKey(route.fromChainId, route.toChainId), routeRecord(route, digest));
    yield;
  }
  for (const [index, revocation] of bundle.revocations.entries()) {
    const text = signedText.revocation(envelopes.revocations[index] as string);
    const message = preimages.write('revocation', text);
    check.signatures('revocation', message, revocation.signatures, `revocations[${index}]`);
    yield;
  }

  const revoked = new Set(history?.revoked);
  for (const revocation of bundle.revocations) revoked.add(revocationKey(revocation));
  refuseRevoked(bundle, revoked, name);
  checkTimes(bundle, environment);
  const snapshot = snapshotRecord(bundle.snapshot);
  const succession = succeed(history, bundle, { snapshot, revoked }, trust.minimumEpoch, name);
  return { ...succession, records: { snapshot, chains, routes } };
}

/** The time after which a snapshot is too old to be answered, in milliseconds since 1970. */
export function staleAfter({ generatedAt }: Pick<FederationSnapshot, 'generatedAt'>, trust: Trust): number {
  return timeOf(generatedAt) + trust.freshness.snapshot * 1000;
}

/** A role that the policy does not define: no key may sign. */
const noIssuers: RoleTrust = { issuers: [], threshold: 1 };

function recordChecks({ trust, sha256, name }: VerifyEnvironment) {
  return {
    /** Every signature must verify and be by a key that has the role; and their number must reach the threshold. */
    signatures(role: FederationRole, message: Uint8Array, all: readonly BundleSignature[], at: string): void {
      const { issuers, threshold: need } = trust.roles.get(role) ?? noIssuers;
      for (const { issuer, signature } of all) {
        const key = trust.keys.get(issuer);
        if (key === undefined) throw refusal('GG6011', { at, issuer }, name);
        if (!issuers.includes(issuer)) throw refusal('GG6012', { at, issuer, role }, name);
        const bytes = fromBase64Url(signature.slice('ed25519:'.length));
        if (bytes === undefined || !key(message, bytes)) throw refusal('GG6013', { at, issuer }, name);
      }
      const have = all.length;
      if (have < need) throw refusal('GG6014', { at, role, have, need }, name);
    },
    digest(message: Uint8Array, claimed: string, at: string): void {
      if (formatDigest(sha256(message)) !== claimed) throw refusal('GG6018', { at: `${at}.digest` }, name);
    },
  };
}

/** The digests of the envelopes of chains, routes and revocations, in this order. */
export function envelopeDigests(sha256: Sha256, envelopes: Envelopes): Uint8Array[] {
  const preimages = new PreimageWriter();
  const { chains, routes, revocations } = envelopes;
  return [chains, routes, revocations].flatMap((texts) =>
    texts.map((text) => sha256(preimages.write('envelope', text))),
  );
}

/**
 * The digest of a snapshot: the Merkle root over the header without digest and signatures, and the digests of
 * the envelopes of chains, routes and revocations.
 */
export function snapshotDigest(
  sha256: Sha256,
  header: Omit<SnapshotEnvelope, 'digest' | 'signatures'>,
  digests: readonly Uint8Array[],
): string {
  const first = parseDigest(digestOf(sha256, 'snapshot', header));
  return formatDigest(merkleRoot(sha256, [first, ...digests]));
}

function checkTimes(
  { snapshot, chains, routes, revocations }: FederationBundle,
  { trust, now, name }: VerifyEnvironment,
): void {
  const latest = now + trust.freshness.skew * 1000;
  const made = timeOf(snapshot.generatedAt);
  const refuseFuture = (at: string, time: string): void => {
    if (timeOf(time) > latest) throw refusal('GG6021', { at, time }, name);
  };
  const refuseExpired = (at: string, time: string, expiry: number, since: number): void => {
    if (expiry <= since) throw refusal('GG6020', { at, time }, name);
  };
  const { generatedAt } = snapshot;
  refuseFuture('snapshot.generatedAt', generatedAt);
  refuseExpired('snapshot.generatedAt', generatedAt, staleAfter(snapshot, trust), now);
  for (const [index, { expiresAt, witnessHead }] of chains.entries()) {
    refuseFuture(`chains[${index}].witnessHead.issuedAt`, witnessHead.issuedAt);
    refuseExpired(`chains[${index}].expiresAt`, expiresAt, timeOf(expiresAt), made);
  }
  for (const [index, { expiresAt }] of routes.entries())
    refuseExpired(`routes[${index}].expiresAt`, expiresAt, timeOf(expiresAt), made);
  for (const [index, { revokedAt }] of revocations.entries())
    refuseFuture(`revocations[${index}].revokedAt`, revokedAt);
}

/** `readBundle` has checked that the text is a time. */
function timeOf(text: string): number {
  return parseTime(text) as number;
}

// Literals: lookups print these records, and objects made by rest patterns are slower to print.
function chainRecord(chain: ChainEnvelope, signatureDigest: string): FederationChain {
  const { chainId, index, ingressEndpoints, witnessHead, capabilities, expiresAt, signatures } = chain;
  const { witnessId, head, epoch, issuedAt, issuer, digest } = witnessHead;
  return freeze({
    id: chainId,
    chainId,
    index,
    ingressEndpoints,
    witnessHead: { witnessId, head, epoch, issuedAt, issuer, digest },
    capabilities,
    expiresAt,
    signatureIssuer: firstIssuer(signatures),
    signatureDigest,
  });
}

function routeRecord(route: RouteEnvelope, signatureDigest: string): FederationRoute {
  const { epoch, fromChainId, toChainId, digest, expiresAt, hops, signatures } = route;
  return freeze({
    epoch,
    fromChainId,
    toChainId,
    digest,
    expiresAt,
    signatureIssuer: firstIssuer(signatures),
    signatureDigest,
    hops,
  });
}

function snapshotRecord(snapshot: SnapshotEnvelope): FederationSnapshot {
  const { epoch, generatedAt, index, digest, mirrors, recordCount, revocationCount, signatures } = snapshot;
  return freeze({
    epoch,
    generatedAt,
    index,
    digest,
    mirrorCount: mirrors.length,
    recordCount,
    revocationCount,
    signer: firstIssuer(signatures),
  });
}

/** `readBundle` has checked that there is at least one. */
function firstIssuer(signatures: readonly BundleSignature[]): string {
  return (signatures[0] as BundleSignature).issuer;
}

/** Freezes a record deeply: resolvers receive it, and must not change what was verified. */
function freeze<T extends object>(record: T): T {
  for (const name in record) {
    const value: unknown = record[name];
    if (typeof value === 'object') freeze(value as object);
  }
  return Object.freeze(record);
}
