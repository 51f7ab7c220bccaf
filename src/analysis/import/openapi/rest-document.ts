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
