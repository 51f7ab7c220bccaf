import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { checkProof, misfitOfRoute } from '../check-proof.js';
import { proveRoute } from '../path-proof.js';
import type { FederationPathProof, FederationRoute } from '../records.js';
import { sha256 } from './node-crypto.js';

/**
 * Makes the path proof of a route (`gg-hopchain-sha256-v1`). It rests on the digest that the route has; whether
 * that is the right one, `verifyPathProof` says.
 *
 * @throws {TypeError} When what is given is no route.
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

/** What came of verifying a path proof. */
export type PathProofVerification =
  | { readonly ok: true }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Verifies a path proof with nothing but what `federationLookup` answers: the hops lead from the one chain to the
 * other, the route has the digest that it claims, and the proof is the one of this route. It says nothing of
 * signatures and of expiry. It never throws.
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
  const problem = checkProof(sha256, route, proof, 'lookup');
  return problem === undefined ? { ok: true } : { ok: false, diagnostics: [problem] };
}
