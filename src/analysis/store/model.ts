import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { Constraints } from '../../compiler/graph/value-notes.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { isStored, namedType } from '../../compiler/schema/schema-index.js';

/** The tables of a topology: its nodes with the label `Stored`, as plain JSON that a database keeps. */
export interface StoreModel {
  readonly tables: readonly Table[];
}

/** The table of a node. */
export interface Table {
  /** The id of the node. */
  readonly name: string;
  /** The name of its object type. */
  readonly type: string;
  /** The column of the key; the first one of several. */
  readonly key: string;
  /** The columns of a key that has several; absent for others. */
  readonly keys?: readonly string[];
  /** The columns of each rule that no two rows are equal in all of them; absent without any. */
  readonly uniques?: readonly (readonly string[])[];
  readonly columns: readonly Column[];
  readonly relations: readonly Relation[];
  /** The column that must be the id of the caller, as `@owner` of the node says; absent without it. */
  readonly owner?: string;
}

/**
 * How a column is kept: `json` for objects, lists and JSON scalars, `instant` for DateTime, `long` for 64-bit
 * integers, and `text` for ids, enums and all other scalars.
 */
export type ColumnKind = 'text' | 'integer' | 'long' | 'float' | 'boolean' | 'instant' | 'json';

/** The column of a field; it has the name of the field. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The values of an enum; absent for other types. */
  readonly values?: readonly string[];
  readonly constraints?: Constraints;
  /** The value of a new row that is given none: a UUID (version 7), the time of the write, or a constant. */
  readonly fallback?:
    | { readonly kind: 'uuid' | 'now' }
    | { readonly kind: 'value'; readonly value: JsonValue };
  /** What the store writes by itself at each write; absent for other columns. */
  readonly role?: 'updated' | 'version';
  readonly isUnique?: true;
  /** False for a foreign key without an index, which only databases that no topology made have. */
  readonly isIndexed?: boolean;
  /** The table whose key it holds; absent for a column that is no foreign key. */
  readonly references?: string;
  /** The name that the column had before. */
  readonly was?: string;
}

/** A field that leads to rows of a table. */
export interface Relation {
  readonly field: string;
  /** The name of the table that it leads to. */
  readonly to: string;
  /**
   * `one`: `column` of this table holds the key of the other row. `many`: `column` of the other table holds the key of
   * this row.
   */
  readonly kind: 'one' | 'many';
  readonly column: string;
  /** The number of items in a page; absent for a plain list and for one row. */
  readonly page?: number;
}

/** The columns of the key of a table. */
export function keysOf({ key, keys = [key] }: Pick<Table, 'key' | 'keys'>): readonly string[] {
  return keys;
}

/**
 * The tables of a schema, with the findings about them (GG7001, GG7005, GG7006). A table with findings is left out.
 */
export function storeModelOf(schema: GqlSchema): {
  readonly model: StoreModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const stored = schema.objects.filter(isStored);
  const byType = new Map(stored.map((type) => [type.name, type]));
  const report: Report = (owner, reason, field) =>
    diagnostics.push(
      diagnose(
        'GG7001',
        { place: field ? `${owner.name}.${field.name}` : owner.name, reason },
        spanOf(owner, field),
      ),
    );
  const tables = stored.flatMap((type) => {
    const { length } = diagnostics;
    const table = tableOf(type, { schema, byType, report, diagnostics });
    return table === undefined || diagnostics.length > length ? [] : [table];
  });
  return { model: { tables: closed(linked(tables, { schema, byType, report, diagnostics })) }, diagnostics };
}

/** The tables without what leads to types that cannot be stored, which are findings. */
function closed(tables: readonly Table[]): readonly Table[] {
  const names = new Set(tables.map(({ name }) => name));
  const isKnown = (to: string | undefined) => to === undefined || names.has(to);
  const withoutReference = ({ references: _, ...column }: Column): Column => column;
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (isKnown(column.references) ? column : withoutReference(column))),
    relations: table.relations.filter(({ to }) => isKnown(to)),
  }));
}

/** The tables whose foreign keys can hold the keys that they refer to; a list of rows is one from the other side. */
function linked(tables: readonly Table[], { byType, report }: Scope): readonly Table[] {
  const many = tables.flatMap(({ name, relations }) =>
    relations
      .filter(({ kind }) => kind === 'many')
      .map(({ to, column }) => ({ to, column, references: name })),
  );
  return tables.flatMap((table) => {
    const columns = table.columns.map((column): Column => {
      const other = many.find(({ to, column: name }) => to === table.name && name === column.name);
      return other === undefined ? column : { references: other.references, ...column };
    });
    const wrong = columns.find(({ kind, references }) => {
      const other = tables.find(({ name }) => name === references);
      return other !== undefined && other.columns.find(({ name }) => name === other.key)?.kind !== kind;
    });
    if (wrong === undefined) return [{ ...table, columns }];
    const type = byType.get(table.type) as GqlObjectType;
    const field = type.fields.find(({ name }) => name === wrong.name);
    report(type, `it holds the key of ${wrong.references}, but has another type`, field);
    return [];
  });
}

type Report = (owner: GqlObjectType, reason: string, field?: GqlField) => void;

interface Scope {
  readonly schema: GqlSchema;
  readonly byType: ReadonlyMap<string, GqlObjectType>;
  readonly report: Report;
  readonly diagnostics: Diagnostic[];
}

function spanOf({ node }: GqlObjectType, field: GqlField | undefined): Span {
  const span = field?.span ?? node?.span;
  if (span === undefined) throw new Error('invariant: a stored type has a node');
  return span;
}

function tableOf(type: GqlObjectType, scope: Scope): Table | undefined {
  const fields = type.fields.filter(({ renamed }) => renamed === undefined);
  const isRelation = (field: GqlField) => scope.byType.has(itemType(field));
  const columns = fields.filter((field) => !isRelation(field)).map((field) => columnOf(type, field, scope));
  const [key, ...more] = keyFieldsOf(type).map(({ name }) => name);
  if (key === undefined) {
    scope.report(type, 'it has no key: give it a field “id”, or mark one with @store key');
    return undefined;
  }
  const relations = fields.filter(isRelation).flatMap((field) => relationOf(type, field, scope) ?? []);
  const ownKey = ({ isNullable, ...column }: Column): Column => ({
    ...(column.kind === 'text' && more.length === 0 && { fallback: { kind: 'uuid' as const } }),
    ...column,
    isNullable: false,
  });
  const keys = [key, ...more];
  const uniques = uniquesOf(type, columns, scope.diagnostics);
  const names = [type.node?.id as string, ...columns.map(({ name }) => name)];
  const long = names.find((name) => name.length > 63);
  if (long !== undefined) scope.report(type, `PostgreSQL has no name of more than 63 characters: ${long}`);
  const lower = names.slice(1).map((name) => name.toLowerCase());
  const same = lower.findIndex((name, at) => lower.indexOf(name) < at);
  if (same >= 0) scope.report(type, `SQLite does not tell ${names[same + 1]} from another field by its case`);
  if (/^(?:sqlite|gg_svc)_/i.test(names[0] as string))
    scope.report(type, 'names with “sqlite_” and “gg_svc_” in front are those of the store');
  const references = new Map(
    relations.filter(({ kind }) => kind === 'one').map(({ column, to }) => [column, to]),
  );
  return {
    name: type.node?.id as string,
    type: type.name,
    key,
    ...(more.length > 0 && { keys }),
    ...(uniques.length > 0 && { uniques }),
    columns: columns.map((given) => {
      const to = references.get(given.name);
      const column = keys.includes(given.name) ? ownKey(given) : given;
      // The key of one column may refer to another row, but does not say so.
      return to === undefined || (more.length === 0 && given.name === key)
        ? column
        : { ...column, references: to };
    }),
    relations,
    ...(type.owner !== undefined && { owner: type.owner }),
  };
}

/** The fields with `@store key`, or `id`. */
function keyFieldsOf({ fields }: GqlObjectType): readonly GqlField[] {
  const own = fields.filter(({ renamed }) => renamed === undefined);
  const marked = own.filter(({ store = [] }) => store.includes('key'));
  return marked.length > 0 ? marked : own.filter(({ name }) => name === 'id');
}

/** The rules `@store unique a, b` of a node; one that no database keeps is a finding (GG7005). */
function uniquesOf(type: GqlObjectType, columns: readonly Column[], diagnostics: Diagnostic[]) {
  return (type.store ?? []).map((rule) => {
    const [word, ...names] = rule.split(/[\s,]+/);
    const kindOfColumn = (name: string) => columns.find((one) => one.name === name)?.kind;
    const wrong = names.find((name) => kindOfColumn(name) === undefined);
    const json = names.find((name) => kindOfColumn(name) === 'json');
    const reason =
      word !== 'unique' || names.length < 2 || new Set(names).size < names.length
        ? 'it is not “unique” with two columns or more'
        : wrong !== undefined
          ? `“${wrong}” is no column`
          : json !== undefined
            ? `“${json}” is an object, a list or JSON, which is not compared`
            : undefined;
    if (reason !== undefined)
      diagnostics.push(diagnose('GG7005', { rule, place: type.name, reason }, spanOf(type, undefined)));
    return names;
  });
}

/** The words of `@store` that say how a column is kept. `was NAME`, `by NAME` and `default …` have more behind them. */
const words = ['key', 'unique', 'index', 'created', 'updated', 'version', 'was', 'by', 'default'];

function columnOf(type: GqlObjectType, field: GqlField, { schema, report }: Scope): Column {
  const { name, type: ref, constraints, fallback, store = [] } = field;
  const kind = kindOf(schema, ref);
  const leaf = namedType(schema, baseName(ref));
  const said = new Map(store.map((text) => [text.split(' ', 1)[0] as string, text.replace(/^\S+ */, '')]));
  for (const word of said.keys()) {
    if (!words.includes(word)) report(type, `“@store ${word}” is none of ${words.join(', ')}`, field);
  }
  const role = said.has('version') ? 'version' : said.has('updated') ? 'updated' : undefined;
  if (role === 'version' && kind !== 'integer') report(type, 'a version is an Int!', field);
  if ((role === 'updated' || said.has('created')) && kind !== 'instant')
    report(type, 'the time of a write is a DateTime!', field);
  const given = said.get('default');
  if (given !== undefined && given !== 'now' && given !== 'uuid')
    report(type, 'the default is “now” or “uuid”; a constant is written behind the type', field);
  return {
    name,
    kind,
    isNullable: ref.kind !== 'nonNull',
    ...(leaf.kind === 'enum' && kind === 'text' && { values: leaf.type.values }),
    ...(constraints && { constraints }),
    ...(said.has('created') || role === 'updated' || given === 'now'
      ? { fallback: { kind: 'now' } }
      : given === 'uuid'
        ? { fallback: { kind: 'uuid' } }
        : role === 'version'
          ? { fallback: { kind: 'value', value: 1 } }
          : fallback !== undefined && { fallback: { kind: 'value', value: fallback } }),
    ...(role && { role }),
    ...(said.has('unique') && { isUnique: true }),
    ...(said.has('index') && { isIndexed: true }),
    ...(said.get('was') && { was: said.get('was') as string }),
  };
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  Int: 'integer',
  Float: 'float',
  Boolean: 'boolean',
  DateTime: 'instant',
  BigInt: 'long',
  Long: 'long',
};

/** How a column with values of a type is kept. */
export function kindOf(schema: GqlSchema, ref: TypeRef): ColumnKind {
  if (nullable(ref).kind === 'list') return 'json';
  const name = baseName(ref);
  const found = namedType(schema, name);
  if (found.kind === 'builtin') return kinds[name] ?? 'text';
  if (found.kind === 'enum') return 'text';
  if (found.kind !== 'scalar') return 'json';
  const known = kinds[name];
  if (known !== undefined && found.type.standard) return known;
  // A scalar whose JSON form is a text; a custom one may be anything.
  return found.wire?.jsonSchema.type === 'string' ? 'text' : 'json';
}

/** The name of the type of a field's items, or of its value: the node of a connection, and not the connection. */
export function itemType({ type, page }: Pick<GqlField, 'type' | 'page'>): string {
  return page?.node ?? baseName(type);
}

/**
 * The column by which a relation is followed. The other row: `authorId` for `author`. Other rows: their column with the
 * name of a relation to this type. `@store by authorId` decides between several.
 */
function relationOf(type: GqlObjectType, field: GqlField, scope: Scope): Relation | undefined {
  const other = scope.byType.get(itemType(field)) as GqlObjectType;
  const to = other.node?.id as string;
  const by = byOf(field);
  const isMany = field.page !== undefined || nullable(field.type).kind === 'list';
  const [owner, kind] = isMany ? ([other, 'many'] as const) : ([type, 'one'] as const);
  const has = (name: string) => owner.fields.some((one) => one.name === name);
  const candidates =
    by !== undefined ? [by] : isMany ? columnsTo(type, other) : [`${field.name}Id`, `${field.name}_id`];
  const found = candidates.filter(has);
  const [column] = found;
  const wide = isMany ? type : other;
  if (keyFieldsOf(wide).length > 1) {
    const params = { place: `${type.name}.${field.name}`, type: wide.name };
    scope.diagnostics.push(diagnose('GG7006', params, spanOf(type, field)));
    return undefined;
  }
  if (column === undefined || found.length > 1) {
    const among =
      found.length > 1
        ? `${found.join(' and ')} could lead to it`
        : `${owner.name} has none of ${candidates.join(', ')}`;
    scope.report(type, `${among}: name the column with @store by`, field);
    return undefined;
  }
  return { field: field.name, to, kind, column, ...(field.page && { page: field.page.size }) };
}

/** The columns of the other type that hold keys of this one. */
export function columnsTo(type: GqlObjectType, other: GqlObjectType): readonly string[] {
  const back = other.fields.filter(
    (field) =>
      field.page === undefined && nullable(field.type).kind !== 'list' && itemType(field) === type.name,
  );
  const named = back.flatMap((field) => byOf(field) ?? [`${field.name}Id`, `${field.name}_id`]);
  const own = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
  return named.length > 0 ? named : [`${own}Id`, `${own}_id`];
}

/** The column that `@store by` names. */
export function byOf({ store }: GqlField): string | undefined {
  return store
    ?.find((text) => text.startsWith('by '))
    ?.slice(3)
    .trim();
}

/** The table of a name in a model. */
export function tableNamed({ tables }: StoreModel, name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`invariant: the model has the table ${name}`);
  return table;
}
