import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { type Span, wholeFile } from '../base/source/span.js';
import { bundleLimits, type FederationBundle, misfitOfBundle } from './bundle.js';
import { canonicalJson, isOrdered } from './encoding.js';
import { misplacedHop } from './path-proof.js';
import { type Checked, findAmbiguity, readJson } from './strict-json.js';

/** The canonical forms of the records of a bundle, in their order. */
export interface Envelopes {
  readonly chains: readonly string[];
  readonly revocations: readonly string[];
  readonly routes: readonly string[];
}

/** A well-formed bundle, or why it is not well-formed. Nothing in it is trusted yet. */
export type BundleReading = Checked<{ readonly bundle: FederationBundle; readonly envelopes: Envelopes }>;

/**
 * Parses a bundle. The whole bundle is rejected if it is too large (GG6001), not strict JSON (GG6002–GG6005), not
 * canonical (GG6006), of the wrong shape (GG6007), miscounted (GG6016) or out of order (GG6015), or if the hops of a
 * route do not connect its ends (GG6022).
 */
export function readBundle(bytes: Uint8Array, name: string): BundleReading {
  const span = wholeFile(name);
  const { bytes: most } = bundleLimits;
  if (bytes.length > most) {
    const params = { what: 'bytes', size: bytes.length, limit: most };
    return { ok: false, problem: diagnose('GG6001', params, span) };
  }
  const json = readJson(bytes, name);
  if (!json.ok) return json;
  const reading = readWellMade(json.value, json.text, span);
  if (reading.ok) return reading;
  // A duplicate key or an unsafe number may be the cause, and is the more helpful finding.
  return { ok: false, problem: findAmbiguity(json.text, name) ?? reading.problem };
}

function readWellMade(value: unknown, text: string, span: Span): BundleReading {
  const fail = (problem: Diagnostic): BundleReading => ({ ok: false, problem });
  const tooMany = (what: string, size: number): BundleReading =>
    fail(diagnose('GG6001', { what, size, limit: bundleLimits.records }, span));

  const { chains = 0, routes = 0, revocations = 0 } = sizesOf(value);
  if (chains + routes > bundleLimits.records) return tooMany('records', chains + routes);
  if (revocations > bundleLimits.records) return tooMany('revocations', revocations);
  const misfit = misfitOfBundle(value);
  if (misfit !== undefined) {
    const at = misfit.path.slice(1) || 'the bundle';
    return fail(diagnose('GG6007', { at, expected: misfit.expected }, span));
  }

  const bundle = value as FederationBundle;
  const { envelopes, offset } = cutEnvelopes(text, bundle);
  if (offset !== -1) return fail(diagnose('GG6006', { offset }, span));
  const problem = checkCounts(bundle, span) ?? checkOrder(bundle, span) ?? checkHops(bundle, span);
  return problem === undefined ? { ok: true, bundle, envelopes } : fail(problem);
}

function sizesOf(value: unknown): { [list: string]: number } {
  const lists = Object.entries(value ?? {}).filter(([, member]) => Array.isArray(member));
  return Object.fromEntries(lists.map(([member, items]) => [member, (items as unknown[]).length]));
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

/** Every list is in strictly ascending order, so that an index has one spelling and no duplicates. */
function checkOrder(bundle: FederationBundle, span: Span): Diagnostic | undefined {
  const { chains, routes, revocations, snapshot } = bundle;
  const outOf = (at: string, order: string): Diagnostic => diagnose('GG6015', { at, order }, span);
  const misnumbered = chains.findIndex(({ index }, at) => index !== at);
  if (misnumbered !== -1) return outOf(`chains[${misnumbered}].index`, 'chains are numbered from 0');
  const sorted = <Name extends string>(name: string, list: Records<Name>, ...by: readonly Name[]) => {
    const first = firstDisorder(list, by);
    if (first === -1) return undefined;
    const records = name.slice(name.lastIndexOf('.') + 1);
    return outOf(`${name}[${first}]`, `${records} must be sorted by ${by.join(' and ')}, without duplicates`);
  };
  const problem =
    sorted('chains', chains, 'chainId') ??
    sorted('routes', routes, 'fromChainId', 'toChainId') ??
    sorted('revocations', revocations, 'kind', 'subject') ??
    sorted('snapshot.signatures', snapshot.signatures, 'issuer');
  if (problem !== undefined) return problem;
  for (const [name, list] of Object.entries({ chains, routes, revocations })) {
    for (const [index, { signatures }] of list.entries()) {
      if (firstDisorder(signatures, ['issuer']) === -1) continue;
      return sorted(`${name}[${index}].signatures`, signatures, 'issuer');
    }
  }
  return undefined;
}

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

function checkHops({ routes }: FederationBundle, span: Span): Diagnostic | undefined {
  for (const [at, route] of routes.entries()) {
    const expected = misplacedHop(route);
    if (expected !== undefined) return diagnose('GG6022', { at: `routes[${at}]`, expected }, span);
  }
  return undefined;
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
