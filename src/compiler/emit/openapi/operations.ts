import type { OpenAPIV3_1 } from 'openapi-types';
import { type LineMap, positionAt } from '../../../base/source/source-file.js';
import { hasFurtherWords, withAccess, withReason } from '../../api/access.js';
import { headerFields, sentFields } from '../../api/answer-headers.js';
import { exampleArguments, exampleResult } from '../../api/examples.js';
import { isRequired } from '../../api/is-required.js';
import { conditionalHeader } from '../../api/request-headers.js';
import {
  allRoutes,
  answerType,
  type DocumentedPath,
  documentPaths,
  hasContent,
  narrowedMediaType,
  placeArguments,
  type RestRoute,
  takesFields,
} from '../../api/rest-routes.js';
import { answerSelection } from '../../api/selection.js';
import { accessOf } from '../../graph/access.js';
import type { JsonValue } from '../../graph/json-value.js';
import { appendTo } from '../../graph/maps.js';
import { capitalized, takeName, titleOf, uncapitalized } from '../../graph/names.js';
import { nonNull, nullable } from '../../graph/type-ref.js';
import { totalCountHeader } from '../../schema/cursor.js';
import { isDefaultDescription } from '../../schema/edge-rules/edge-rules.js';
import type { GqlArgument, GqlEdgeOrigin, GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { chainPaths } from './chains.js';
import { argumentsSchema, narrowedSchema } from './component-schemas.js';
import { channelsOf, type Operation, type TopologyEdge } from './extensions.js';
import { formBody } from './form-body.js';
import { operationLinks } from './links.js';
import {
  headerParameter,
  idempotencyKeyRefs,
  type Parameter,
  parameterRef,
  pathParameter,
  queryParameter,
} from './parameters.js';
import { problemResponses } from './problems.js';
import { securityRequirements } from './security.js';
import { addStream, type StreamStyle, streamParameters, streamResponse } from './streams.js';
import { pageLimits, setDescription, typeSchema } from './type-schema.js';

type Method = Lowercase<RestRoute['method']>;
type PathItem = Partial<Record<Method, Operation>>;

/** The paths of the REST inventory, and those of the streams. */
export function* restPaths(schema: GqlSchema, style: StreamStyle): Iterable<readonly [string, PathItem]> {
  const sources = new Map(schema.sources.map((source) => [source.name, source]));
  const ids = operationIds(schema);
  const routesAt = new Map<string, RestRoute[]>();
  const documented = documentPaths();
  const names = new Map<RestRoute, DocumentedPath['nameOf']>();
  for (const route of ids.keys()) {
    const { path, nameOf } = documented(route);
    appendTo(routesAt, path, route);
    names.set(route, nameOf);
  }
  const links = operationLinks(schema, ids, names);
  const headers = headerFields(schema);
  const allIds = new Set(ids.values());
  for (const [path, routes] of routesAt) {
    const item: PathItem = {};
    for (const route of routes) {
      const method = route.method.toLowerCase() as Method;
      const { get } = item;
      const made = restOperation(schema, route, ids.get(route) as string, names.get(route), sources, style);
      const success = made.responses?.[route.operation.status ?? 200] as OpenAPIV3_1.ResponseObject;
      const ofOperation = links.get(route.operation);
      if (ofOperation !== undefined) success.links = ofOperation;
      if (headers.size > 0) addHeaders(schema, success, sentFields(headers, route.operation));
      if (isMisread(route, ids.get(route) as string, allIds)) made['x-operation'] = route.operation.name;
      const isStream = route.operation.kind === 'subscription';
      const query = isStream ? routes.find((other) => other !== route && other.method === 'GET') : undefined;
      if (query !== undefined && get !== undefined) addStream(get, made, schema, query, route);
      else item[method] = made;
    }
    yield [path, item];
  }
  yield* chainPaths(schema, ids, style);
}

/**
 * The operation ids, from which generators take the names of client functions: the name of the operation, or, for a
 * mutation with the name of a query and a subscription with the name of either, its method (`post`) and that name.
 */
export function operationIds(schema: GqlSchema): ReadonlyMap<RestRoute, string> {
  const routes = allRoutes(schema);
  const taken = new Set(routes.map(({ operation }) => operation.name));
  const before = new Set<string>();
  const ids = new Map<RestRoute, string>();
  for (const route of routes) {
    const { name } = route.operation;
    const withMethod = `${route.method.toLowerCase()}${capitalized(name)}`;
    ids.set(route, before.has(name) ? takeName(taken, withMethod) : name);
    before.add(name);
  }
  return ids;
}

/** Whether an operation id is not the name of its operation, or reads as one that is made of another name or id. */
function isMisread(
  { operation: { name }, method, path }: RestRoute,
  operationId: string,
  allIds: ReadonlySet<string>,
): boolean {
  const rest = operationId.startsWith(method.toLowerCase()) ? operationId.slice(method.length).replace(/_+$/, '') : '';
  const other = /^[A-Z]/.test(rest) ? uncapitalized(rest) : '';
  return operationId !== name || allIds.has(other) || path === `/api/${other}`;
}

function restOperation(
  schema: GqlSchema,
  route: RestRoute,
  operationId: string,
  nameOf: DocumentedPath['nameOf'] | undefined,
  sources: ReadonlyMap<string, LineMap>,
  style: StreamStyle,
): Operation {
  const { operation } = route;
  const isStream = operation.kind === 'subscription';
  const places = placeArguments(route);
  const canNarrow = takesFields(schema, route) && hasContent(operation);
  const parameters: (Parameter | OpenAPIV3_1.ReferenceObject)[] = [];
  for (const argument of places.path) parameters.push(pathParameter(schema, argument, nameOf?.(argument.name)));
  const limits = operation.page && pageLimits(style.pageSize);
  for (const argument of places.query) parameters.push(queryParameter(schema, argument, limits));
  for (const argument of places.header) parameters.push(headerParameter(schema, argument));
  if (operation.etag !== undefined) parameters.push(headerParameter(schema, conditionalHeader(operation)));
  if (isStream) for (const name of streamParameters(schema, route)) parameters.push(parameterRef(name));
  else if (canNarrow) parameters.push(parameterRef('Fields'));
  parameters.push(...idempotencyKeyRefs(operation, style.takesKeys));
  const { deprecated, status = 200 } = operation;
  const ownText = isDefaultDescription(operation.description) ? undefined : operation.description;
  const summary = ownText?.trim().split('\n', 1)[0]?.trim() || titleOf(operation.name);
  const isWhole = operation.description === summary && deprecated === undefined;
  const description = isWhole ? undefined : withReason(operation.description, deprecated);
  const hasAccess = hasFurtherWords(operation);
  const responses = problemResponses(schema, operation);
  responses[status] = isStream ? streamResponse(schema, route, style) : resultResponse(schema, operation, canNarrow);
  if (operation.etag !== undefined && operation.kind === 'query') {
    (responses[status] as OpenAPIV3_1.ResponseObject).headers = { ...linksOf(operation), ETag: etagHeader };
    responses[304] = notModified;
  }
  const channels = channelsOf(schema, operation);
  const security = securityRequirements(schema, operation);
  const made: Operation = { operationId, tags: operation.tags?.slice() ?? [operation.kind], summary };
  setDescription(made, hasAccess ? withAccess(description ?? operation.description, operation) : description);
  if (hasAccess) made['x-access'] = accessOf(operation);
  if (deprecated !== undefined) made.deprecated = true;
  if (security !== undefined) made.security = security;
  if (parameters.length > 0) made.parameters = parameters as OpenAPIV3_1.ParameterObject[];
  if (places.body !== undefined) made.requestBody = formBody(schema, route) ?? requestBody(schema, places.body);
  made.responses = responses;
  if (operation.edges.length > 0) made['x-topology'] = operation.edges.map((edge) => topologyEdge(edge, sources));
  if (channels.length > 0) made['x-io'] = channels;
  if (operation.fields !== undefined) made['x-fields'] = operation.fields;
  if (operation.undo !== undefined) made['x-undo'] = operation.undo;
  if (operation.retries !== undefined) made['x-retries'] = operation.retries;
  if (operation.awaits !== undefined) made['x-awaits'] = operation.awaits;
  if (operation.within !== undefined) made['x-within'] = operation.within;
  if (operation.pause !== undefined) made['x-pause'] = operation.pause;
  if (operation.partition !== undefined) made['x-partition'] = operation.partition;
  return made;
}

function requestBody(schema: GqlSchema, args: readonly GqlArgument[]): OpenAPIV3_1.RequestBodyObject {
  const example: JsonValue = exampleArguments(schema, args);
  return {
    description: 'The arguments of the operation, by name.',
    required: args.some(isRequired),
    content: { 'application/json': { schema: argumentsSchema(schema, args), example } },
  };
}

function resultResponse(schema: GqlSchema, operation: GqlOperation, canNarrow: boolean) {
  if (!hasContent(operation)) return { description: 'The operation has succeeded; there is no content.' };
  const type = answerType(operation);
  const example = exampleResult(schema, type, answerSelection(schema, operation));
  const content: Record<string, OpenAPIV3_1.MediaTypeObject> = {
    'application/json': { schema: typeSchema(schema, type), example },
  };
  // With `fields` the response has another media type, so that the schema of the common one can require its fields.
  if (canNarrow) content[narrowedMediaType] = { schema: narrowedSchema(schema, type) };
  const { fields } = operation;
  const ofFields = fields ? ` Its fields are ${fields.map((path) => `\`${path}\``).join(', ')}.` : '';
  const description = `${type.kind === 'nonNull' ? 'The result.' : 'The result, or null.'}${ofFields}`;
  const made: OpenAPIV3_1.ResponseObject = { description, content };
  if (operation.page !== undefined) made.headers = linksOf(operation);
  return made;
}

/** Documents the fields of a result that are also sent as headers. */
function addHeaders(schema: GqlSchema, response: OpenAPIV3_1.ResponseObject, fields: readonly GqlField[]): void {
  if (fields.length === 0) return;
  const added = fields.map(({ name, type, sentAs = '' }) => {
    const description = `The field \`${name}\`, if the result has a value for it.`;
    return [sentAs, { description, schema: typeSchema(schema, nonNull(nullable(type))) }];
  });
  response.headers = { ...response.headers, ...Object.fromEntries(added) };
}

function linksOf({ page }: GqlOperation): Record<string, OpenAPIV3_1.HeaderObject> {
  return { ...(page && { Link: linkHeader }), ...(page?.isCounted && { [totalCountHeader]: countHeader }) };
}

const linkHeader: OpenAPIV3_1.HeaderObject = {
  description: 'The first, the next and the previous page, where there are such (RFC 8288).',
  schema: { type: 'string' },
};

const countHeader: OpenAPIV3_1.HeaderObject = {
  description: 'The number of items on all pages, if it is known.',
  schema: { type: 'integer' },
};

const etagHeader: OpenAPIV3_1.HeaderObject = {
  description: 'Identifies this response (RFC 9110, section 8.8.3).',
  schema: { type: 'string' },
};

const notModified: OpenAPIV3_1.ResponseObject = {
  description: 'The ETag in `If-None-Match` is that of the current response, which is not sent again.',
  headers: { ETag: etagHeader },
};

/** An edge as an item of `x-topology`. */
export function topologyEdge(
  { edge, from, to, span }: GqlEdgeOrigin,
  sources: ReadonlyMap<string, LineMap>,
): TopologyEdge {
  const source = sources.get(span.file);
  return source === undefined ? { edge, from, to } : { edge, from, to, line: positionAt(source, span.start).line };
}
