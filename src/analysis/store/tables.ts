import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { isStored, namedType } from '../../compiler/schema/schema-index.js';
import type { Column, ColumnKind, StoreModel, Table } from './model.js';
import { itemType, keyFieldsOf, linked, type Report, relationOf, type Scope, spanOf } from './relations.js';

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
      diagnose('GG7001', { place: field ? `${owner.name}.${field.name}` : owner.name, reason }, spanOf(owner, field)),
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
    ...(table.foreignKeys && { foreignKeys: table.foreignKeys.filter(({ to }) => isKnown(to)) }),
    relations: table.relations.filter(({ to }) => isKnown(to)),
  }));
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
