import type { JsonPlace } from '../../../base/source/json-place.js';
import type { Draft } from '../draft/draft.js';
import type { Media } from './media-types.js';
import type { References } from './references.js';
import type { SchemaTypes } from './schema-types.js';
import type { UnreadWords } from './unread-words.js';

export interface RestDocument {
  readonly root: JsonPlace;
  readonly draft: Draft;
  readonly references: References;
  readonly types: SchemaTypes;
  readonly words: UnreadWords;
}

export interface RestOperation {
  readonly method: string;
  readonly path: string;
  readonly item: JsonPlace;
  readonly place: JsonPlace;
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly subject: string;
  readonly body: RestBody | undefined;
  /** The setting `etag`. With it, the server reads the conditions itself. */
  readonly etag: string | undefined;
}

/** The body of an operation, as its document describes it. */
export interface RestBody {
  readonly place: JsonPlace;
  /** The media type that is imported. */
  readonly media: Media | undefined;
  readonly others: readonly Media[];
  /** The schemas of the files in its form, by their names; a body that is neither JSON nor a form is one file. */
  readonly files: ReadonlyMap<string, JsonPlace>;
}

/** The parameters of the operation, then those of the path that it does not replace. */
export function parametersOf(
  { references }: Pick<RestDocument, 'references'>,
  { item, place }: Pick<RestOperation, 'item' | 'place'>,
): readonly JsonPlace[] {
  const found = new Map<string, JsonPlace>();
  for (const given of [...place.list('parameters'), ...item.list('parameters')]) {
    const parameter = references.resolve(given);
    if (parameter === undefined) continue;
    const [place, name = ''] = [parameter.text('in'), parameter.text('name')];
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    if (!found.has(key)) found.set(key, parameter);
  }
  return [...found.values()];
}

/** Whether a header is one that the setting `etag` adds. */
export function isCondition(header: string): boolean {
  return /^if-(?:none-)?match$/i.test(header);
}

/**
 * The setting `etag` of an operation: of a GET whose response has an ETag, and of a write on its path that takes the
 * conditions. Undefined for other operations, also if the read requires more than its path, so that it cannot be called
 * for the comparison (GG2062).
 */
export function etagOf(document: RestDocument, item: JsonPlace, place: JsonPlace, method: string) {
  const read = item.at('get');
  const { references } = document;
  const isTagged = read?.entries('responses').some(([code, response]) => {
    const headers = references.resolve(response)?.entries('headers') ?? [];
    return /^2(?!0[45])/.test(code) && headers.some(([name]) => /^etag$/i.test(name));
  });
  if (read === undefined || isTagged !== true) return undefined;
  if (method === 'GET') return 'true';
  const isSimple = parametersOf(document, { item, place: read }).every(
    (one) => one.text('in') === 'path' || !one.flag('required'),
  );
  const conditions = parametersOf(document, { item, place }).filter(
    (one) => one.text('in') === 'header' && isCondition(one.text('name') ?? ''),
  );
  if (!isSimple || conditions.length === 0) return undefined;
  return conditions.some((one) => one.flag('required')) ? "'required'" : 'true';
}
