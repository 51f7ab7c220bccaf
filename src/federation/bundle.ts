import { checkerOf, integer, list, object, oneOf, text, textWhere, type ValueOf } from './shape.js';
import { parseTime } from './time.js';

/** The kinds of records that keys sign. */
export const federationRoles: readonly FederationRole[] = ['snapshot', 'chain', 'witness', 'route', 'revocation'];

/** A kind of record that a key may sign. */
export type FederationRole = 'snapshot' | 'chain' | 'witness' | 'route' | 'revocation';

export const bundleLimits = {
  /** Bytes. */
  bytes: 64 * 1024 * 1024,
  /** Chains and routes together, and separately revocations. */
  records: 100_000,
  /** Hops of a route, endpoints and capabilities of a chain, mirrors, signatures. */
  items: 64,
} as const;

/**
 * Everything that can be revoked: a key (by its issuer), a chain (by its id), a route or a witness head (by its
 * digest).
 */
export const revocationKinds = ['chain', 'issuer', 'route', 'witness'] as const;

/** The value of the member `format`: readers check it first. */
export const bundleFormat = 'gg-federation-bundle/v1';

// Resolvers return these numbers as a GraphQL Int, a signed 32-bit integer.
const count = integer(0, 2_147_483_647);
const line = text(/^[^\p{Cc}\p{Cs}]{1,512}$/u, 'one line of 1 to 512 characters');

/** The shapes that a bundle shares with the unsigned index it is made from. */
export const federationShapes = {
  count,
  line,
  /** The id of a chain, and of a witness. */
  id: text(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'an id: up to 128 letters, digits and . _ : -'),
  /** A short name without spaces. */
  token: text(/^[A-Za-z0-9][A-Za-z0-9._:/+-]{0,127}$/, 'a name: up to 128 letters, digits and . _ : / + -'),
  url: text(/^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/, 'a URL such as https://chain.example'),
  time: textWhere((value) => parseTime(value) !== undefined, 'a time in UTC such as 2026-03-01T12:00:00Z'),
  issuer: text(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}#[0-9a-f]{16}$/, 'an issuer: a name, # and 16 digits of 0-9a-f'),
  digest: text(/^sha256:[0-9a-f]{64}$/, 'a digest: sha256: and 64 digits of 0-9a-f'),
  publicKey: text(/^ed25519:[A-Za-z0-9_-]{43}$/, 'a public key: ed25519: and 43 characters of base64url'),
  privateKey: text(/^ed25519:[A-Za-z0-9_-]{43}$/, 'a private key: ed25519: and 43 characters of base64url'),
};

const { digest, id, issuer, time, token, url } = federationShapes;
const signature = text(/^ed25519:[A-Za-z0-9_-]{86}$/, 'a signature: ed25519: and 86 characters of base64url');
const signatures = list(object({ issuer, signature }), 1, bundleLimits.items);

export const endpointShape = object({ priority: count, region: token, transport: token, url });

/** A chain. Its signatures cover everything except the witness head, which has its own signature. */
const chain = object({
  capabilities: list(token, 0, bundleLimits.items),
  chainId: id,
  expiresAt: time,
  index: count,
  ingressEndpoints: list(endpointShape, 0, bundleLimits.items),
  signatures,
  /** The statement of a witness about the chain. */
  witnessHead: object({
    digest,
    epoch: count,
    head: line,
    issuedAt: time,
    issuer,
    signature,
    witnessId: id,
  }),
});

const route = object({
  digest,
  epoch: count,
  expiresAt: time,
  fromChainId: id,
  hops: list(object({ chainId: id, endpoint: url, index: count, witnessDigest: digest }), 1, bundleLimits.items),
  signatures,
  toChainId: id,
});

const revocation = object({
  kind: oneOf(...revocationKinds),
  reason: line,
  revokedAt: time,
  signatures,
  subject: line,
});

/** The header. Its digest is the Merkle root over the whole bundle. */
const snapshot = object({
  digest,
  epoch: count,
  generatedAt: time,
  index: count,
  /** URLs that serve the same bundle. */
  mirrors: list(url, 0, bundleLimits.items),
  recordCount: count,
  revocationCount: count,
  signatures,
});

/** A bundle in its file: the signed header, and every record in its envelope. */
const bundle = object({
  chains: list(chain, 0, bundleLimits.records),
  format: oneOf(bundleFormat),
  revocations: list(revocation, 0, bundleLimits.records),
  routes: list(route, 0, bundleLimits.records),
  snapshot,
});

export type BundleSignature = ValueOf<typeof signatures>[number];
export type ChainEnvelope = ValueOf<typeof chain>;
export type RouteEnvelope = ValueOf<typeof route>;
export type RevocationEnvelope = ValueOf<typeof revocation>;
export type SnapshotEnvelope = ValueOf<typeof snapshot>;
export type FederationBundle = ValueOf<typeof bundle>;

export const misfitOfBundle = checkerOf(bundle);
