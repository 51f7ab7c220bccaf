import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { TypeScriptOptions } from '../../emit/typescript.js';
import { createSuggester } from '../../graph/suggest.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { type CliOptions, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import type { WriteOutcome } from './write-files.js';

/** The options by which custom scalars get their types. */
export function defineScalarOptions(command: Command): Command {
  return command
    .option('--scalar <name=type>', 'what a custom scalar is in TypeScript; may be repeated', collect)
    .option('--rest-scalar <name=type>', 'what it is as JSON over REST, where that differs', collect);
}

/** Not a list of commander, which would take the files behind it for scalars. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Reads those options, and `--only`; throws a UsageError for one that makes no sense. */
export function readTypeOptions(options: CliOptions): TypeScriptOptions {
  const { only } = options;
  return {
    scalars: readPairs(options.scalar, '--scalar'),
    restScalars: readPairs(options.restScalar, '--rest-scalar'),
    ...(only === 'resolvers' || only === 'rest' ? { only } : {}),
  };
}

/** Writes the types of a schema into a file; throws a UsageError for a scalar that the schema does not have. */
export async function writeTypes(
  schema: GqlSchema,
  types: TypeScriptOptions,
  out: string,
  io: CliIo,
): Promise<WriteOutcome> {
  const text = await emitTypes(schema, types);
  const { writeArtifacts } = await import('./write-files.js');
  const folder = dirname(out);
  return writeArtifacts(resolve(io.directory, folder), folder, { [basename(out)]: text });
}

/** The types of a schema; throws a UsageError for a scalar that the schema does not have. */
export async function emitTypes(schema: GqlSchema, types: TypeScriptOptions): Promise<string> {
  const known = schema.scalars.map(({ name }) => name);
  for (const name of Object.keys({ ...types.scalars, ...types.restScalars })) {
    if (known.includes(name)) continue;
    const nearest = createSuggester(known).nearest(name);
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new UsageError(`The topology has no custom scalar ${name}.${hint}`);
  }
  const { schemaToTypeScript } = await import('../../emit/typescript.js');
  return schemaToTypeScript(schema, types);
}

function readPairs(value: unknown, option: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const text of Array.isArray(value) ? value.map(String) : []) {
    const [, name, type] = /^(\w+)=([^\r\n;]*[^\s;])\s*$/.exec(text) ?? [];
    if (name === undefined || type === undefined) {
      throw new UsageError(`${option} takes a name and a type, such as DateTime=string, not ${text}.`);
    }
    pairs[name] = type;
  }
  return pairs;
}
