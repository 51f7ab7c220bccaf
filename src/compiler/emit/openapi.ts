import type { OpenAPIV3_1 } from 'openapi-types';
import type { EventFormat } from '../api/cloud-event.js';
import { allOperations, type GqlApiInfo, type GqlOperation, type GqlSchema } from '../schema/gql-schema.js';
import { wireView } from '../schema/wire-view.js';
import type { EmitOptions } from './emitter.js';
import { chainSchemas } from './openapi/chains.js';
import { componentSchemas, narrowedSchemas } from './openapi/component-schemas.js';
import type { IoExtension, TopologyExtension } from './openapi/extensions.js';
import { restPaths } from './openapi/operations.js';
import { fieldsParameter, idempotencyKeyParameters } from './openapi/parameters.js';
import { declaredProblemSchema, problemComponents, problemName, problemSchema } from './openapi/problems.js';
import { securitySchemes } from './openapi/security.js';
import { eventParameters, eventSchemas } from './openapi/streams.js';
import type { ComponentSchemas } from './openapi/type-schema.js';
import { withoutUnusedSchemas } from './openapi/used-schemas.js';
import { Members } from './text/write-json.js';

/**
 * Describes the REST API of a schema as an OpenAPI 3.1 document: `GET /api/{query}` with typed query parameters,
 * `POST /api/{mutation}` with the arguments as its body, or the routes that the topology gives, and
 * `GET /api/{subscription}` as Server-Sent Events; errors as problem details (RFC 9457), and a component for every type
 * and input.
 *
 * @param eventFormat the format of the events of streams; `json` by default
 * @param takesKeys whether mutations take an idempotency key; those with `idempotent: 'required'` always do
 * @param pageSize the maximum number of items in a page, or false for none; 1000 by default
 *
 * @example
 * ```ts
 * import { compile, schemaToOpenAPI } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToOpenAPI(result.schema, 'Users').paths);
 * ```
 */
export function schemaToOpenAPI(
  schema: GqlSchema,
  title: string,
  eventFormat: EventFormat = 'json',
  takesKeys = false,
  pageSize?: EmitOptions['pageSize'],
): OpenAPIV3_1.Document<TopologyExtension> & IoExtension {
  const members = openApiMembers(schema, { title, eventFormat, takesKeys, pageSize });
  return members.toObject() as unknown as ReturnType<typeof schemaToOpenAPI>;
}

type OpenApiOptions = Pick<
  EmitOptions,
  'title' | 'openapi' | 'eventFormat' | 'takesKeys' | 'streams' | 'unusedSchemas' | 'pageSize'
>;

/** The same document, with paths and component schemas that are made while they are written. */
export function openApiMembers(
  whole: GqlSchema,
  { title, openapi: version = '3.1', eventFormat = 'json', takesKeys = false, ...parts }: OpenApiOptions,
): Members {
  const all = wireView(whole);
  const schema = parts.streams === false ? { ...all, subscriptions: [] } : all;
  const problem = problemName(schema);
  const components = {
    schemas: new Members(allSchemas(schema, problem, parts.pageSize)),
    parameters: {
      Fields: fieldsParameter(fieldsDescription),
      ...eventParameters(schema),
      ...idempotencyKeyParameters(schema, takesKeys),
    },
    responses: problemComponents(schema, problem),
    ...securitySchemes(schema),
  };
  const members = {
    openapi: `${version}.0`,
    info: infoOf(schema.info, title),
    servers: schema.info?.servers ?? [{ url: '/' }],
    security: [],
    tags: tagsOf(schema),
    paths: new Members(restPaths(schema, { version, eventFormat, takesKeys, pageSize: parts.pageSize })),
    components: new Members(Object.entries(components)),
    ...(schema.io === undefined ? {} : { 'x-io': schema.io }),
  };
  const document = new Members(Object.entries(members));
  return parts.unusedSchemas === false
    ? new Members(Object.entries(withoutUnusedSchemas(document.toObject())))
    : document;
}

const fieldsDescription =
  'Returns only these fields: paths such as `id,team.name`. The response then has its own media type, whose schema requires no field.';

/** The component schemas, by their names. */
export function* allSchemas(schema: GqlSchema, problem: string, pageSize?: EmitOptions['pageSize']): ComponentSchemas {
  const names = new Map(schema.enums.map((type) => [type.name, type.names]));
  for (const [name, made] of componentSchemas(schema)) {
    const varnames = names.get(name);
    // Generators of clients name the values so.
    yield [name, varnames === undefined ? made : Object.assign(made, { 'x-enum-varnames': varnames })];
  }
  yield* narrowedSchemas(schema);
  yield* eventSchemas(schema);
  yield* chainSchemas(schema, pageSize);
  for (const declared of schema.problems ?? []) yield [declared.name, declaredProblemSchema(schema, declared)];
  yield [problem, problemSchema()];
}

/** The members of `info` that the metadata has (OpenAPI 3.1, section 4.8.2). */
export function infoOf(info: GqlApiInfo | undefined, title: string): OpenAPIV3_1.InfoObject {
  const { servers, tags, title: _, version = '1.0.0', ...rest } = info ?? {};
  return { title, version, ...rest };
}

/** A tag of the metadata describes the one of that name, or is added. */
function tagsOf(schema: GqlSchema): OpenAPIV3_1.TagObject[] {
  const { queries, mutations, subscriptions, info } = schema;
  const tags = new Map<string, OpenAPIV3_1.TagObject>();
  const add = (tag: OpenAPIV3_1.TagObject): void => {
    tags.set(tag.name, { ...tags.get(tag.name), ...tag });
  };
  const isUntagged = (operation: GqlOperation) => operation.tags === undefined;
  if (queries.some(isUntagged)) add({ name: 'query', description: 'Operations that read data.' });
  if (mutations.some(isUntagged)) add({ name: 'mutation', description: 'Operations that change data.' });
  if (subscriptions.some(isUntagged)) add({ name: 'subscription', description: 'Streams of events.' });
  for (const { tags: own } of allOperations(schema)) for (const name of own ?? []) add({ name });
  info?.tags?.forEach(add);
  return [...tags.values()];
}
