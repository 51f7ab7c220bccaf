import { camelCaseOf, capitalized, takeName, typeNameOf, whyInvalidName } from '../../../compiler/graph/names.js';
import { Draft, type DraftTag, type DraftValue, unfitDefault } from '../../import/draft/draft.js';
import { constantText } from '../../import/openapi/value-tags.js';
import {
  type Column,
  type ColumnKind,
  foreignKeysOf,
  keysOf,
  type Relation,
  type StoreModel,
  type Table,
} from '../model.js';
import type { CatalogModel } from './model-of-catalog.js';

/** How many items the pages of an imported topology have. */
const pageSize = 20;

/** A model with a field for the other row of each foreign key that no field follows, and for the rows on its other side. */
export function withRelations({ tables }: StoreModel): StoreModel {
  const followed = new Set(
    tables.flatMap(({ name, relations }) =>
      relations.map(({ kind, to, columns }) => `${kind === 'one' ? name : to}.${columns.join()}`),
    ),
  );
  const relations = new Map(tables.map((table) => [table.name, [...table.relations]]));
  const names = new Map(
    tables.map(({ name, columns, relations: fields }) => [
      name,
      new Set([...columns.map((column) => column.name), ...fields.map(({ field }) => field)]),
    ]),
  );
  const add = (table: string, wanted: string, relation: Omit<Relation, 'field'>) => {
    const field = takeName(names.get(table) as Set<string>, wanted);
    relations.get(table)?.push({ field, ...relation });
  };
  for (const table of tables) {
    const keys = foreignKeysOf(table);
    for (const { columns, to } of keys) {
      if (followed.has(`${table.name}.${columns.join()}`)) continue;
      const other = tables.find(({ name }) => name === to) as Table;
      const last = columns.at(-1) as string;
      // Of several columns, the last one may be any column of the key.
      const isNamed = columns.length === 1 || /id$/i.test(last);
      const bare = (isNamed && last.replace(/_?id$/i, '')) || camelCaseOf(other.type);
      add(table.name, bare, { to, kind: 'one', columns });
      const isOnly = keys.filter((one) => one.to === to).length === 1;
      const many = `${pluralOf(table)}${isOnly ? '' : `By${typeNameOf(bare)}`}`;
      add(to, many, { to: table.name, kind: 'many', columns, page: pageSize });
    }
  }
  return {
    tables: tables.map((table) => ({ ...table, relations: relations.get(table.name) as Relation[] })),
  };
}

/** The name of rows in fields and operations: `books` for `book` and for `books`. */
function pluralOf({ type }: Table): string {
  const name = camelCaseOf(type);
  if (name.endsWith('s')) return name;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}${/(?:x|ch|sh)$/.test(name) ? 'es' : 's'}`;
}

/** The nodes of the tables of a database, and edges that read and write their rows. */
export function draftOfModel({ model, scalars, losses }: CatalogModel): Draft {
  const draft = new Draft();
  draft.losses.push(...losses);
  draft.reserveTypeNames([...Object.values(typeNames), 'UUID']);
  const named = model.tables.filter((table) => {
    const name = draft.takeTypeName(table.type, table.name, true, false);
    if (name !== table.type) draft.lose(table.name, `table ${table.name}`, 'The name of its type is taken.');
    return name === table.type;
  });
  for (const table of named) {
    const enums = new Map(table.columns.flatMap((column) => enumOf(draft, table, column)));
    const typeOf = (column: Column) =>
      enums.get(column.name) ??
      (column.kind === 'text' &&
      [keysOf(table), ...foreignKeysOf(table).map(({ columns }) => columns)].some((names) =>
        names.includes(column.name),
      )
        ? 'ID'
        : (scalars[`${table.name}.${column.name}`] ?? typeNames[column.kind]));
    draft.addNode(nodeOf(draft, table, typeOf));
    addEdges(draft, table, typeOf);
  }
  return draft;
}

const typeNames: Readonly<Record<ColumnKind, string>> = {
  text: 'String',
  integer: 'Int',
  long: 'BigInt',
  float: 'Float',
  boolean: 'Boolean',
  instant: 'DateTime',
  json: 'JSON',
};

/** Adds the node of an enum column, and returns the name of its type; reports values that no enum has. */
function enumOf(
  draft: Draft,
  { name: table }: Table,
  { name, values }: Column,
): readonly (readonly [string, string])[] {
  if (values === undefined) return [];
  const place = `${table}.${name}`;
  if (values.some((value) => whyInvalidName(value) !== undefined || /^(?:true|false|null)$/.test(value)))
    return draft.lose(place, `values ${values.join(', ')}`, 'Values of enums are names.') ?? [];
  const typeName = draft.takeTypeName(typeNameOf(`${table}_${name}`), place, false, false);
  draft.addNode({
    typeName,
    place,
    labels: ['Enum'],
    values: values.map((value) => ({ name: value, place })),
  });
  return [[name, typeName]];
}

function nodeOf(draft: Draft, table: Table, typeOf: (column: Column) => string) {
  const fields = table.columns.map((column): DraftValue => {
    const place = `${table.name}.${column.name}`;
    const type = typeOf(column);
    const fallback = defaultOf(column, type);
    const isConstant = column.fallback?.kind === 'value' && column.role === undefined;
    if (isConstant && fallback === undefined) draft.lose(place, `default of ${place}`, unfitDefault);
    return {
      name: column.name,
      type: `${type}${column.isNullable ? '' : '!'}`,
      place,
      tags: [...limitsOf(column, type), ...storeTags(table, column)],
      ...(isConstant && { fallback }),
    };
  });
  const relations = table.relations.map(
    ({ field, to, kind, columns, page }): DraftValue => ({
      name: field,
      type: kind === 'one' ? typeNameOf(to) : `[${typeNameOf(to)}!]!`,
      place: `${table.name}.${columns[0]}`,
      tags: [
        ...(page === undefined ? [] : [{ name: 'page', text: String(page) }]),
        { name: 'store', text: `by ${columns.join(', ')}` },
      ],
    }),
  );
  return {
    id: table.name,
    typeName: table.type,
    place: table.name,
    labels: ['Stored'],
    fields: [...fields, ...relations],
    tags: [
      ...(table.owner === undefined ? [] : [{ name: 'owner', text: table.owner }]),
      ...(table.uniques ?? []).map((columns) => ({ name: 'store', text: `unique ${columns.join(', ')}` })),
    ],
  };
}

function storeTags(table: Table, column: Column): readonly DraftTag[] {
  const { name, role, fallback, isUnique, isIndexed, references } = column;
  const isKey = keysOf(table).includes(name);
  const isMade = fallback !== undefined && fallback.kind !== 'value' && role === undefined;
  const words = [
    ...(isKey && (name !== 'id' || table.keys) ? ['key'] : []),
    ...(role === undefined ? [] : [role]),
    // A text key gets a UUID by itself.
    ...(isMade && !(isKey && !table.keys && fallback.kind === 'uuid') ? [`default ${fallback.kind}`] : []),
    ...(isUnique ? ['unique'] : []),
    ...(isIndexed && references === undefined ? ['index'] : []),
  ];
  return words.map((text) => ({ name: 'store', text }));
}

/** The limits of numbers and texts; other columns have none in the database. */
function limitsOf({ constraints = {} }: Column, type: string): readonly DraftTag[] {
  if (!/^(?:String|ID|Int|BigInt|Float)$/.test(type)) return [];
  return Object.entries(constraints).map(([name, value]) => ({ name, text: String(value) }));
}

/** A default as a topology writes it; undefined for one that it cannot write. */
function defaultOf({ values, fallback }: Column, type: string): string | undefined {
  if (fallback?.kind !== 'value') return undefined;
  const { value } = fallback;
  return values !== undefined && type !== 'String' ? String(value) : constantText(value);
}

/** The edges of a table: a row by its key, a page of rows, and a mutation for each kind of write. */
function addEdges(draft: Draft, table: Table, typeOf: (column: Column) => string): void {
  const { name: place, type, columns } = table;
  const keys = keysOf(table);
  const root = draft.sourceAt(place);
  const one = camelCaseOf(type);
  const many = pluralOf(table);
  const keyColumns = keys.map((key) => columns.find(({ name }) => name === key) as Column);
  const keyArguments = keyColumns.map((column) => ({
    name: column.name,
    type: `${typeOf(column)}!`,
    place,
  }));
  const add = (
    kind: 'PROCESS' | 'FOLD',
    wanted: string,
    settings: readonly (readonly [string, string])[],
    given: readonly DraftValue[],
  ) => {
    const operation = draft.takeOperationName(kind, wanted, place, false);
    draft.edges.push({
      type: kind,
      from: [root],
      to: table.name,
      place,
      subject: `operation ${operation}`,
      settings: [['operation', `'${operation}'`] as const, ...settings].map(([name, text]) => ({
        key: name,
        text,
        place,
      })),
      arguments: given,
    });
  };
  add('PROCESS', one === many ? `${one}By${keys.map(capitalized).join('And')}` : one, [], keyArguments);
  add(
    'PROCESS',
    many,
    [
      ['returns', `[${type}!]!`],
      ['page', String(pageSize)],
    ],
    [],
  );
  // The store gives the times of writes, and counts versions.
  const given = columns.filter(({ role, fallback }) => role === undefined && fallback?.kind !== 'now');
  const content = given.filter(({ name }) => !keys.includes(name));
  const isKeyMade = keys.length === 1 && keyColumns[0]?.kind === 'text' && content.length > 0;
  add(
    'FOLD',
    `add${type}`,
    [
      ['returns', `${type}!`],
      ['writes', `'insert'`],
    ],
    given.map((column) => {
      const { name, isNullable, fallback } = column;
      const isRequired = keys.includes(name) ? !isKeyMade : !isNullable && fallback === undefined;
      return { name, type: `${typeOf(column)}${isRequired ? '!' : ''}`, place };
    }),
  );
  if (content.length > 0) {
    const version = columns.filter(({ role }) => role === 'version');
    const changed = [...content, ...version].map(
      (column): DraftValue => ({
        name: column.name,
        type: typeOf(column),
        place,
        ...(!column.isNullable && { tags: [{ name: 'notNull', text: '' }] }),
      }),
    );
    add('FOLD', `change${type}`, [['writes', `'update'`]], [...keyArguments, ...changed]);
  }
  add('FOLD', `delete${type}`, [['writes', `'delete'`]], keyArguments);
}
