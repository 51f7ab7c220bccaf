import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';
import { type Access, lackingClauses } from '../../compiler/graph/access.js';
import { baseName, nullable } from '../../compiler/graph/type-ref.js';
import { pageArguments } from '../../compiler/schema/cursor.js';
import type { GqlArgument, GqlField, GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { indexSchema, namedType, withInternal } from '../../compiler/schema/schema-index.js';
import type { Column, SortedBy, StoreModel, Table } from './model.js';
import { isManyOf, itemType, keyFieldsOf } from './relations.js';
import { kindOf } from './tables.js';

const comparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'startsWith'] as const;

/** How a value of a caller is compared with a column. A row whose column is null fits no comparison. */
export type Comparison = (typeof comparisons)[number];

/** An argument, or a field of an argument, that filters. Without a value it does not. */
export interface Filter {
  /** The name of the argument, and of the field of its input. */
  readonly path: readonly string[];
  readonly comparison: Comparison;
  readonly column: string;
}

/** An argument that sorts. */
export interface Order {
  readonly path: readonly string[];
  /** The column of each value of its enum. */
  readonly by: Readonly<Record<string, SortedBy>>;
}

/** The rows that a query, or a relation, reads. */
export interface StoredRead {
  /** The name of the table. */
  readonly table: string;
  readonly shape: 'one' | 'list' | 'page';
  readonly filters: readonly Filter[];
  /** Absent if no argument sorts the rows. */
  readonly order?: Order;
  /** The order of rows that no argument sorts, before that of the key; absent without one. */
  readonly usual?: readonly SortedBy[];
  /** The name of the argument that is the maximum number of rows; absent without one. */
  readonly limit?: string;
}

/**
 * The reads of a schema that a store serves, by their coordinates: queries of stored types, and relations. A query that
 * it cannot serve is a finding (GG7002), unless a resolver does.
 */
export function readsOf(
  schema: GqlSchema,
  { tables }: StoreModel,
  isGiven: (coordinate: string) => boolean = () => false,
): { readonly reads: ReadonlyMap<string, StoredRead>; readonly diagnostics: readonly Diagnostic[] } {
  const reads = new Map<string, StoredRead>();
  const diagnostics: Diagnostic[] = [];
  const add = (coordinate: string, place: Place, span = wholeFile(coordinate)): void => {
    const table = tables.find(({ type }) => type === itemType(place));
    if (table === undefined || isGiven(coordinate)) return;
    const read = readOf(schema, table, place);
    if (typeof read === 'string') diagnostics.push(diagnose('GG7002', { operation: coordinate, reason: read }, span));
    else reads.set(coordinate, read);
  };
  for (const query of withInternal(schema).queries) {
    if (query.renamed === undefined) add(`Query.${query.name}`, query, query.edges[0]?.span);
  }
  for (const { type, relations } of tables) {
    const { fields } = objectOf(schema, type);
    for (const field of fields) {
      if (relations.some((one) => one.field === field.name)) add(`${type}.${field.name}`, field, field.span);
    }
  }
  return { reads, diagnostics };
}

type Place = Pick<GqlField, 'type' | 'page' | 'arguments'> & Access;

interface Scope {
  readonly schema: GqlSchema;
  readonly table: Table;
  readonly type: GqlObjectType;
  readonly place: Place;
  readonly filters: Filter[];
  order?: Order;
  limit?: string;
}

function objectOf(schema: GqlSchema, name: string): GqlObjectType {
  const found = indexSchema(schema).types.get(name);
  if (found?.kind !== 'object') throw new Error(`invariant: a table has the object type ${name}`);
  return found.type;
}

/** The read of a place, or the reason why a store cannot serve it. */
function readOf(schema: GqlSchema, table: Table, place: Place): StoredRead | string {
  const type = nullable(place.type);
  if (type.kind === 'list' && nullable(type.of).kind === 'list') return 'its result is a list of lists';
  const scope: Scope = { schema, table, type: objectOf(schema, table.type), place, filters: [] };
  const isList = type.kind === 'list' && place.page === undefined;
  const shape = place.page !== undefined ? 'page' : isList ? 'list' : 'one';
  const usual = shape === 'one' ? [] : (table.order ?? []);
  for (const { column } of usual) {
    const reason = unreadable(scope, table.columns.find(({ name }) => name === column) as Column);
    if (reason !== undefined) return reason;
  }
  for (const argument of place.arguments ?? []) {
    if (place.page !== undefined && pageArguments.has(argument.name)) continue;
    if (isList && isLimit(table, argument)) {
      scope.limit = argument.name;
      continue;
    }
    const reason = addArgument(scope, argument, []);
    if (reason !== undefined) return reason;
  }
  return {
    table: table.name,
    shape,
    filters: scope.filters,
    ...(scope.order && { order: scope.order }),
    ...(usual.length > 0 && { usual }),
    ...(scope.limit && { limit: scope.limit }),
  };
}

/**
 * Whether an argument of a list is the number of its rows: an `Int` named `first` or `limit`, or with `@store limit`.
 */
function isLimit({ columns }: Table, { name, type, store: [said] = [] }: GqlArgument): boolean {
  const bare = nullable(type);
  if (bare.kind !== 'named' || bare.name !== 'Int') return false;
  return (
    said === 'limit' ||
    (said === undefined && /^(?:first|limit)$/.test(name) && !columns.some((one) => one.name === name))
  );
}

/** Adds the filter or the order that an argument gives; returns the reason if it gives neither. */
function addArgument(scope: Scope, argument: GqlArgument, outer: readonly string[]): string | undefined {
  const { schema, table } = scope;
  const { name, type, store: [said = ''] = [] } = argument;
  const path = [...outer, name];
  const shown = path.join('.');
  const [word = '', of = name] = said.split(/\s+/);
  const leaf = namedType(schema, baseName(type));
  if (leaf.kind === 'enum' && (word === 'order' || (said === '' && /^(?:orderBy|sort)$/.test(name))))
    return addOrder(scope, path, leaf.type.values);
  if (said !== '' && !comparisons.some((one) => one === word))
    return `“@store ${said}” of “${shown}” is none of order, limit, ${comparisons.join(', ')}`;
  const column = table.columns.find((one) => one.name === of);
  const isList = nullable(type).kind === 'list';
  if (column === undefined) {
    if (leaf.kind !== 'input' || isList || said !== '' || outer.length > 0)
      return `“${shown}” compares no column of ${table.type}`;
    for (const field of leaf.type.fields) {
      const reason = addArgument(scope, field, path);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }
  const comparison = (said === '' ? (isList ? 'in' : 'eq') : word) as Comparison;
  const value = nullable(type);
  if (isList !== (comparison === 'in')) return `“${shown}” is ${isList ? 'a' : 'no'} list`;
  const kind = kindOf(schema, value.kind === 'list' ? value.of : value);
  const reason = unreadable(scope, column);
  if (reason !== undefined) return reason;
  if (kind !== column.kind) return `“${shown}” has not the type of the column “${of}”`;
  if ((comparison === 'contains' || comparison === 'startsWith') && kind !== 'text')
    return `“${of}” is no text, so that “${comparison}” cannot compare it`;
  scope.filters.push({ path, comparison, column: of });
  return undefined;
}

/** The values of an enum as columns: `TITLE`, `createdAt`, `CREATED_AT_DESC`. */
function addOrder(scope: Scope, path: readonly string[], values: readonly string[]): string | undefined {
  const by: Record<string, SortedBy> = {};
  for (const value of values) {
    const found = sortedBy(scope.table, value);
    if (found === undefined) return `“${value}” of “${path.join('.')}” is no column of ${scope.table.type}`;
    const reason = unreadable(scope, found.column);
    if (reason !== undefined) return reason;
    by[value] = { column: found.column.name, isDescending: found.isDescending };
  }
  scope.order = { path, by };
  return undefined;
}

function sortedBy(
  { columns }: Table,
  value: string,
): { readonly column: Column; readonly isDescending: boolean } | undefined {
  const bare = (name: string) => name.replaceAll('_', '').toLowerCase();
  const find = (name: string) =>
    columns.find((one) => one.name === name) ?? columns.find((one) => bare(one.name) === bare(name));
  const whole = find(value);
  if (whole !== undefined) return { column: whole, isDescending: false };
  const column = find(value.replace(/(?:_desc|_asc|Desc|Asc)$|_DESC$|_ASC$/, ''));
  return column && { column, isDescending: /desc$/i.test(value) };
}

/** Why a caller may not compare or sort by a column: the answer would tell what it may not read. */
function unreadable({ schema, type, place }: Scope, { name, kind, relation }: Column): string | undefined {
  if (kind === 'json') return `“${name}” is an object, a list or JSON, which is not compared`;
  const shown = relation === undefined ? type.fields.filter((one) => one.name === name) : shownBy(schema, relation);
  return shown === undefined || shown.some((one) => lackingClauses(one, type, place).length > 0)
    ? `“${name}” demands more of callers than the rows, and filters and orders would reveal it`
    : undefined;
}

/**
 * Everything that callers must be able to read for the value of a column without a field, the key of a relation; undefined
 * if only the owner of the other row may read it.
 */
function shownBy(schema: GqlSchema, relation: string): readonly Access[] | undefined {
  const [owner = '', name] = relation.split('.');
  const from = objectOf(schema, owner);
  const field = from.fields.find((one) => one.name === name) as GqlField;
  const to = objectOf(schema, itemType(field));
  const keyed = isManyOf(field) ? from : to;
  return keyed.owner === undefined ? [from, field, to, ...keyFieldsOf(keyed)] : undefined;
}
