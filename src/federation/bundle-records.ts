import type { FederationHistory } from './history.js';
import type { FederationProjectionSource } from './source.js';
import { routeKey, type VerifiedRecords } from './verify-bundle.js';

/** What a source over a verified bundle answers from. */
export interface BundleState {
  readonly records: VerifiedRecords;
  readonly history: FederationHistory;
}

/**
 * The answers of a source over verified bundles, each from the state of the moment.
 *
 * @param current - The state; undefined while there is nothing that may be answered, as when it is stale.
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
    // A hop over a quarantined chain has no witness, so no route over it is admissible.
    witnessHead: (chainId) => chainOf(chainId)?.witnessHead,
    snapshot: (epoch) => {
      const state = current();
      return epoch === undefined ? state?.records.snapshot : state?.history.snapshots.get(epoch);
    },
  };
}
