import type { FederationBundle } from './bundle.js';
import { canonicalJson, isOrdered, orderedJson } from './encoding.js';

/** The canonical forms of the records of a bundle, in their order. */
export interface Envelopes {
  readonly chains: readonly string[];
  readonly revocations: readonly string[];
  readonly routes: readonly string[];
}

/** The canonical form of a bundle, put together from that of its records, so that each of them is written once. */
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

/** The records as they stand in a text, and where the text leaves its canonical form; -1 when it never does. */
export interface Cutting {
  readonly envelopes: Envelopes;
  readonly offset: number;
}

/**
 * Holds a text against the canonical form of the bundle that was read from it, and cuts the records out of it.
 * They are written one by one, so that no second text of the size of the first comes into being.
 */
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
  // Something may stand behind the end: a line break, as editors leave it.
  return { envelopes, offset: offset === -1 && at < text.length ? at : offset };
}

/** What stands before each list of records, and behind the last: the members of a bundle in their order. */
function frameOf({ format, snapshot }: FederationBundle) {
  return {
    chains: '{"chains":[',
    revocations: `],"format":${canonicalJson(format)},"revocations":[`,
    routes: '],"routes":[',
    end: `],"snapshot":${canonicalJson(snapshot)}}`,
  };
}

/** The first place where two texts differ. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
