import { bundleLimits, federationShapes } from './bundle.js';
import { canonicalJson, digestOf, formatDigest, parseDigest, type Sha256 } from './encoding.js';
import type { FederationPathProof, FederationRoute, FederationRouteHop } from './records.js';
import { refusal } from './refusal.js';
import { checkerOf, list, type Misfit, object, textWhere } from './shape.js';

/** The members of a route that its digest covers: all except the digest itself and those about signatures. */
export type RouteContent = Pick<FederationRoute, 'epoch' | 'fromChainId' | 'toChainId' | 'expiresAt' | 'hops'>;

const pathProofScheme = 'gg-hopchain-sha256-v1';

const hopTag = Buffer.from('gg-hop/v1\n');
const endTag = Buffer.from('gg-end/v1\n');

const { count, digest, id, time, url } = federationShapes;
const hopShape = { index: count, chainId: id, endpoint: url, witnessDigest: digest };
const routeMembers = { epoch: count, fromChainId: id, toChainId: id, digest, expiresAt: time };
const misfitOfProof = checkerOf(
  object({
    scheme: textWhere(() => true, 'a string'),
    seed: digest,
    hopDigests: list(digest, 0, bundleLimits.items),
    terminalDigest: digest,
  }),
);

/** The digest of a route. Its signed content is copied member by member: callers' objects may have more members. */
export function routeDigest(sha256: Sha256, { epoch, fromChainId, toChainId, expiresAt, hops }: RouteContent): string {
  return digestOf(sha256, 'route', { epoch, fromChainId, toChainId, expiresAt, hops: hops.map(hopContent) });
}

/**
 * Makes the path proof of a route. The seed binds the epoch, both ends and the digest of the route. Each hop digest
 * covers the one before it and its hop, and the terminal digest covers the number of hops, so that no hop can be
 * removed, moved or added.
 */
export function proveRoute(sha256: Sha256, route: FederationRoute): FederationPathProof {
  const { epoch, fromChainId, toChainId, digest } = route;
  const seed = digestOf(sha256, 'path-seed', { epoch, fromChainId, routeDigest: digest, toChainId });
  const hopDigests: string[] = [];
  let last = parseDigest(seed);
  for (const hop of route.hops) {
    last = sha256(Buffer.concat([hopTag, last, Buffer.from(canonicalJson(hopContent(hop)))]));
    hopDigests.push(formatDigest(last));
  }
  const terminal = sha256(Buffer.concat([endTag, bigEndian32(route.hops.length), last]));
  return { scheme: pathProofScheme, seed, hopDigests, terminalDigest: formatDigest(terminal) };
}

/**
 * Refuses a proof that does not fit its route. Both have their shape (GG6007), and may have more members, such as
 * `__typename`; the hops lead from the first chain to the last (GG6022), the digest of the route recomputes (GG6018), and
 * so does the proof (GG6029).
 */
export function checkProof(sha256: Sha256, route: FederationRoute, proof: FederationPathProof, name: string): void {
  const misfit = misfitOfRoute(route) ?? within('pathProof', misfitOfProof(pick(proof, proofMembers)));
  if (misfit !== undefined) throw refusal('GG6007', { at: misfit.path, expected: misfit.expected }, name);
  const misplaced = misplacedHop(route);
  if (misplaced !== undefined) throw refusal('GG6022', { at: 'route', expected: misplaced }, name);
  if (routeDigest(sha256, route) !== route.digest) throw refusal('GG6018', { at: 'route.digest' }, name);
  const expected = proveRoute(sha256, route);
  const compare = (at: string, found: string | undefined, wanted: string | undefined): void => {
    if (found !== wanted) throw refusal('GG6029', { at }, name);
  };
  compare('scheme', proof.scheme, expected.scheme);
  compare('seed', proof.seed, expected.seed);
  const length = Math.max(proof.hopDigests.length, expected.hopDigests.length);
  for (let at = 0; at < length; at++) compare(`hopDigests[${at}]`, proof.hopDigests[at], expected.hopDigests[at]);
  compare('terminalDigest', proof.terminalDigest, expected.terminalDigest);
}

/** The reason why a value is not a valid route for a proof; undefined if it is one. */
export function misfitOfRoute(route: unknown): Misfit | undefined {
  const content = pick(route, [...Object.keys(routeMembers), 'hops']) as { hops?: unknown };
  if (Array.isArray(content.hops)) content.hops = content.hops.map((hop) => pick(hop, Object.keys(hopShape)));
  return within('route', misfitOfContent(content));
}

const misfitOfContent = checkerOf(object({ ...routeMembers, hops: list(object(hopShape), 1, bundleLimits.items) }));

const proofMembers = ['scheme', 'seed', 'hopDigests', 'terminalDigest'];

function pick(value: unknown, members: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => members.includes(name)));
}

function within(root: string, misfit: Misfit | undefined): Misfit | undefined {
  return misfit === undefined ? undefined : { ...misfit, path: `${root}${misfit.path}` };
}

/** The expected value if the hops of a route are wrong; undefined if they lead from `fromChainId` to `toChainId`. */
export function misplacedHop({ fromChainId, toChainId, hops }: RouteContent): string | undefined {
  const wrong = hops.findIndex((hop, at) => hop.index !== at);
  if (wrong !== -1) return `index ${wrong} at hops[${wrong}]`;
  if (hops.length < 2) return 'two hops or more, both ends included';
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
