import { appendTo } from '../graph/maps.js';
import { nullable } from '../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../schema/gql-schema.js';

/** The fields that REST also sends as headers, by the names of their types. Loops, because large schemas have none. */
export function headerFields({ objects }: GqlSchema): ReadonlyMap<string, readonly GqlField[]> {
  const found = new Map<string, GqlField[]>();
  for (const { name, fields } of objects)
    for (const field of fields) if (field.sentAs !== undefined) appendTo(found, name, field);
  return found;
}

/** Those of the result of an operation, which is one object: not a list, a page or a union. */
export function sentFields(
  fields: ReturnType<typeof headerFields>,
  { type, page }: Pick<GqlOperation, 'type' | 'page'>,
): readonly GqlField[] {
  const bare = nullable(type);
  return (page === undefined && bare.kind === 'named' && fields.get(bare.name)) || none;
}

const none: readonly never[] = [];
