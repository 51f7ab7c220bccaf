/**
 * `gg-svc/federation`: signed bundles as a source of federation records, and the checks that a client runs
 * itself. `buildFederationProjectionLayer` and its types are in `gg-svc`.
 *
 * @module federation
 */

export type { FederationRole } from './federation/bundle.js';
export type { FederationQueries } from './federation/layer.js';
export {
  type FederationBundleOptions,
  type FederationBundleSource,
  FederationError,
  openFederationBundle,
} from './federation/node/bundle-source.js';
export {
  type FederationVerification,
  type VerifyOptions,
  verifyFederationBundle,
} from './federation/node/verify-federation-bundle.js';
export {
  buildPathProof,
  type PathProofVerification,
  verifyPathProof,
} from './federation/node/verify-path-proof.js';
export type {
  FederationChain,
  FederationIngressEndpoint,
  FederationLookup,
  FederationPathProof,
  FederationRoute,
  FederationRouteHop,
  FederationSnapshot,
  FederationWitnessHead,
} from './federation/records.js';
export type { FederationAnswer, FederationSourceStatus } from './federation/source.js';
export type { FederationTrustPolicy, RoleTrust } from './federation/trust-policy.js';
