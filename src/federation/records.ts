/** Where a chain takes requests in. */
export interface FederationIngressEndpoint {
  /** `https`, `wss`, … */
  readonly transport: string;
  readonly url: string;
  /** The lower, the sooner it is tried. */
  readonly priority: number;
  readonly region: string;
}

/** What a witness says that the head of a chain is. */
export interface FederationWitnessHead {
  readonly witnessId: string;
  /** The head of the chain, as the chain writes it. */
  readonly head: string;
  readonly epoch: number;
  /** RFC 3339, UTC, with a final `Z`; so are all times here. */
  readonly issuedAt: string;
  /** `name#` and 16 hexadecimal digits: an identifier, no ground for trust. */
  readonly issuer: string;
  /** `sha256:` and 64 hexadecimal digits; so are all digests here. */
  readonly digest: string;
}

/** One chain on the way of a route; the first is where it begins, the last where it ends. */
export interface FederationRouteHop {
  /** The place on the way, from 0. */
  readonly index: number;
  readonly chainId: string;
  readonly endpoint: string;
  /** The digest of the witness head of the chain. */
  readonly witnessDigest: string;
}

/** The proof that a route goes along these hops, in this order, and along no others. */
export interface FederationPathProof {
  /** `gg-hopchain-sha256-v1` */
  readonly scheme: string;
  readonly seed: string;
  readonly hopDigests: readonly string[];
  readonly terminalDigest: string;
}

/** A way from one chain to another. */
export interface FederationRoute {
  readonly epoch: number;
  readonly fromChainId: string;
  readonly toChainId: string;
  readonly digest: string;
  readonly expiresAt: string;
  readonly signatureIssuer: string;
  readonly signatureDigest: string;
  readonly hops: readonly FederationRouteHop[];
}

/** A chain of the federation. */
export interface FederationChain {
  /** The same as `chainId`. */
  readonly id: string;
  readonly chainId: string;
  /** The place of its record in the index, from 0. */
  readonly index: number;
  readonly ingressEndpoints: readonly FederationIngressEndpoint[];
  readonly witnessHead: FederationWitnessHead;
  readonly capabilities: readonly string[];
  readonly expiresAt: string;
  readonly signatureIssuer: string;
  readonly signatureDigest: string;
}

/** A route with what is needed to take it. */
export interface FederationLookup {
  readonly destination: FederationChain;
  readonly witness: FederationWitnessHead;
  readonly pathProof: FederationPathProof;
  readonly route: FederationRoute;
  /** When the first part of it expires. */
  readonly expiresAt: string;
}

/** What is known of a state of the index. */
export interface FederationSnapshot {
  readonly epoch: number;
  readonly generatedAt: string;
  readonly index: number;
  /** The Merkle root over header, records and revocations. */
  readonly digest: string;
  readonly mirrorCount: number;
  readonly recordCount: number;
  readonly revocationCount: number;
  readonly signer: string;
}
