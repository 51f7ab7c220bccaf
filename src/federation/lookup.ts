import type { Sha256 } from './encoding.js';
import { misplacedHop, proveRoute, routeDigest } from './path-proof.js';
import type { FederationLookup, FederationPathProof, FederationRoute, FederationWitnessHead } from './records.js';
import type { FederationProjectionSource } from './source.js';
import { formatTime, parseTime } from './time.js';

/** The clock and the cryptography of the layer. */
export interface FederationEnvironment {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: Sha256;
}

/** The default validity of a witness head, in seconds: one day. */
export const defaultWitnessFreshness = 86_400;

/**
 * The two-step lookup: first the route, then the destination with its witness and the path proof. Undefined unless
 * the route is admissible: it leads from `from` to `to` and its digest recomputes; route, destination and witness have
 * not expired; the source knows the witness of every hop by the digest in the route, and it is fresh.
 */
export async function lookUp(
  source: FederationProjectionSource,
  from: string,
  to: string,
  { now, sha256 }: FederationEnvironment,
): Promise<FederationLookup | undefined> {
  const route = await source.route(from, to);
  if (!route || route.fromChainId !== from || route.toChainId !== to) return undefined;
  const [destination, witness] = await Promise.all([source.chain(to), source.witnessHead(to)]);
  if (!destination || !witness || destination.witnessHead.digest !== witness.digest) return undefined;

  const time = now();
  const expiries = [parseTime(route.expiresAt) ?? 0, parseTime(destination.expiresAt) ?? 0];
  for (const hop of route.hops) {
    const head = await source.witnessHead(hop.chainId);
    if (!head || head.digest !== hop.witnessDigest) return undefined;
    expiries.push(expiryOf(source, head));
  }
  const expiry = Math.min(...expiries);
  if (expiry <= time) return undefined;

  const pathProof = proofOf(sha256, route);
  if (pathProof === undefined) return undefined;
  return { destination, witness, pathProof, route, expiresAt: formatTime(expiry) };
}

/** The proofs of frozen routes: each is computed once, and freed with its route. */
const proofs = new WeakMap<FederationRoute, FederationPathProof>();

function proofOf(sha256: Sha256, route: FederationRoute): FederationPathProof | undefined {
  const known = proofs.get(route);
  if (known !== undefined) return known;
  if (misplacedHop(route) !== undefined || routeDigest(sha256, route) !== route.digest) return undefined;
  const proof = proveRoute(sha256, route);
  if (Object.isFrozen(route) && Object.isFrozen(route.hops) && route.hops.every(Object.isFrozen))
    proofs.set(route, proof);
  return proof;
}

/** The expiry of a witness head, in milliseconds since 1970; 0 if its time is invalid. */
export function expiryOf(source: FederationProjectionSource, { issuedAt }: FederationWitnessHead): number {
  const issued = parseTime(issuedAt);
  if (issued === undefined) return 0;
  return issued + (source.witnessFreshness ?? defaultWitnessFreshness) * 1000;
}
