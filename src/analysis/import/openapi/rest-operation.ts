import type { Draft } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import type { References } from './references.js';
import type { SchemaTypes } from './schema-types.js';
import type { UnreadWords } from './unread-words.js';

/** A document while it is read. */
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
}

/** The schema of a JSON body; undefined, and perhaps reported, if there is none. */
export function jsonSchema(body: JsonPlace, draft: Draft, subject: string): JsonPlace | undefined {
  const types = body.entries('content');
  const isJson = (type: string) =>
    /^application\/(?:json|[\w.+-]*\+json)(?:;|$)/.test(type) || type === '*/*';
  const [type, media] = types.find(([name]) => isJson(name)) ?? types[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  if (!isJson(type)) draft.lose(media, `${type} of ${subject}`, 'The server reads and writes JSON.');
  const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
  return isJson(type) || isForm ? media.at('schema') : undefined;
}
