import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../schema/gql-schema.js';
import { isComposite } from '../schema/schema-index.js';

/** The field of an object that has the key, or the keys, by which another of its fields is read. */
export interface BatchKey {
  readonly field: string;
  /** The name of the scalar or enum that a key is. */
  readonly type: string;
  /** Whether the field has a list of keys, one for each element of the read list. */
  readonly isList: boolean;
}

/**
 * The key of a field: `authorId` for `author`, `tagIds` for the list `tags`, else the `id` of the object itself.
 * Undefined for a field without a key, and for an `id` that is a key itself.
 */
export function batchKeyOf(
  schema: GqlSchema,
  { fields }: GqlObjectType,
  { name, type }: GqlField,
): BatchKey | undefined {
  if (name === 'id' && isLeaf(schema, type)) return undefined;
  const isListed = nullable(type).kind === 'list';
  const find = (names: readonly string[], isList: boolean): BatchKey | undefined => {
    const isKey = (field: GqlField): boolean =>
      isLeaf(schema, field.type) && (nullable(field.type).kind === 'list') === isList;
    const key = fields.find((field) => names.includes(field.name) && isKey(field));
    return key && { field: key.name, type: baseName(key.type), isList };
  };
  const own = find(['id'], false);
  if (!isListed) return find([`${name}Id`, `${name}_id`], false) ?? own;
  const one = name.replace(/ies$/, 'y').replace(/s$/, '');
  return find([`${one}Ids`, `${name}Ids`, `${one}_ids`, `${name}_ids`], true) ?? own;
}

function isLeaf(schema: GqlSchema, type: TypeRef): boolean {
  return !isComposite(schema, baseName(type));
}
