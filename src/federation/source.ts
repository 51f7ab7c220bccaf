import type { FederationChain, FederationRoute, FederationSnapshot, FederationWitnessHead } from './records.js';

/** A record, null or undefined if there is none, or a promise of either. */
export type FederationAnswer<T> = T | null | undefined | Promise<T | null | undefined>;

/** A source of verified, unrevoked records. The layer checks expiry and admissibility at each request. */
export interface FederationProjectionSource {
  /** The record of a chain. */
  chain(chainId: string): FederationAnswer<FederationChain>;
  /** The route from one chain to another. */
  route(fromChainId: string, toChainId: string): FederationAnswer<FederationRoute>;
  /** The latest witness head of a chain. */
  witnessHead(chainId: string): FederationAnswer<FederationWitnessHead>;
  /** The snapshot of an epoch; the latest if no epoch is given. */
  snapshot(epoch?: number): FederationAnswer<FederationSnapshot>;
  /** For how many seconds after its `issuedAt` a witness head is fresh. Default: one day. */
  readonly witnessFreshness?: number;
  /** The state for `/health/ready`. A source without this method is always ready. */
  status?(): FederationSourceStatus;
  /** The signed bundle for `GET /federation/bundle`; undefined if there is none. */
  bundle?(): Uint8Array | undefined;
}

/** The state of a source, as `/health/ready` shows it. */
export interface FederationSourceStatus {
  /** Whether it can answer. While false, `/health/ready` answers 503. */
  readonly ready: boolean;
  /** `stale` if its records are too old to be answered, else `current`. */
  readonly state: 'current' | 'stale';
  /** The epoch of its records. */
  readonly epoch: number;
  readonly generatedAt: string;
  /** The chains it no longer answers, because two different heads of one epoch were signed. */
  readonly quarantined: readonly string[];
  /** The reason why the last bundle was rejected, as `GGnnnn message`; null if it was accepted. */
  readonly refused: string | null;
}
