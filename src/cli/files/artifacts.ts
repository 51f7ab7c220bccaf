import type { Command } from 'commander';
import { withDefaults } from '../../compile.js';
import type { EmitOptions } from '../../emit/emitter.js';
import { emitAll, emitters } from '../../emit/emitters.js';
import { schemaToTypeScript, type TypeScriptOptions } from '../../emit/typescript/typescript.js';
import { apiMapFile, printApiMap } from '../../provenance/api-map.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { type CliOptions, UsageError } from '../terminal/command.js';
import { collect, didYouMean, readPairs } from '../terminal/option-values.js';

/**
 * Generates the artifacts of a schema, by file name.
 *
 * @param hasMap - Whether to include `api.map.json`.
 * @param wanted - The files to include; by default all.
 */
export async function emitArtifacts(
  schema: GqlSchema,
  names: Partial<EmitOptions>,
  hasMap = true,
  wanted?: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const isWanted = (file: string): boolean => wanted === undefined || wanted.includes(file);
  const writesMap = hasMap && isWanted(apiMapFile);
  const files = emitters.map(({ file }) => file);
  const made = emitAll(
    schema,
    withDefaults({ ...names, ...(schema.info && { info: schema.info }) }),
    // The map is made of two of them.
    files.filter(
      (file) => isWanted(file) || (writesMap && (file === 'openapi.json' || file === 'collection.json')),
    ),
  );
  const chosen = Object.fromEntries(Object.entries(made).filter(([file]) => isWanted(file)));
  if (!writesMap) return chosen;
  const map = printApiMap(schema, {
    openapi: JSON.parse(made['openapi.json']),
    collection: JSON.parse(made['collection.json']),
  });
  return { ...chosen, [apiMapFile]: map };
}

/** Adds the options that map custom scalars to TypeScript types. */
export function defineScalarOptions(command: Command): Command {
  return command
    .option('--scalar <name=type>', 'TypeScript type of a custom scalar; repeatable', collect)
    .option('--rest-scalar <name=type>', 'its type as JSON over REST, if different; repeatable', collect);
}

/** Reads the scalar options and `--only`; throws a UsageError for an invalid value. */
export function readTypeOptions(options: CliOptions): TypeScriptOptions {
  const { only } = options;
  return {
    scalars: readPairs(options.scalar, '--scalar', scalarPair),
    restScalars: readPairs(options.restScalar, '--rest-scalar', scalarPair),
    ...(only === 'resolvers' || only === 'rest' ? { only } : {}),
  };
}

const scalarPair = {
  form: /^(\w+)=([^\r\n;]*[^\s;])\s*$/,
  expected: 'a name and a type, such as DateTime=string',
  isSecret: false,
};

/** Generates the TypeScript types of a schema; throws a UsageError for an unknown scalar. */
export async function emitTypes(schema: GqlSchema, types: TypeScriptOptions): Promise<string> {
  const known = schema.scalars.map(({ name }) => name);
  for (const name of Object.keys({ ...types.scalars, ...types.restScalars })) {
    if (known.includes(name)) continue;
    throw new UsageError(`The topology has no custom scalar ${name}.${didYouMean(name, known)}`);
  }
  return schemaToTypeScript(schema, types);
}
