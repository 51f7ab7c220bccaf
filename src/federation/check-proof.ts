import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { bundleLimits, federationShapes } from './bundle.js';
import type { Sha256 } from './encoding.js';
import { checkRoute } from './path-proof.js';
import type { FederationPathProof, FederationRoute } from './records.js';
import { list, type Misfit, object, type Shape, text } from './shape.js';

const { count, digest, id, time, url } = federationShapes;
const hopShape = { index: count, chainId: id, endpoint: url, witnessDigest: digest };
const routeMembers = { epoch: count, fromChainId: id, toChainId: id, digest, expiresAt: time };
const proofShape = object({
  scheme: text(/^/, 'a text'),
  seed: digest,
  hopDigests: list(digest, 0, bundleLimits.items),
  terminalDigest: digest,
});

/**
 * Holds a path proof against its route, as `checkRoute` does, whatever is given for them: what is not of the
 * shape of a route or of a proof is told (GG6007). Members that neither has, such as `__typename`, are passed over.
 *
 * @param name - What the finding calls its place.
 */
export function checkProof(
  sha256: Sha256,
  route: unknown,
  proof: unknown,
  name: string,
): Diagnostic | undefined {
  const misfit = misfitOfRoute(route) ?? within('pathProof', proofShape(pick(proof, proofMembers)));
  if (misfit !== undefined) {
    const { path: at, expected } = misfit;
    return diagnose('GG6007', { at, expected }, { file: name, start: 0, end: 0 });
  }
  return checkRoute(sha256, route as FederationRoute, proof as FederationPathProof, name);
}

/** How something is not a route of which a proof can be made; undefined when it is one. */
export function misfitOfRoute(route: unknown): Misfit | undefined {
  const content = pick(route, [...Object.keys(routeMembers), 'hops']) as { hops?: unknown };
  if (Array.isArray(content.hops)) content.hops = content.hops.map((hop) => pick(hop, Object.keys(hopShape)));
  return within('route', routeShape(content));
}

const routeShape: Shape = object({
  ...routeMembers,
  hops: list(object(hopShape), 1, bundleLimits.items),
});

const proofMembers = ['scheme', 'seed', 'hopDigests', 'terminalDigest'];

function pick(value: unknown, members: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => members.includes(name)));
}

function within(root: string, misfit: Misfit | undefined): Misfit | undefined {
  return misfit === undefined ? undefined : { ...misfit, path: `${root}${misfit.path}` };
}
