import type { FederationBundle, RevocationEnvelope } from './bundle.js';
import { refusal } from './refusal.js';

/** The key of a revocation in sets: its kind and its subject. */
export function revocationKey({ kind, subject }: Pick<RevocationEnvelope, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}

/**
 * Refuses a bundle with a revoked part: a key that signed anything in it, a chain, a route, a hop over a revoked chain, or
 * a witness head (GG6019).
 *
 * @param known - The revocations in force, by {@link revocationKey}: those of this bundle and of all before it.
 */
export function refuseRevoked(bundle: FederationBundle, known: ReadonlySet<string>, name: string): void {
  if (known.size === 0) return;
  for (const [at, kind, subject] of restsOn(bundle)) {
    if (!known.has(revocationKey({ kind, subject }))) continue;
    const what = kind === 'witness' ? 'the witness head' : kind === 'issuer' ? 'the key' : `the ${kind}`;
    throw refusal('GG6019', { at, subject: `${what} ${subject}` }, name);
  }
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
