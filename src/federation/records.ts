/** An endpoint at which a chain accepts requests. */
export interface FederationIngressEndpoint {
  /** `https`, `wss`, … */
  readonly transport: string;
  readonly url: string;
  /** Lower values are tried first. */
  readonly priority: number;
  readonly region: string;
}

/** The head of a chain, as a witness saw it. */
export interface FederationWitnessHead {
  readonly witnessId: string;
  /** The head, in the notation of the chain. */
  readonly head: string;
  readonly epoch: number;
  /** RFC 3339 in UTC with a final `Z`, like all times here. */
  readonly issuedAt: string;
  /** `name#` and 16 hexadecimal digits: an identifier, not a basis for trust. */
  readonly issuer: string;
  /** `sha256:` and 64 hexadecimal digits, like all digests here. */
  readonly digest: string;
}

/** One chain of a route, both ends included. */
export interface FederationRouteHop {
  /** The position in the route, from 0. */
  readonly index: number;
  readonly chainId: string;
  readonly endpoint: string;
  /** The digest of the witness head of the chain. */
  readonly witnessDigest: string;
}

/** The proof that a route consists of exactly these hops in this order. */
export interface FederationPathProof {
  /** `gg-hopchain-sha256-v1` */
  readonly scheme: string;
  readonly seed: string;
  readonly hopDigests: readonly string[];
  readonly terminalDigest: string;
}

/** A route from one chain to another. */
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
  /** Equals `chainId`. */
  readonly id: string;
  readonly chainId: string;
  /** The position of its record in the index, from 0. */
  readonly index: number;
  readonly ingressEndpoints: readonly FederationIngressEndpoint[];
  readonly witnessHead: FederationWitnessHead;
  readonly capabilities: readonly string[];
  readonly expiresAt: string;
  readonly signatureIssuer: string;
  readonly signatureDigest: string;
}

/** A route, with the records that a client needs to use it. */
export interface FederationLookup {
  readonly destination: FederationChain;
  readonly witness: FederationWitnessHead;
  readonly pathProof: FederationPathProof;
  readonly route: FederationRoute;
  /** The earliest expiry of its parts. */
  readonly expiresAt: string;
}

/** One state of the index. */
export interface FederationSnapshot {
  readonly epoch: number;
  readonly generatedAt: string;
  readonly index: number;
  /** The Merkle root over the header, all records and all revocations. */
  readonly digest: string;
  readonly mirrorCount: number;
  readonly recordCount: number;
  readonly revocationCount: number;
  readonly signer: string;
}
