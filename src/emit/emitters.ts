import type { GqlSchema } from '../schema/gql-schema.js';
import { withSvcSpan } from '../tracing/svc-tracing.js';
import { schemaToCollection } from './collection.js';
import type { EmitOptions, Emitter } from './emitter.js';
import { schemaToGraphQL } from './graphql.js';
import { openApiMembers } from './openapi.js';
import { writeJson } from './text/write-json.js';

/** The emitters, in the order in which their files are listed. To add an artifact, add a line. */
export const emitters = [
  { file: 'schema.graphql', emit: (schema) => schemaToGraphQL(schema) },
  { file: 'openapi.json', emit: (schema, { title }) => writeJson(openApiMembers(schema, title)) },
  {
    file: 'collection.json',
    // Most of a collection is long strings, which `JSON.stringify` writes faster.
    emit: (schema, { collectionName, baseUrl }) =>
      `${JSON.stringify(schemaToCollection(schema, collectionName, baseUrl), null, 2)}\n`,
  },
] as const satisfies readonly Emitter[];

/** The names of the files of every topology. */
export type ArtifactFile = (typeof emitters)[number]['file'];

/** The text of every artifact, by its file name. */
export type Artifacts = Readonly<Record<ArtifactFile, string>>;

/** Builds every artifact of a schema. The same schema and options give the same bytes. */
export function emitAll(schema: GqlSchema, options: EmitOptions): Artifacts {
  return Object.fromEntries(
    emitters.map(({ file, emit }): [string, string] => [
      file,
      withSvcSpan(`gg.emit ${file}`, () => emit(schema, options)),
    ]),
  ) as Artifacts;
}
