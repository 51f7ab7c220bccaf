import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';
import type { FederationBundle, RevocationEnvelope } from './bundle.js';

/** The key of a revocation in sets: its kind and its subject. */
export function revocationKey({ kind, subject }: Pick<RevocationEnvelope, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}

/**
 * Finds a revoked part of a bundle: a key that signed anything in it, a chain, a route, a hop over a revoked chain, or a
 * witness head (GG6019). Undefined if nothing is revoked.
 *
 * @param known - The revocations in force, by {@link revocationKey}: those of this bundle and of all before it.
 */
export function findRevoked(
  bundle: FederationBundle,
  known: ReadonlySet<string>,
  name: string,
): Diagnostic | undefined {
  if (known.size === 0) return undefined;
  for (const [at, kind, subject] of restsOn(bundle)) {
    if (!known.has(revocationKey({ kind, subject }))) continue;
    const what = kind === 'witness' ? 'the witness head' : kind === 'issuer' ? 'the key' : `the ${kind}`;
    const span = wholeFile(name);
    return diagnose('GG6019', { at, subject: `${what} ${subject}` }, span);
  }
  return undefined;
}

/** Everything in a bundle that can be revoked: its place, and the kind and subject of its revocation. */
function* restsOn(bundle: FederationBundle): Generator<[string, RevocationEnvelope['kind'], string]> {
  const { snapshot, chains, routes, revocations } = bundle;
  for (const { issuer } of snapshot.signatures) yield ['snapshot', 'issuer', issuer];
  for (const [index, chain] of chains.entries()) {
    const at = `chains[${index}]`;
    yield [at, 'chain', chain.chainId];
    for (const { issuer } of chain.signatures) yield [at, 'issuer', issuer];
    yield [`${at}.witnessHead`, 'witness', chain.witnessHead.digest];
    yield [`${at}.witnessHead`, 'issuer', chain.witnessHead.issuer];
  }
  for (const [index, route] of routes.entries()) {
    const at = `routes[${index}]`;
    yield [at, 'route', route.digest];
    for (const { issuer } of route.signatures) yield [at, 'issuer', issuer];
    for (const [hop, { chainId, witnessDigest }] of route.hops.entries()) {
      yield [`${at}.hops[${hop}]`, 'chain', chainId];
      yield [`${at}.hops[${hop}]`, 'witness', witnessDigest];
    }
  }
  for (const [index, { signatures }] of revocations.entries()) {
    for (const { issuer } of signatures) yield [`revocations[${index}]`, 'issuer', issuer];
  }
}
