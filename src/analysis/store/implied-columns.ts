import { baseName, named, nonNull } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType } from '../../compiler/schema/gql-schema.js';
import { byOf, columnsTo, isManyOf, itemType, keyFieldsOf, namedColumns } from './relations.js';

/** A stored type with a field for each of its columns. */
export interface StoredType extends GqlObjectType {
  readonly fields: readonly StoredField[];
}

/** A field of a stored type, or a column that no field shows. */
export interface StoredField extends GqlField {
  /** The relation, as `Type.field`, whose key the column holds; absent for a field. */
  readonly relation?: string;
}

/**
 * Adds the columns of relations without a field for their key: `senderId` of its own table for `sender`, and `shipmentId`
 * of the other table for the list `parcels` of a shipment. Left out are relations to a key of several columns, and lists
 * whose rows another relation leads back from, or which a second list of the same type leads to.
 */
export function withImpliedColumns(stored: readonly GqlObjectType[]): ReadonlyMap<string, StoredType> {
  const types = new Map<string, StoredType>(stored.map((type) => [type.name, type]));
  const typeOf = (name: string) => types.get(name) as StoredType;
  const all = stored.flatMap((type) =>
    type.fields
      .filter((field) => field.renamed === undefined && types.has(itemType(field)))
      .map((field) => ({ from: type.name, to: itemType(field), field, isMany: isManyOf(field) })),
  );
  const relations = all.filter(({ field }) => byOf(field) === undefined);
  const add = (owner: string, target: string, candidates: readonly (readonly string[])[], column: StoredField) => {
    const [key, ...more] = keyFieldsOf(typeOf(target));
    const { fields } = typeOf(owner);
    const isThere = candidates.some((names) => names.every((name) => fields.some((field) => field.name === name)));
    if (key === undefined || more.length > 0 || isThere) return;
    const type = named(baseName(key.type));
    const added = { ...column, type: column.type.kind === 'nonNull' ? nonNull(type) : type };
    types.set(owner, { ...typeOf(owner), fields: [...fields, added] });
  };
  for (const { from, to, field, isMany } of relations) {
    if (isMany) continue;
    const candidates = namedColumns(field.name, [''], typeOf(from));
    const [[usual = ''] = [], [snake = ''] = []] = candidates;
    const { type, span } = field;
    const store = field.store?.filter((said) => said !== 'key');
    const name = field.name.includes('_') ? snake : usual;
    const relation = `${from}.${field.name}`;
    add(from, to, candidates, { ...unsaid, name, type, span, ...(store && { store }), relation });
  }
  for (const { from, to, field, isMany } of relations) {
    const isPartOf = (one: (typeof all)[number]) =>
      (one.from === to && one.to === from) || (one.isMany && one.from === from && one.to === to);
    if (!isMany || from === to || all.filter(isPartOf).length > 1) continue;
    const candidates = columnsTo(typeOf(from), typeOf(to));
    const [[name = ''] = []] = candidates;
    const relation = `${from}.${field.name}`;
    // A row may belong to no list.
    add(to, from, candidates, { ...unsaid, name, type: named('ID'), span: field.span, relation });
  }
  return types;
}

const unsaid = { description: undefined, fallback: undefined } as const;
