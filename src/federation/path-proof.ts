import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { canonicalJson, concatenate, digestOf, formatDigest, parseDigest, type Sha256 } from './encoding.js';
import type { FederationPathProof, FederationRoute, FederationRouteHop } from './records.js';

/** What of a route its digest covers: all but the digest itself and what is said of signatures. */
export type RouteContent = Pick<
  FederationRoute,
  'epoch' | 'fromChainId' | 'toChainId' | 'expiresAt' | 'hops'
>;

/** The one scheme that there is. */
export const pathProofScheme = 'gg-hopchain-sha256-v1';

const utf8 = new TextEncoder();
const hopTag = utf8.encode('gg-hop/v1\n');
const endTag = utf8.encode('gg-end/v1\n');

/** What of a route is signed, member by member, so that nothing else a caller's object holds comes in. */
export function routeContent({ epoch, fromChainId, toChainId, expiresAt, hops }: RouteContent): RouteContent {
  return { epoch, fromChainId, toChainId, expiresAt, hops: hops.map(hopContent) };
}

/** The digest of a route. */
export function routeDigest(sha256: Sha256, route: RouteContent): string {
  return digestOf(sha256, 'route', routeContent(route));
}

/**
 * Makes the proof of a route. The seed binds its epoch, its ends and its digest; from there on each digest
 * takes in the one before it and a hop, and the last one the number of hops, so that none can be left out,
 * moved, or added.
 */
export function proveRoute(sha256: Sha256, route: FederationRoute): FederationPathProof {
  const { epoch, fromChainId, toChainId, digest } = route;
  const seed = digestOf(sha256, 'path-seed', { epoch, fromChainId, routeDigest: digest, toChainId });
  const hopDigests: string[] = [];
  let last = parseDigest(seed);
  for (const hop of route.hops) {
    last = sha256(concatenate(hopTag, last, utf8.encode(canonicalJson(hopContent(hop)))));
    hopDigests.push(formatDigest(last));
  }
  const terminal = sha256(concatenate(endTag, bigEndian32(route.hops.length), last));
  return { scheme: pathProofScheme, seed, hopDigests, terminalDigest: formatDigest(terminal) };
}

/**
 * Holds a proof against its route: the route goes from its first chain to its last (GG6022), has the digest that
 * it claims (GG6018), and the proof is the one that the route makes (GG6029). The first thing that is wrong is
 * told, undefined when nothing is.
 *
 * @param name - What the finding calls its place.
 */
export function checkRoute(
  sha256: Sha256,
  route: FederationRoute,
  proof: FederationPathProof,
  name: string,
): Diagnostic | undefined {
  const span = { file: name, start: 0, end: 0 };
  const misplaced = misplacedHop(route);
  if (misplaced !== undefined) return diagnose('GG6022', { at: 'route', expected: misplaced }, span);
  if (routeDigest(sha256, route) !== route.digest) return diagnose('GG6018', { at: 'route.digest' }, span);
  const expected = proveRoute(sha256, route);
  const differing = (at: string) => diagnose('GG6029', { at }, span);
  if (proof.scheme !== expected.scheme) return differing('scheme');
  if (proof.seed !== expected.seed) return differing('seed');
  const length = Math.max(proof.hopDigests.length, expected.hopDigests.length);
  for (let at = 0; at < length; at++) {
    if (proof.hopDigests[at] !== expected.hopDigests[at]) return differing(`hopDigests[${at}]`);
  }
  return proof.terminalDigest === expected.terminalDigest ? undefined : differing('terminalDigest');
}

/** What is wrong with where the hops of a route are; undefined when they lead from its one end to the other. */
export function misplacedHop({ fromChainId, toChainId, hops }: RouteContent): string | undefined {
  const wrong = hops.findIndex((hop, at) => hop.index !== at);
  if (wrong !== -1) return `index ${wrong} at hops[${wrong}]`;
  if (hops.length < 2) return 'two hops or more, its ends among them';
  if (hops[0]?.chainId !== fromChainId) return `${fromChainId} at hops[0]`;
  if (hops.at(-1)?.chainId !== toChainId) return `${toChainId} at hops[${hops.length - 1}]`;
  return undefined;
}

function hopContent({ index, chainId, endpoint, witnessDigest }: FederationRouteHop): FederationRouteHop {
  return { index, chainId, endpoint, witnessDigest };
}

function bigEndian32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}
