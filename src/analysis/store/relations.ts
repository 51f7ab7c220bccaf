import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import { capitalized } from '../../compiler/graph/names.js';
import { baseName, nullable } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { type Column, type ForeignKey, foreignKeysOf, keysOf, type Relation, type Table } from './model.js';

/** Adds a finding (GG7001). */
export type Report = (owner: GqlObjectType, reason: string, field?: GqlField) => void;

/** The stored types of a schema, and the findings about them. */
export interface Scope {
  readonly schema: GqlSchema;
  readonly byType: ReadonlyMap<string, GqlObjectType>;
  readonly report: Report;
  readonly diagnostics: Diagnostic[];
}

/** The place of a field of a stored type, or of its node. */
export function spanOf({ node }: GqlObjectType, field: GqlField | undefined): Span {
  const span = field?.span ?? node?.span;
  if (span === undefined) throw new Error('invariant: a stored type has a node');
  return span;
}

/**
 * The columns by which a relation is followed. The other row: `authorId` for `author`. Other rows: their columns with the
 * name of a relation to this type. `@store by authorId` decides between several.
 */
export function relationOf(type: GqlObjectType, field: GqlField, scope: Scope): Relation | undefined {
  const other = scope.byType.get(itemType(field)) as GqlObjectType;
  const isMany = isManyOf(field);
  const [owner, target] = isMany ? [other, type] : [type, other];
  const keys = keyNamesOf(target);
  const by = byOf(field);
  const candidates = by !== undefined ? [by] : isMany ? columnsTo(type, other) : namedColumns(field.name, keys, owner);
  // A row always has its own key.
  const isOwnKey = (columns: readonly string[]) => owner === target && columns.join() === keys.join();
  const found = candidates.filter(
    (columns) =>
      new Set(columns).size === keys.length &&
      columns.length === keys.length &&
      columns.every((name) => hasField(owner, name)),
  );
  const [columns] = keys.length > 1 ? found.filter((one) => !isOwnKey(one)) : found;
  if (columns === undefined || found.length > 1) {
    const names = candidates.map((one) => one.join(', '));
    const reason =
      found.length > 1
        ? `${found.map((one) => one.join(', ')).join(' and ')} could lead to it`
        : `${owner.name} has none of ${names.join(', ')}`;
    const params = { place: `${type.name}.${field.name}`, type: target.name, key: keys.join(', ') };
    if (keys.length > 1) scope.diagnostics.push(diagnose('GG7006', params, spanOf(type, field)));
    else {
      const between = isMany && found.length === 0 ? ', or store a node between the two' : '';
      scope.report(type, `${reason}: name the column with @store by${between}`, field);
    }
    return undefined;
  }
  return {
    field: field.name,
    to: other.node?.id as string,
    kind: isMany ? 'many' : 'one',
    columns,
    ...(field.page && { page: field.page.size }),
  };
}

/** Whether a field has several values: a list, or a page of one. */
export function isManyOf({ page, type }: Pick<GqlField, 'page' | 'type'>): boolean {
  return page !== undefined || nullable(type).kind === 'list';
}

function keyNamesOf(type: GqlObjectType): readonly string[] {
  return keyFieldsOf(type).map(({ name }) => name);
}

function hasField({ fields }: GqlObjectType, name: string): boolean {
  return fields.some((one) => one.name === name);
}

/**
 * The columns that a name leads by: `authorId` or `author_id` to a key of one column. To a key of several,
 * `orderNumber` or `order_number` for its column `number`, else a column with the same name.
 */
export function namedColumns(
  name: string,
  keys: readonly string[],
  owner: GqlObjectType,
): readonly (readonly string[])[] {
  if (keys.length === 1) return [[`${name}Id`], [`${name}_id`]];
  const columns = keys.map((key) => {
    const [usual, ...others] = [`${name}${capitalized(key)}`, `${name}_${key}`, ...(key === 'id' ? [] : [key])];
    return [usual, ...others].find((one) => hasField(owner, one)) ?? usual;
  });
  return [columns];
}

/** The columns of the other type that hold keys of this one. */
export function columnsTo(type: GqlObjectType, other: GqlObjectType): readonly (readonly string[])[] {
  const keys = keyNamesOf(type);
  const back = other.fields.filter((field) => !isManyOf(field) && itemType(field) === type.name);
  const named = back.flatMap((field) => {
    const by = byOf(field);
    return by === undefined ? namedColumns(field.name, keys, other) : [by];
  });
  const own = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
  return named.length > 0 ? named : namedColumns(own, keys, other);
}

/** The columns that `@store by` names. */
export function byOf({ store }: GqlField): readonly string[] | undefined {
  return store
    ?.find((text) => text.startsWith('by '))
    ?.slice(3)
    .trim()
    .split(/[\s,]+/);
}

/** The tables whose foreign keys can hold the keys that they refer to; a list of rows is one from the other side. */
export function linked(tables: readonly Table[], { byType, report }: Scope): readonly Table[] {
  const links = tables.flatMap(({ name, relations }) =>
    relations.map(({ kind, to, columns }) =>
      kind === 'one' ? { kind, from: name, columns, to } : { kind, from: to, columns, to: name },
    ),
  );
  return tables.flatMap((given) => {
    const own = links.filter(({ from }) => from === given.name);
    const columns = given.columns.map((column): Column => {
      const link = own.find((one) => one.kind === 'many' && one.columns.join() === column.name);
      return link === undefined ? column : { references: link.to, ...column };
    });
    const wide = own.filter(
      (link, at) =>
        link.columns.length > 1 &&
        own.findIndex((one) => one.to === link.to && one.columns.join() === link.columns.join()) === at,
    );
    const foreignKeys = wide.map(({ columns: names, to }): ForeignKey => ({ columns: names, to }));
    const table: Table = { ...given, ...(wide.length > 0 && { foreignKeys }), columns };
    const kindIn = (of: Table, name: string) => of.columns.find((one) => one.name === name)?.kind;
    for (const { columns: names, to } of foreignKeysOf(table)) {
      const other = tables.find(({ name }) => name === to);
      const at = other
        ? keysOf(other).findIndex((key, index) => kindIn(other, key) !== kindIn(table, names[index] as string))
        : -1;
      if (at < 0) continue;
      const type = byType.get(table.type) as GqlObjectType;
      const field = type.fields.find(({ name }) => name === names[at]);
      report(type, `it holds the key of ${to}, but has another type`, field);
      return [];
    }
    return [table];
  });
}

/** The fields with `@store key`, or `id`. */
export function keyFieldsOf({ fields }: GqlObjectType): readonly GqlField[] {
  const own = fields.filter(({ renamed }) => renamed === undefined);
  const marked = own.filter(({ store = [] }) => store.includes('key'));
  return marked.length > 0 ? marked : own.filter(({ name }) => name === 'id');
}

/** The name of the type of a field's items, or of its value: the node of a connection, and not the connection. */
export function itemType({ type, page }: Pick<GqlField, 'type' | 'page'>): string {
  return page?.node ?? baseName(type);
}
