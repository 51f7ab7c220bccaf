import type { JsonPlace } from '../../../base/source/json-place.js';
import { segmentOfVariable, variableArguments } from '../../../compiler/emit/collection/path-variables.js';
import { matchSegment, textsOf } from '../../../compiler/schema/route-path.js';
import type { Draft } from '../draft/draft.js';
import type { OperationParts } from '../draft/operation-edge.js';

/** A request of a collection, with the authentication that it inherits. */
export interface CollectionRequest {
  readonly name: string;
  readonly item: JsonPlace;
  readonly request: JsonPlace;
  readonly auth: JsonPlace | undefined;
  /** The calls that it shows, its own first. */
  readonly calls: readonly ShownCall[];
}

/** A request, and the successful response that a collection has for it. */
export interface ShownCall {
  readonly request: JsonPlace;
  readonly response: JsonPlace | undefined;
}

export type CollectionCall = Pick<OperationParts, 'kind' | 'name' | 'arguments' | 'settings'>;

/** The parts of a URL. Segments for values are in braces. */
export interface RequestUrl {
  readonly segments: readonly string[];
  readonly query: readonly UrlPair[];
  readonly variables: readonly UrlPair[];
}

interface UrlPair {
  readonly key: string;
  readonly value: string;
  readonly description: string | undefined;
}

/** All requests of a collection, folder by folder. Scripts are reported. */
export function listRequests(collection: JsonPlace, draft: Draft): readonly CollectionRequest[] {
  const requests: CollectionRequest[] = [];
  const waiting = [{ place: collection, auth: collection.at('auth') }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, auth } = next;
    if (place.at('event') !== undefined)
      draft.loseOnce(`${place.place}/event`, 'scripts', 'Topologies cannot contain request scripts.');
    const request = place.at('request');
    if (request !== undefined)
      requests.push({
        name: place.text('name') ?? '',
        item: place,
        request,
        auth: request.at('auth') ?? auth,
        calls: callsOf(place, request),
      });
    // `waiting` is a stack, so the items are pushed in reverse.
    for (const item of place.list('item').toReversed()) waiting.push({ place: item, auth: item.at('auth') ?? auth });
  }
  return requests;
}

/** The call of a request with its first successful response, and those of its other saved responses. */
function callsOf(item: JsonPlace, request: JsonPlace): readonly ShownCall[] {
  const successes = item.list('response').filter((response) => {
    const code = response.at('code')?.value ?? 200;
    return typeof code === 'number' && code >= 200 && code <= 299;
  });
  const bodyOf = (from: JsonPlace) => JSON.stringify(from.at('body')?.value);
  const saved = successes.flatMap((response, at): ShownCall[] => {
    const original = response.at('originalRequest');
    if (original === undefined || (at === 0 && bodyOf(original) === bodyOf(request))) return [];
    return [{ request: original, response }];
  });
  return [{ request, response: successes[0] }, ...saved];
}

/** The requests with those of one method and path in one: they are calls of one operation. */
export function joinRequests(
  requests: readonly CollectionRequest[],
  keyOf: (request: CollectionRequest) => string | undefined,
  draft: Draft,
): readonly CollectionRequest[] {
  const joined = new Map<string, CollectionRequest>();
  for (const [at, one] of requests.entries()) {
    const key = keyOf(one) ?? String(at);
    const known = joined.get(key);
    if (known !== undefined)
      draft.lose(one.request, `request ${one.name}`, `It is one more call of ${known.name}, which has its route.`);
    joined.set(key, known === undefined ? one : { ...known, calls: [...known.calls, ...one.calls] });
  }
  return [...joined.values()];
}

/** The URL of a request, which is a text or the parts of one. */
export function urlOf(request: JsonPlace): RequestUrl {
  const url = request.at('url');
  const raw = request.text('url') ?? url?.text('raw') ?? '';
  const [withoutFragment = ''] = raw.split('#');
  const [address = '', ...search] = withoutFragment.split('?');
  const path = url?.at('path');
  const segments = Array.isArray(path?.value)
    ? path.value.map((segment) =>
        typeof segment === 'string' ? segment : String((segment as { value?: unknown } | null)?.value ?? ''),
      )
    : (url?.text('path') ?? address.replace(/^(?:[a-z][a-z\d+.-]*:\/\/)?[^/]*\/?/i, '')).split('/');
  const listed = pairsOf(url?.list('query') ?? []);
  const query =
    listed.length > 0
      ? listed
      : search
          .join('?')
          .split('&')
          .map((pair) => pair.split('='))
          .map(([key = '', ...value]) => ({ key, value: value.join('='), description: undefined }));
  return {
    segments: segments.flatMap((segment) => {
      if (segment === '') return [];
      return /^:./.test(segment) ? segmentOfVariable(segment) : segment.replace(/\{\{([^{}]+)\}\}/g, '{$1}');
    }),
    query: query.filter(({ key }) => key !== ''),
    variables: pairsOf(url?.list('variable') ?? []).flatMap((pair) => {
      if (!pair.key.includes('{')) return [pair];
      // The variable is a whole segment, with the texts around its arguments.
      const values = matchSegment(textsOf(segmentOfVariable(`:${pair.key}`)), pair.value) ?? [];
      return variableArguments(pair.key).map((key, at) => ({ ...pair, key, value: values[at] ?? '' }));
    }),
  };
}

function pairsOf(places: readonly JsonPlace[]): readonly UrlPair[] {
  return places.map((pair) => ({
    key: pair.text('key') ?? '',
    value: pair.text('value') ?? '',
    description: textOf(pair.at('description')),
  }));
}

/** A description, which is a text or an object with one. */
export function textOf(description: JsonPlace | undefined): string | undefined {
  return typeof description?.value === 'string' ? description.value : description?.text('content');
}

/** The JSON of a text, which may have comments; undefined if it is none. A variable without quotes counts as null. */
export function jsonOf(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1');
  for (const candidate of [text, bare, bare.replace(/([:[,]\s*)\{\{[^{}"]*\}\}/g, '$1null')]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Not JSON: try the next candidate.
    }
  }
  return undefined;
}
