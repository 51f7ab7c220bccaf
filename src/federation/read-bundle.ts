import { type diagnose as Diagnose, type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';
import { bundleLimits, type FederationBundle, misfitOfBundle } from './bundle.js';
import { cutEnvelopes, type Envelopes } from './canonical-bundle.js';
import { misplacedHop } from './path-proof.js';
import { findAmbiguity, readJson } from './strict-json.js';

/** A well-formed bundle, or why it is not well-formed. Nothing in it is trusted yet. */
export type BundleReading =
  | {
      readonly ok: true;
      readonly bundle: FederationBundle;
      readonly envelopes: Envelopes;
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Parses a bundle. The whole bundle is rejected if it is too large (GG6001), not strict JSON (GG6002–GG6005), not
 * canonical (GG6006), of the wrong shape (GG6007), miscounted (GG6016) or out of order (GG6015), or if the hops of a
 * route do not connect its ends (GG6022).
 *
 * @param name - The name of the bundle in findings.
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

type Span = Parameters<typeof Diagnose>[2];

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
  const chain = firstDisorder(chains, (a, b) => a.chainId < b.chainId);
  if (chain !== -1) return outOf(`chains[${chain}]`, 'chains must be sorted by chainId, without duplicates');
  const route = firstDisorder(routes, (a, b) =>
    a.fromChainId === b.fromChainId ? a.toChainId < b.toChainId : a.fromChainId < b.fromChainId,
  );
  if (route !== -1)
    return outOf(
      `routes[${route}]`,
      'routes must be sorted by fromChainId and toChainId, without duplicates',
    );
  const revocation = firstDisorder(revocations, (a, b) =>
    a.kind === b.kind ? a.subject < b.subject : a.kind < b.kind,
  );
  if (revocation !== -1) {
    return outOf(
      `revocations[${revocation}]`,
      'revocations must be sorted by kind and subject, without duplicates',
    );
  }
  for (const [name, list] of Object.entries({ snapshot: [snapshot], chains, routes, revocations })) {
    for (const [index, { signatures }] of list.entries()) {
      const signature = firstDisorder(signatures, (a, b) => a.issuer < b.issuer);
      if (signature === -1) continue;
      const owner = name === 'snapshot' ? name : `${name}[${index}]`;
      return outOf(
        `${owner}.signatures[${signature}]`,
        'signatures must be sorted by issuer, without duplicates',
      );
    }
  }
  return undefined;
}

/** The first item that is not greater than its predecessor; -1 if all are. */
function firstDisorder<T>(list: readonly T[], isBefore: (one: T, other: T) => boolean): number {
  return list.findIndex((item, at) => at > 0 && !isBefore(list[at - 1] as T, item));
}

function checkHops({ routes }: FederationBundle, span: Span): Diagnostic | undefined {
  for (const [at, route] of routes.entries()) {
    const expected = misplacedHop(route);
    if (expected !== undefined) return diagnose('GG6022', { at: `routes[${at}]`, expected }, span);
  }
  return undefined;
}
