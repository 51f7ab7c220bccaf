import { withSvcSpan } from '../../base/tracing/svc-tracing.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { withReceiveSteps } from './arazzo/receive-steps.js';
import { schemaToWorkflows } from './arazzo.js';
import { schemaToAsyncAPI } from './asyncapi.js';
import { schemaToCollection, writeCollection } from './collection.js';
import type { ArtifactFile, EmitOptions } from './emitter.js';
import { schemaToGraphQL } from './graphql.js';
import { openApiMembers } from './openapi.js';
import { writeJson } from './text/write-json.js';

type Emitter = (schema: GqlSchema, options: EmitOptions) => string | undefined;

/**
 * The emitters by the files that they make. Each gives the text of its file, with a final line break; undefined if the
 * schema has nothing for it. To add an artifact, add a line.
 */
export const emitters: Readonly<Record<ArtifactFile, Emitter>> = {
  'schema.graphql': schemaToGraphQL,
  'openapi.json': (schema, options) => writeJson(openApiMembers(schema, options)),
  'collection.json': (schema, { collectionName, baseUrl }) =>
    writeCollection(schemaToCollection(schema, collectionName, baseUrl)),
  'asyncapi.json': (schema, options) => written(schemaToAsyncAPI(schema, options)),
  'workflows.arazzo.json': (schema, { title, arazzo }) => {
    const workflows = schemaToWorkflows(schema, title);
    return written(workflows && arazzo === '1.1' ? withReceiveSteps(workflows) : workflows);
  },
};

function written(document: object | undefined): string | undefined {
  return document && writeJson(document);
}

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
export function emitAll(schema: GqlSchema, options: EmitOptions, files: readonly string[] = standardFiles): Artifacts {
  const artifacts: Record<string, string> = {};
  for (const [file, emit] of Object.entries(emitters)) {
    if (!files.includes(file)) continue;
    const text = withSvcSpan(`gg.emit ${file}`, () => emit(schema, options));
    if (text !== undefined) artifacts[file] = text;
  }
  return artifacts as Artifacts;
}
