import type { EmitOptions } from '../../emit/emitter.js';
import type { GqlSchema } from '../../schema/gql-schema.js';

/**
 * The files that are written for an API, by their names: the artifacts, and the map of where they come from.
 *
 * @param hasMap - Whether the map is among them.
 */
export async function emitFiles(
  schema: GqlSchema,
  names: Partial<EmitOptions>,
  hasMap = true,
): Promise<Readonly<Record<string, string>>> {
  const { withDefaults } = await import('../../compile.js');
  const { emitAll } = await import('../../emit/emitters.js');
  const artifacts = emitAll(schema, withDefaults(names));
  if (!hasMap) return artifacts;
  const { apiMapFile, printApiMap } = await import('../../provenance/api-map.js');
  const map = printApiMap(schema, {
    openapi: JSON.parse(artifacts['openapi.json']),
    collection: JSON.parse(artifacts['collection.json']),
  });
  return { ...artifacts, [apiMapFile]: map };
}
