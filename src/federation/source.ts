import type {
  FederationChain,
  FederationRoute,
  FederationSnapshot,
  FederationWitnessHead,
} from './records.js';

/** A value, null or undefined where there is none, or a promise of either. */
export type FederationAnswer<T> = T | null | undefined | Promise<T | null | undefined>;

/**
 * Where federation records come from. A source answers from what it knows and trusts: what it gives was
 * verified, and is not revoked. Whether it has expired, and whether a route is admissible, is for the layer to
 * say, at each request.
 */
export interface FederationProjectionSource {
  /** The record of a chain. */
  chain(chainId: string): FederationAnswer<FederationChain>;
  /** The route from one chain to another. */
  route(fromChainId: string, toChainId: string): FederationAnswer<FederationRoute>;
  /** What a witness last said of a chain. */
  witnessHead(chainId: string): FederationAnswer<FederationWitnessHead>;
  /** The state of the index at an epoch; the latest when none is given. */
  snapshot(epoch?: number): FederationAnswer<FederationSnapshot>;
  /** For how many seconds after its `issuedAt` a witness head counts. A day unless given. */
  readonly witnessFreshness?: number;
  /** Whether it can answer now, for `/health/ready`. A source without this is always up. */
  status?(): FederationSourceStatus;
  /** The signed records themselves, for `GET /federation/bundle`; undefined where there are none. */
  bundle?(): Uint8Array | undefined;
}

/** How a source does, as `/health/ready` shows it. */
export interface FederationSourceStatus {
  /** Whether it answers. While it is false, `/health/ready` answers 503. */
  readonly ready: boolean;
  /** `current`; `stale` when what it has is too old to be answered. */
  readonly state: 'current' | 'stale';
  /** The epoch of what it has. */
  readonly epoch: number;
  readonly generatedAt: string;
  /** The chains that are not answered any more because two histories of them were signed. */
  readonly quarantined: readonly string[];
  /** Why the last bundle that came was refused, as `GGnnnn message`; null when it was not. */
  readonly refused: string | null;
}
