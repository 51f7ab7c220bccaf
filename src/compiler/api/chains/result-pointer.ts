import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { objectFields } from '../../schema/schema-index.js';
import { answerType } from '../rest-routes.js';
import type { IdLink } from './id-links.js';

/** The JSON Pointer of an id in the REST response, without its first slash: in lists that of the first item. REST answers with the items of a page. */
export function resultPointer(schema: GqlSchema, { producer: operation, path }: IdLink): string {
  const segments: string[] = [];
  let type: TypeRef | undefined = answerType(operation);
  for (const name of operation.page === undefined ? path : path.slice(1)) {
    for (let bare = type && nullable(type); bare?.kind === 'list'; bare = nullable(bare.of)) segments.push('0');
    segments.push(name);
    type = (type === undefined ? [] : objectFields(schema, baseName(type))).find((field) => field.name === name)?.type;
  }
  return segments.join('/');
}
