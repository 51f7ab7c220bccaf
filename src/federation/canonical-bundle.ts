import type { FederationBundle } from './bundle.js';
import { canonicalJson, isOrdered, orderedJson } from './encoding.js';

/** The canonical forms of the records of a bundle, in their order. */
export interface Envelopes {
  readonly chains: readonly string[];
  readonly revocations: readonly string[];
  readonly routes: readonly string[];
}

/** The canonical form of a bundle, joined from the canonical forms of its records, so that each is serialized once. */
export function canonicalBundle(bundle: FederationBundle, envelopes: Envelopes): string {
  const frame = frameOf(bundle);
  return (
    frame.chains +
    envelopes.chains.join(',') +
    frame.revocations +
    envelopes.revocations.join(',') +
    frame.routes +
    envelopes.routes.join(',') +
    frame.end
  );
}

/** The text of each record, and the offset at which the bundle deviates from its canonical form; -1 if nowhere. */
export interface Cutting {
  readonly envelopes: Envelopes;
  readonly offset: number;
}

/** Compares a text with its canonical form and cuts out its records, one by one to save memory. */
export function cutEnvelopes(text: string, bundle: FederationBundle): Cutting {
  const write: (value: unknown) => string = isOrdered(bundle) ? orderedJson : canonicalJson;
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
  const frame = frameOf(bundle);
  const envelopes = {
    chains: cut(frame.chains, bundle.chains),
    revocations: cut(frame.revocations, bundle.revocations),
    routes: cut(frame.routes, bundle.routes),
  };
  pass(frame.end);
  // Text after the end, such as the line break that editors append, is a deviation too.
  return { envelopes, offset: offset === -1 && at < text.length ? at : offset };
}

/** The text before each list of records and after the last one: the members of a bundle in canonical order. */
function frameOf({ format, snapshot }: FederationBundle) {
  return {
    chains: '{"chains":[',
    revocations: `],"format":${canonicalJson(format)},"revocations":[`,
    routes: '],"routes":[',
    end: `],"snapshot":${canonicalJson(snapshot)}}`,
  };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
