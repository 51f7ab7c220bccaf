import { schemaToTypeScript, type TypeScriptOptions } from '../../compiler/emit/typescript/typescript.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Column, ColumnKind, StoreModel } from './model.js';
import { storeModelOf } from './tables.js';

/** The types of values: as both engines give them, and as they take them where that differs. */
const types: Readonly<Record<ColumnKind, readonly [given: string, taken?: string]>> = {
  text: ['string'],
  integer: ['number'],
  float: ['number'],
  long: ['string | number', 'bigint | number | string'],
  // SQLite has no booleans: it gives 0 and 1.
  boolean: ['boolean | number', 'boolean'],
  instant: ['string', 'Date | string'],
  json: ['unknown', 'string'],
};

/** The types of a schema with those of its tables, as `gg-svc types` and the playground show them. */
export function schemaToTypesWithTables(schema: GqlSchema, options: TypeScriptOptions = {}): string {
  const text = schemaToTypeScript(schema, options);
  return options.only === 'rest' ? text : text + storeTablesToTypeScript(storeModelOf(schema).model);
}

/**
 * Writes the interface `StoreTables` of the tables of a topology, the `Database` interface of Kysely: the type argument
 * of `RequestContext`. Empty without tables.
 */
export function storeTablesToTypeScript({ tables }: StoreModel): string {
  if (tables.length === 0) return '';
  const members = tables.map(
    ({ name, columns }) =>
      `  readonly ${keyOf(name)}: {\n${columns.map((column) => `    readonly ${keyOf(column.name)}: ${typeOf(column)};\n`).join('')}  };\n`,
  );
  return `\n/** The tables of the store, for Kysely: \`RequestContext<StoreTables>\`. */\nexport interface StoreTables {\n${members.join('')}}\n`;
}

function typeOf({ kind, isNullable, values, fallback }: Column): string {
  const [whole, taken] = types[kind];
  const given = values?.map((value) => `'${value}'`).join(' | ') ?? whole;
  const orNull = (text: string) => (isNullable && text !== 'unknown' ? `${text} | null` : text);
  // The writer of a row makes a UUID; the database knows the other defaults.
  const isGenerated = fallback !== undefined && fallback.kind !== 'uuid';
  const written =
    taken === undefined
      ? orNull(given)
      : `import('kysely').ColumnType<${orNull(given)}, ${orNull(taken)}${isGenerated ? ' | undefined' : ''}, ${orNull(taken)}>`;
  return isGenerated && taken === undefined ? `import('kysely').Generated<${written}>` : written;
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
