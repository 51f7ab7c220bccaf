import { bundleLimits, type FederationBundle, misfitOfBundle } from './bundle.js';
import { canonicalJson, isOrdered } from './encoding.js';
import { misplacedHop } from './path-proof.js';
import { refusal } from './refusal.js';
import { readJson, refuseAmbiguity } from './strict-json.js';

/** The canonical forms of the records of a bundle, in their order. */
export interface Envelopes {
  readonly chains: readonly string[];
  readonly revocations: readonly string[];
  readonly routes: readonly string[];
}

/**
 * Parses a bundle, of which nothing is trusted yet. The whole bundle is rejected if it is too large (GG6001), not strict JSON (GG6002–GG6005), not
 * canonical (GG6006), of the wrong shape (GG6007), miscounted (GG6016) or out of order (GG6015), or if the hops of a
 * route do not connect its ends (GG6022).
 */
export function readBundle(bytes: Uint8Array, name: string) {
  checkSize('bytes', bytes.length, bundleLimits.bytes, name);
  const { value, text } = readJson(bytes, name);
  try {
    return readWellMade(value, text, name);
  } catch (error) {
    // A duplicate key or an unsafe number may be the cause, and is the more helpful finding.
    refuseAmbiguity(text, name);
    throw error;
  }
}

function readWellMade(value: unknown, text: string, name: string) {
  const { chains = 0, routes = 0, revocations = 0 } = sizesOf(value);
  checkSize('records', chains + routes, bundleLimits.records, name);
  checkSize('revocations', revocations, bundleLimits.records, name);
  const misfit = misfitOfBundle(value);
  if (misfit !== undefined) {
    const at = misfit.path.slice(1) || 'the bundle';
    throw refusal('GG6007', { at, expected: misfit.expected }, name);
  }

  const bundle = value as FederationBundle;
  const { envelopes, offset } = cutEnvelopes(text, bundle);
  if (offset !== -1) throw refusal('GG6006', { offset }, name);
  checkCounts(bundle, name);
  checkOrder(bundle, name);
  for (const [at, route] of bundle.routes.entries()) {
    const expected = misplacedHop(route);
    if (expected !== undefined) throw refusal('GG6022', { at: `routes[${at}]`, expected }, name);
  }
  return { bundle, envelopes };
}

function checkSize(what: string, size: number, limit: number, name: string): void {
  if (size > limit) throw refusal('GG6001', { what, size, limit }, name);
}

function sizesOf(value: unknown): { [list: string]: number } {
  const lists = Object.entries(value ?? {}).filter(([, member]) => Array.isArray(member));
  return Object.fromEntries(lists.map(([member, items]) => [member, (items as unknown[]).length]));
}

function checkCounts({ snapshot, chains, routes, revocations }: FederationBundle, name: string): void {
  const check = (what: string, claimed: number, found: number): void => {
    if (claimed !== found) throw refusal('GG6016', { what, claimed, found }, name);
  };
  check('records', snapshot.recordCount, chains.length + routes.length);
  check('revocations', snapshot.revocationCount, revocations.length);
}

/** Every list is in strictly ascending order, so that an index has one spelling and no duplicates. */
function checkOrder({ chains, routes, revocations, snapshot }: FederationBundle, name: string): void {
  const outOf = (at: string, order: string): Error => refusal('GG6015', { at, order }, name);
  const misnumbered = chains.findIndex(({ index }, at) => index !== at);
  if (misnumbered !== -1) throw outOf(`chains[${misnumbered}].index`, 'chains are numbered from 0');
  const check = <Name extends string>(list: Records<Name>, by: readonly Name[], ...place: string[]): void => {
    const first = firstDisorder(list, by);
    if (first === -1) return;
    const order = `${place.at(-1)} must be sorted by ${by.join(' and ')}, without duplicates`;
    throw outOf(`${place.join('.')}[${first}]`, order);
  };
  check(chains, ['chainId'], 'chains');
  check(routes, ['fromChainId', 'toChainId'], 'routes');
  check(revocations, ['kind', 'subject'], 'revocations');
  check(snapshot.signatures, byIssuer, 'snapshot', 'signatures');
  for (const [list, records] of Object.entries({ chains, routes, revocations }))
    for (const [at, { signatures }] of records.entries()) check(signatures, byIssuer, `${list}[${at}]`, 'signatures');
}

const byIssuer = ['issuer'] as const;

type Records<Name extends string> = readonly Readonly<Record<Name, string>>[];

/** The first record that does not come after its predecessor in the order of some members; -1 if all do. */
function firstDisorder<Name extends string>(list: Records<Name>, by: readonly Name[]): number {
  return list.findIndex((item, at) => {
    const before = list[at - 1];
    if (before === undefined) return false;
    const differing = by.find((name) => before[name] !== item[name]);
    return differing === undefined || item[differing] < before[differing];
  });
}

/**
 * Compares a text with its canonical form and cuts out its records, one by one to save memory.
 *
 * @returns The text of each record, and the offset of the first deviation; -1 if there is none.
 */
function cutEnvelopes(text: string, bundle: FederationBundle): { envelopes: Envelopes; offset: number } {
  // Sorting the names is costly.
  const write: (value: unknown) => string = isOrdered(bundle) ? JSON.stringify : canonicalJson;
  let at = 0;
  let offset = -1;
  const pass = (part: string): string => {
    const found = text.slice(at, at + part.length);
    if (offset === -1 && found !== part) offset = at + firstDifference(found, part);
    at += part.length;
    return found;
  };
  const cut = (start: string, records: readonly unknown[]): string[] => {
    pass(start);
    return records.map((record, index) => {
      if (index > 0) pass(',');
      return pass(write(record));
    });
  };
  const envelopes = {
    chains: cut('{"chains":[', bundle.chains),
    revocations: cut(`],"format":${canonicalJson(bundle.format)},"revocations":[`, bundle.revocations),
    routes: cut('],"routes":[', bundle.routes),
  };
  pass(`],"snapshot":${canonicalJson(bundle.snapshot)}}`);
  // Text after the end, such as the line break that editors append, is a deviation too.
  return { envelopes, offset: offset === -1 && at < text.length ? at : offset };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
