import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import { checkProof, misfitOfRoute, proveRoute } from '../path-proof.js';
import type { FederationPathProof, FederationRoute } from '../records.js';
import { refusedBy } from '../refusal.js';
import { sha256 } from './node-crypto.js';

/**
 * Makes the path proof of a route (`gg-hopchain-sha256-v1`). It takes the digest of the route as it is; use
 * `verifyPathProof` to check that digest.
 *
 * @throws {TypeError} If the value is not a route.
 *
 * @example
 * ```ts
 * import { buildPathProof, type FederationRoute } from 'gg-svc/federation';
 *
 * declare const route: FederationRoute;
 * console.log(buildPathProof(route).terminalDigest);
 * ```
 */
export function buildPathProof(route: FederationRoute): FederationPathProof {
  const misfit = misfitOfRoute(route);
  if (misfit !== undefined) throw new TypeError(`${misfit.path} must be ${misfit.expected}.`);
  return proveRoute(sha256, route);
}

/** The result of verifying a path proof. */
export type PathProofVerification =
  | { readonly ok: true }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Verifies a path proof with the answer of `federationLookup` alone: the hops connect both ends of the route, and the
 * digest of the route and the proof recompute. It checks neither signatures nor expiry. It never throws.
 *
 * @example
 * ```ts
 * import { type FederationLookup, verifyPathProof } from 'gg-svc/federation';
 *
 * declare const lookup: FederationLookup;
 * const result = verifyPathProof(lookup.route, lookup.pathProof);
 * if (!result.ok) console.error(result.diagnostics[0]?.message);
 * ```
 */
export function verifyPathProof(route: FederationRoute, proof: FederationPathProof): PathProofVerification {
  try {
    checkProof(sha256, route, proof, 'lookup');
    return { ok: true };
  } catch (error) {
    return { ok: false, diagnostics: [refusedBy(error).problem] };
  }
}
