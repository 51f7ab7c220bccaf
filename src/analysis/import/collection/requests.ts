import type { JsonPlace } from '../../../base/source/json-place.js';
import { segmentOfVariable, variableArguments } from '../../../compiler/emit/collection/path-variables.js';
import type { Draft } from '../draft/draft.js';
import type { OperationParts } from '../draft/operation-edge.js';

/** A request of a collection, with the authentication that it inherits. */
export interface CollectionRequest {
  readonly name: string;
  readonly item: JsonPlace;
  readonly request: JsonPlace;
  readonly auth: JsonPlace | undefined;
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
      });
    // `waiting` is a stack, so the items are pushed in reverse.
    for (const item of place.list('item').toReversed())
      waiting.push({ place: item, auth: item.at('auth') ?? auth });
  }
  return requests;
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
    segments: segments.filter((segment) => segment !== '').map(segmentOf),
    query: query.filter(({ key }) => key !== ''),
    variables: pairsOf(url?.list('variable') ?? []).map((pair) => {
      const [key = pair.key, ...others] = variableArguments(pair.key);
      return others.length === 0 ? { ...pair, key } : pair;
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

/** The JSON of a text; undefined if it is none. A variable without quotes counts as null. */
export function jsonOf(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  for (const candidate of [text, text.replace(/([:[,]\s*)\{\{[^{}"]*\}\}/g, '$1null')]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Not JSON: try the next candidate.
    }
  }
  return undefined;
}

function segmentOf(segment: string): string {
  if (/^:./.test(segment)) return segmentOfVariable(segment);
  return segment.replace(/\{\{([^{}]+)\}\}/g, '{$1}');
}
