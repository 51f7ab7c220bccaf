import { type diagnose as Diagnose, type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { bundleLimits, bundleShape, type FederationBundle } from './bundle.js';
import { canonicalJson, isOrdered, orderedJson } from './encoding.js';
import { misplacedHop } from './path-proof.js';
import { findAmbiguity, readJson } from './strict-json.js';

/** A bundle that is well made, or why it is not. Nothing of it is believed yet. */
export type BundleReading =
  | {
      readonly ok: true;
      readonly bundle: FederationBundle;
      /** The canonical form of each chain and each route, in their order, and of each revocation. */
      readonly envelopes: readonly string[];
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Reads a bundle. It is refused as a whole when it is too large (GG6001), no strict JSON (GG6002–GG6005), not in
 * its canonical form (GG6006), of another shape (GG6007), counted wrong (GG6016), out of order (GG6015), or when
 * a route does not lead from its one end to the other (GG6022).
 *
 * @param name - What findings call the bundle.
 */
export function readBundle(bytes: Uint8Array, name: string): BundleReading {
  const span = { file: name, start: 0, end: 0 };
  const { bytes: most } = bundleLimits;
  if (bytes.length > most) {
    const params = { what: 'bytes', size: bytes.length, limit: most };
    return { ok: false, problem: diagnose('GG6001', params, span) };
  }
  const json = readJson(bytes, name);
  if (!json.ok) return json;
  const reading = readWellMade(json.value, json.text, span);
  if (reading.ok) return reading;
  // What is wrong may come of a key that stands twice or of a number, and then that is what to say.
  return { ok: false, problem: findAmbiguity(json.text, name) ?? reading.problem };
}

function readWellMade(value: unknown, text: string, span: Span): BundleReading {
  const fail = (problem: Diagnostic): BundleReading => ({ ok: false, problem });
  const tooMany = (what: string, size: number): BundleReading =>
    fail(diagnose('GG6001', { what, size, limit: bundleLimits.records }, span));

  const { chains = 0, routes = 0, revocations = 0 } = sizesOf(value);
  if (chains + routes > bundleLimits.records) return tooMany('records', chains + routes);
  if (revocations > bundleLimits.records) return tooMany('revocations', revocations);
  const misfit = bundleShape(value);
  if (misfit !== undefined) {
    const at = misfit.path.slice(1) || 'the bundle';
    return fail(diagnose('GG6007', { at, expected: misfit.expected }, span));
  }

  const bundle = value as FederationBundle;
  const write = isOrdered(bundle) ? orderedJson : canonicalJson;
  const envelopes = [...bundle.chains, ...bundle.routes, ...bundle.revocations].map(write);
  const offset = firstDifference(text, canonicalBundle(bundle, envelopes));
  if (offset !== -1) return fail(diagnose('GG6006', { offset }, span));
  const problem = checkCounts(bundle, span) ?? checkOrder(bundle, span) ?? checkHops(bundle, span);
  return problem === undefined ? { ok: true, bundle, envelopes } : fail(problem);
}

/**
 * The canonical form of a bundle, put together from that of its records, so that each of them is written once:
 * the members of the bundle stand in their order.
 *
 * @param envelopes - The canonical forms of chains, routes and revocations, one after the other.
 */
export function canonicalBundle(bundle: FederationBundle, envelopes: readonly string[]): string {
  const { chains, format, routes, snapshot } = bundle;
  const firstRevocation = chains.length + routes.length;
  const part = (from: number, to?: number): string => envelopes.slice(from, to).join(',');
  return (
    `{"chains":[${part(0, chains.length)}],"format":${canonicalJson(format)},` +
    `"revocations":[${part(firstRevocation)}],"routes":[${part(chains.length, firstRevocation)}],` +
    `"snapshot":${canonicalJson(snapshot)}}`
  );
}

type Span = Parameters<typeof Diagnose>[2];

function sizesOf(value: unknown): { [list: string]: number } {
  if (typeof value !== 'object' || value === null) return {};
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  return Object.fromEntries(lists.map(([member, items]) => [member, (items as unknown[]).length]));
}

function firstDifference(one: string, other: string): number {
  if (one === other) return -1;
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function checkCounts({ snapshot, ...lists }: FederationBundle, span: Span): Diagnostic | undefined {
  const records = lists.chains.length + lists.routes.length;
  const count = (what: string, claimed: number, found: number): Diagnostic | undefined =>
    claimed === found ? undefined : diagnose('GG6016', { what, claimed, found }, span);
  return (
    count('records', snapshot.recordCount, records) ??
    count('revocations', snapshot.revocationCount, lists.revocations.length)
  );
}

/** There is one way to write an index: every list is in ascending order, and so has nothing twice. */
function checkOrder(bundle: FederationBundle, span: Span): Diagnostic | undefined {
  const { chains, routes, revocations, snapshot } = bundle;
  const outOf = (at: string, order: string): Diagnostic => diagnose('GG6015', { at, order }, span);
  const ascending = <T>(
    list: readonly T[],
    at: string,
    order: string,
    keyOf: (item: T) => readonly string[],
  ): Diagnostic | undefined => {
    const wrong = list.findIndex((item, i) => i > 0 && !isBefore(keyOf(list[i - 1] as T), keyOf(item)));
    return wrong === -1 ? undefined : outOf(`${at}[${wrong}]`, order);
  };
  const misnumbered = chains.findIndex(({ index }, at) => index !== at);
  if (misnumbered !== -1) return outOf(`chains[${misnumbered}].index`, 'chains are counted from 0');
  const lists =
    ascending(chains, 'chains', 'chains go by chainId, each once', ({ chainId }) => [chainId]) ??
    ascending(routes, 'routes', 'routes go by fromChainId and toChainId, each pair once', (route) => [
      route.fromChainId,
      route.toChainId,
    ]) ??
    ascending(revocations, 'revocations', 'revocations go by kind and subject, each once', (revocation) => [
      revocation.kind,
      revocation.subject,
    ]);
  if (lists !== undefined) return lists;
  for (const [at, { signatures }] of signedEntries(chains, routes, revocations, snapshot)) {
    const signed = ascending(
      signatures,
      `${at}.signatures`,
      'signatures go by issuer, each once',
      ({ issuer }) => [issuer],
    );
    if (signed !== undefined) return signed;
  }
  return undefined;
}

type Signed = FederationBundle['snapshot'] | FederationBundle['chains'][number];

function signedEntries(
  chains: FederationBundle['chains'],
  routes: FederationBundle['routes'],
  revocations: FederationBundle['revocations'],
  snapshot: FederationBundle['snapshot'],
): [string, Pick<Signed, 'signatures'>][] {
  return [
    ['snapshot', snapshot],
    ...chains.map((chain, at): [string, typeof chain] => [`chains[${at}]`, chain]),
    ...routes.map((route, at): [string, typeof route] => [`routes[${at}]`, route]),
    ...revocations.map((one, at): [string, typeof one] => [`revocations[${at}]`, one]),
  ];
}

function isBefore(one: readonly string[], other: readonly string[]): boolean {
  for (const [index, text] of one.entries()) {
    const against = other[index] as string;
    if (text !== against) return text < against;
  }
  return false;
}

function checkHops({ routes }: FederationBundle, span: Span): Diagnostic | undefined {
  for (const [at, route] of routes.entries()) {
    const expected = misplacedHop(route);
    if (expected !== undefined) return diagnose('GG6022', { at: `routes[${at}]`, expected }, span);
  }
  return undefined;
}
