import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { isStored, namedType } from '../../compiler/schema/schema-index.js';
import { type StoredField, type StoredType, withImpliedColumns } from './implied-columns.js';
import type { Column, ColumnKind, SortedBy, StoreModel, Table } from './model.js';
import { itemType, keyFieldsOf, linked, type Report, relationOf, type Scope, spanOf } from './relations.js';

/**
 * The tables of a schema, with the findings about them (GG7001, GG7005, GG7006). A table with findings is left out.
 */
export function storeModelOf(schema: GqlSchema): {
  readonly model: StoreModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const byType = withImpliedColumns(schema.objects.filter(isStored));
  const report: Report = (owner, reason, field) =>
    diagnostics.push(
      diagnose('GG7001', { place: field ? `${owner.name}.${field.name}` : owner.name, reason }, spanOf(owner, field)),
    );
  const tables = [...byType.values()].flatMap((type) => {
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
    ...(table.foreignKeys && { foreignKeys: table.foreignKeys.filter(({ to }) => isKnown(to)) }),
    relations: table.relations.filter(({ to }) => isKnown(to)),
  }));
}

function tableOf(type: StoredType, scope: Scope): Table | undefined {
  const fields = type.fields.filter(({ renamed }) => renamed === undefined);
  const isRelation = (field: StoredField) => scope.byType.has(itemType(field));
  const columns = fields.filter((field) => !isRelation(field)).map((field) => columnOf(type, field, scope));
  const keyFields = keyFieldsOf(type);
  const wrong = keyFields.find(isRelation);
  if (wrong !== undefined) {
    scope.report(type, 'a relation is no key: give its column a field, and mark that with @store key', wrong);
    return undefined;
  }
  const [key, ...more] = keyFields.map(({ name }) => name);
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
  const { uniques, order } = rulesOf(type, columns, scope.diagnostics);
  const names = [type.node?.id as string, ...columns.map(({ name }) => name)];
  const long = names.find((name) => name.length > 63);
  if (long !== undefined) scope.report(type, `PostgreSQL has no name of more than 63 characters: ${long}`);
  const lower = names.slice(1).map((name) => name.toLowerCase());
  const same = lower.findIndex((name, at) => lower.indexOf(name) < at);
  if (same >= 0) scope.report(type, `SQLite does not tell ${names[same + 1]} from another field by its case`);
  if (/^(?:sqlite|gg_svc)_/i.test(names[0] as string))
    scope.report(type, 'names with “sqlite_” and “gg_svc_” in front are those of the store');
  const references = new Map(
    relations.flatMap(({ kind, columns: [column = '', ...others], to }) =>
      kind === 'one' && others.length === 0 ? [[column, to] as const] : [],
    ),
  );
  return {
    name: type.node?.id as string,
    type: type.name,
    key,
    ...(more.length > 0 && { keys }),
    ...(uniques.length > 0 && { uniques }),
    ...(order.length > 0 && { order }),
    columns: columns.map((given) => {
      const to = references.get(given.name);
      const column = keys.includes(given.name) ? ownKey(given) : given;
      // The key of one column may refer to another row, but does not say so.
      return to === undefined || (more.length === 0 && given.name === key) ? column : { ...column, references: to };
    }),
    relations,
    ...(type.owner !== undefined && { owner: type.owner }),
  };
}

/** The rules of a node: `@store unique a, b` and `@store order a desc, b`. One that no database keeps is a finding (GG7005). */
function rulesOf(type: GqlObjectType, columns: readonly Column[], diagnostics: Diagnostic[]) {
  const uniques: (readonly string[])[] = [];
  const order: SortedBy[] = [];
  for (const rule of type.store ?? []) {
    const [word, ...names] = rule.split(/[\s,]+/);
    const sorted = rule
      .slice('order'.length)
      .split(',')
      .map((one) => one.trim().split(/\s+/));
    const isOrder =
      word === 'order' &&
      sorted.every(([name, way = 'asc', ...more]) => name && /^(?:asc|desc)$/.test(way) && more.length === 0);
    const own = isOrder ? sorted.map(([name = '']) => name) : names;
    const kindOfColumn = (name: string) => columns.find((one) => one.name === name)?.kind;
    const wrong = own.find((name) => kindOfColumn(name) === undefined);
    const json = own.find((name) => kindOfColumn(name) === 'json');
    const isUnique = word === 'unique' && names.length > 1 && new Set(names).size === names.length;
    const reason =
      !isUnique && !isOrder
        ? 'it is neither “unique” with two columns or more, nor “order” with columns and their directions'
        : wrong !== undefined
          ? `“${wrong}” is no column`
          : json !== undefined
            ? `“${json}” is an object, a list or JSON, which is not compared`
            : undefined;
    if (reason !== undefined)
      diagnostics.push(diagnose('GG7005', { rule, place: type.name, reason }, spanOf(type, undefined)));
    else if (isUnique) uniques.push(names);
    else order.push(...sorted.map(([column = '', way]) => ({ column, isDescending: way === 'desc' })));
  }
  return { uniques, order };
}

/** The words of `@store` that say how a column is kept. `was NAME`, `by NAME` and `default …` have more behind them. */
const words = ['key', 'unique', 'index', 'created', 'updated', 'version', 'was', 'by', 'default'];

function columnOf(type: StoredType, field: StoredField, { schema, report }: Scope): Column {
  const { name, type: ref, constraints, fallback, store = [], relation } = field;
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
    ...(relation && { relation }),
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
  const { standard, specifiedBy } = found.type;
  // A topology may describe its moments itself.
  if (known !== undefined && (standard || (name === 'DateTime' && /\brfc3339\b/.test(specifiedBy ?? '')))) return known;
  // A scalar whose JSON form is a text; a custom one may be anything.
  return found.wire?.jsonSchema.type === 'string' ? 'text' : 'json';
}
