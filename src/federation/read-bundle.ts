import { type diagnose as Diagnose, type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { bundleLimits, bundleShape, type FederationBundle } from './bundle.js';
import { cutEnvelopes, type Envelopes } from './canonical-bundle.js';
import { misplacedHop } from './path-proof.js';
import { findAmbiguity, readJson } from './strict-json.js';

/** A bundle that is well made, or why it is not. Nothing of it is believed yet. */
export type BundleReading =
  | {
      readonly ok: true;
      readonly bundle: FederationBundle;
      readonly envelopes: Envelopes;
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
  const { envelopes, offset } = cutEnvelopes(text, bundle);
  if (offset !== -1) return fail(diagnose('GG6006', { offset }, span));
  const problem = checkCounts(bundle, span) ?? checkOrder(bundle, span) ?? checkHops(bundle, span);
  return problem === undefined ? { ok: true, bundle, envelopes } : fail(problem);
}

type Span = Parameters<typeof Diagnose>[2];

function sizesOf(value: unknown): { [list: string]: number } {
  if (typeof value !== 'object' || value === null) return {};
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
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

/** There is one way to write an index: every list is in ascending order, and so has nothing twice. */
function checkOrder(bundle: FederationBundle, span: Span): Diagnostic | undefined {
  const { chains, routes, revocations, snapshot } = bundle;
  const outOf = (at: string, order: string): Diagnostic => diagnose('GG6015', { at, order }, span);
  const misnumbered = chains.findIndex(({ index }, at) => index !== at);
  if (misnumbered !== -1) return outOf(`chains[${misnumbered}].index`, 'chains are counted from 0');
  const chain = firstDisorder(chains, (a, b) => a.chainId < b.chainId);
  if (chain !== -1) return outOf(`chains[${chain}]`, 'chains go by chainId, each once');
  const route = firstDisorder(routes, (a, b) =>
    a.fromChainId === b.fromChainId ? a.toChainId < b.toChainId : a.fromChainId < b.fromChainId,
  );
  if (route !== -1)
    return outOf(`routes[${route}]`, 'routes go by fromChainId and toChainId, each pair once');
  const revocation = firstDisorder(revocations, (a, b) =>
    a.kind === b.kind ? a.subject < b.subject : a.kind < b.kind,
  );
  if (revocation !== -1) {
    return outOf(`revocations[${revocation}]`, 'revocations go by kind and subject, each once');
  }
  for (const [name, list] of Object.entries({ snapshot: [snapshot], chains, routes, revocations })) {
    for (const [index, { signatures }] of list.entries()) {
      const signature = firstDisorder(signatures, (a, b) => a.issuer < b.issuer);
      if (signature === -1) continue;
      const owner = name === 'snapshot' ? name : `${name}[${index}]`;
      return outOf(`${owner}.signatures[${signature}]`, 'signatures go by issuer, each once');
    }
  }
  return undefined;
}

/** The first item of a list that does not stand behind the one before it; -1 when all do. */
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
