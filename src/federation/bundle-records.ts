import type { FederationHistory } from './history.js';
import type { FederationProjectionSource } from './source.js';
import { routeKey, type VerifiedRecords } from './verify-bundle.js';

/** A verified bundle, and the history up to it. */
export interface BundleState {
  readonly records: VerifiedRecords;
  readonly history: FederationHistory;
}

/**
 * The lookups of a source over verified bundles. Each call uses the current state.
 *
 * @param current - Returns the state; undefined while it must not be served, for instance because it is stale.
 */
export function answerFrom(
  current: () => BundleState | undefined,
): Pick<FederationProjectionSource, 'chain' | 'route' | 'witnessHead' | 'snapshot'> {
  const chainOf = (chainId: string) => {
    const state = current();
    return state?.history.quarantined.has(chainId) ? undefined : state?.records.chains.get(chainId);
  };
  return {
    chain: chainOf,
    route: (from, to) => current()?.records.routes.get(routeKey(from, to)),
    // A quarantined chain has no witness, so no route over it is admissible.
    witnessHead: (chainId) => chainOf(chainId)?.witnessHead,
    snapshot: (epoch) => {
      const state = current();
      return epoch === undefined ? state?.records.snapshot : state?.history.snapshots.get(epoch);
    },
  };
}
