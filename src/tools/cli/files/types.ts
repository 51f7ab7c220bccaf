import { schemaToTypesWithTables } from '../../../analysis/store/table-types.js';
import type { TypeScriptOptions } from '../../../compiler/emit/typescript/typescript.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { type CliOptions, type CliOptionTable, repeatable, UsageError } from '../terminal/command.js';
import { readPairs } from '../terminal/option-values.js';

/** The options of generated types, beside `--only`. */
export const typeOptions: CliOptionTable = {
  '--scalar <name=type>': repeatable('TypeScript type of a custom scalar; repeatable'),
  '--rest-scalar <name=type>': repeatable('its type as JSON over REST, if different; repeatable'),
  '--invalidation': 'add the paths of queries that mutations and events make stale',
  '--strict-nulls': 'values of resolvers must have each nullable field, as a value or null',
};

/** Reads the options of types; throws a UsageError for an invalid value. */
export function readTypeOptions(options: CliOptions): TypeScriptOptions {
  const { only } = options;
  return {
    scalars: readScalars(options.scalar, '--scalar'),
    restScalars: readScalars(options.restScalar, '--rest-scalar'),
    ...(options.strictNulls === true && { strictNulls: true }),
    ...(options.invalidation === true && { invalidation: true }),
    ...(only === 'resolvers' || only === 'rest' ? { only } : {}),
  };
}

function readScalars(value: unknown, option: string) {
  const form = /^(\w+)=([^\r\n;]*[^\s;])\s*$/;
  return readPairs(value, option, form, 'a name and a type, such as DateTime=string', false);
}

/** Generates the TypeScript types of a schema; throws a UsageError for an unknown scalar. */
export function emitTypes(schema: GqlSchema, types: TypeScriptOptions): string {
  const known = schema.scalars.map(({ name }) => name);
  for (const name of Object.keys({ ...types.scalars, ...types.restScalars })) {
    if (known.includes(name)) continue;
    throw new UsageError(`The topology has no custom scalar ${name}.${didYouMean(name, known)}`);
  }
  return schemaToTypesWithTables(schema, types);
}
