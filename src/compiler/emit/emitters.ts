import { withSvcSpan } from '../../base/tracing/svc-tracing.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { schemaToWorkflows } from './arazzo.js';
import { schemaToAsyncAPI } from './asyncapi.js';
import { schemaToCollection, writeCollection } from './collection.js';
import type { ArtifactFile, EmitOptions, Emitter } from './emitter.js';
import { schemaToGraphQL } from './graphql.js';
import { openApiMembers } from './openapi.js';
import { writeJson } from './text/write-json.js';

/** The emitters, in the order in which their files are listed. To add an artifact, add a line. */
export const emitters = [
  { file: 'schema.graphql', emit: (schema) => schemaToGraphQL(schema) },
  {
    file: 'openapi.json',
    emit: (schema, { title, openapi, eventFormat, takesKeys }) =>
      writeJson(openApiMembers(schema, title, openapi, eventFormat, takesKeys)),
  },
  {
    file: 'collection.json',
    emit: (schema, { collectionName, baseUrl }) =>
      writeCollection(schemaToCollection(schema, collectionName, baseUrl)),
  },
  {
    file: 'asyncapi.json',
    emit: (schema, options) => {
      const document = schemaToAsyncAPI(schema, options);
      return document && writeJson(document);
    },
  },
  {
    file: 'workflows.arazzo.json',
    emit: (schema, { title }) => {
      const description = schemaToWorkflows(schema, title);
      return description && writeJson(description);
    },
  },
] as const satisfies readonly Emitter<ArtifactFile>[];

/** The files of every topology. The others are made on demand, if the schema has something for them. */
export const standardFiles = ['schema.graphql', 'openapi.json', 'collection.json'] as const;

/** The text of the artifacts, by file name. */
export type Artifacts = Readonly<Record<(typeof standardFiles)[number], string>> &
  Readonly<Partial<Record<ArtifactFile, string>>>;

/**
 * Builds the artifacts of a schema. The same schema and options give the same bytes.
 *
 * @param files - Which; by default the standard ones.
 */
export function emitAll(
  schema: GqlSchema,
  options: EmitOptions,
  files: readonly string[] = standardFiles,
): Artifacts {
  const artifacts: Record<string, string> = {};
  for (const { file, emit } of emitters as readonly Emitter[]) {
    if (!files.includes(file)) continue;
    const text = withSvcSpan(`gg.emit ${file}`, () => emit(schema, options));
    if (text !== undefined) artifacts[file] = text;
  }
  return artifacts as Artifacts;
}
