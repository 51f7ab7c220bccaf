import { apiMapFile, printApiMap } from '../../../analysis/provenance/api-map.js';
import { withDefaults } from '../../../compiler/compile.js';
import type { EmitOptions } from '../../../compiler/emit/emitter.js';
import { emitAll, emitters } from '../../../compiler/emit/emitters.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';

/** Generates the artifacts of a schema, by file name: all, or the wanted ones. */
export function emitArtifacts(
  schema: GqlSchema,
  names: Partial<EmitOptions>,
  hasMap = true,
  wanted?: readonly string[],
): Readonly<Record<string, string>> {
  const isWanted = (file: string): boolean => wanted === undefined || wanted.includes(file);
  const writesMap = hasMap && isWanted(apiMapFile);
  const made = emitAll(
    schema,
    withDefaults({ ...names, ...(schema.info && { info: schema.info }) }),
    // The map is made of two of them.
    Object.keys(emitters).filter(
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
