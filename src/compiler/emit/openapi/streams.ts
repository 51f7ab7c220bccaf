import type { OpenAPIV3_1 } from 'openapi-types';
import { cloudEventOf, type EventFormat, exampleCloudEvent } from '../../api/cloud-event.js';
import { exampleResult } from '../../api/examples.js';
import { isRequired } from '../../api/is-required.js';
import {
  answerType,
  hasContent,
  type RestRoute,
  restRoutes,
  streamRoutes,
  takesFields,
} from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import { nonNull, nullable } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { narrowedSchema } from './component-schemas.js';
import type { OpenApiVersion, Operation } from './extensions.js';
import { fieldsParameter, type Parameter, parameterRef, queryParameter } from './parameters.js';
import { problemName } from './problems.js';
import { type ComponentSchemas, componentRef, type JsonSchema, type SchemaObject, typeSchema } from './type-schema.js';

type Response = OpenAPIV3_1.ResponseObject;

const eventStream = 'text/event-stream';

/** How streams are described: by the version of the document, and with their format of events. */
export interface StreamStyle {
  readonly version: OpenApiVersion;
  readonly eventFormat: EventFormat;
  /** Whether the server takes an idempotency key for every mutation. */
  readonly takesKeys: boolean;
  readonly pageSize: number | false | undefined;
}

/** The parameters of streams that are components, if a stream refers to them. */
export function eventParameters(schema: GqlSchema): Record<string, Parameter> {
  const streams = streamRoutes(schema);
  if (streams.length === 0) return {};
  const queries = new Map<string, RestRoute>();
  for (const route of restRoutes(schema)) if (route.method === 'GET') queries.set(route.path, route);
  const isUsed = (name: string) =>
    streams.some((route) => streamParameters(schema, route, queries.get(route.path)).includes(name));
  return Object.fromEntries(Object.entries(components()).filter(([name]) => isUsed(name)));
}

function components(): Record<string, Parameter> {
  return {
    EventFields: fieldsParameter('The data of each event has only these fields: paths such as `id,team.name`.'),
    After: afterParameter(),
    LastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The same as `after`, and preferred to it. Browsers send it when they reconnect.',
      schema: { type: 'string' },
    },
  };
}

/** The parameter that resumes a stream, unless a filter has its name. */
export function afterParameter(): Parameter {
  return {
    name: 'after',
    in: 'query',
    description: 'The id of an event: the stream begins with the event after it.',
    schema: { type: 'string' },
  };
}

/**
 * The components with the parameters of a stream beside its filters, except those whose name its filters or a query of
 * the same path have taken.
 */
export function streamParameters(schema: GqlSchema, route: RestRoute, query?: RestRoute): readonly string[] {
  const takes = (one: RestRoute | undefined, wanted: string) =>
    one?.operation.arguments.some(({ name }) => name === wanted);
  const isTaken = (name: string) => takes(route, name) === true || takes(query, name) === true;
  const narrowsQuery = query !== undefined && takesFields(schema, query) && hasContent(query.operation);
  const narrows = takesFields(schema, route) && !narrowsQuery && !isTaken('fields');
  const resumes = isTaken('after') ? ['LastEventId'] : ['After', 'LastEventId'];
  return narrows ? ['EventFields', ...resumes] : resumes;
}

/**
 * Adds the stream of a subscription to the description of a query with the same path: its content, its errors, and the
 * parameters that the query has not, which are optional there. Callers need the access of one of them. The extension
 * `x-stream` describes the subscription alone.
 *
 * @param made - The description of the query, which is changed.
 * @param stream - The description of the subscription at a path of its own.
 */
export function addStream(
  made: Operation,
  stream: Operation,
  schema: GqlSchema,
  query: RestRoute,
  route: RestRoute,
): void {
  const { operation } = route;
  const known = new Set(query.operation.arguments.map(({ name }) => name));
  const added = operation.arguments.flatMap((argument) => {
    if (known.has(argument.name)) return [];
    const { required: _, ...parameter } = queryParameter(schema, argument);
    const use = `For the event stream${isRequired(argument) ? ', which requires it' : ' only'}.`;
    return [{ ...parameter, description: [parameter.description, use].filter(Boolean).join('\n\n') }];
  });
  const parameters = [...added, ...streamParameters(schema, route, query).map(parameterRef)];
  made.parameters = [...(made.parameters ?? []), ...(parameters as OpenAPIV3_1.ParameterObject[])];
  const note = `With \`accept: ${eventStream}\` it answers with the events of the subscription \`${operation.name}\`.`;
  made.description = [made.description, note].filter(Boolean).join('\n\n');
  joinSecurity(made, stream);
  const { 200: events, ...problems } = stream.responses as Record<string, Response>;
  const responses = made.responses as Record<string, Response>;
  const content = { ...responses[200]?.content, ...events?.content };
  responses[200] = { ...(responses[200] ?? (events as Response)), content };
  for (const [code, problem] of Object.entries(problems))
    responses[code] ??= '$ref' in problem ? problem : ({ ...problem, 'x-stream': true } as Response);
  const filters = (stream.parameters ?? []).filter((parameter) => !('$ref' in parameter));
  made['x-stream'] = {
    ...stream,
    ...(stream.parameters && { parameters: filters }),
    responses: problems,
  };
}

function joinSecurity(made: Operation, { security: its = [{}] }: Operation): void {
  const own = made.security ?? [{}];
  const either = new Map([...own, ...its].map((needed) => [JSON.stringify(needed), needed]));
  if (JSON.stringify(own) === JSON.stringify(its)) return;
  made.security = [...either.values()];
  made['x-security'] = own;
}

/**
 * The response with a stream. OpenAPI 3.2 describes each event with `itemSchema` (section 4.14.4). OpenAPI 3.1 has no word
 * for it: there the schema is that of the data of an event, as generators expect, and the one of events is an extension.
 */
export function streamResponse(schema: GqlSchema, route: RestRoute, style: StreamStyle): Response {
  const type = answerType(route.operation);
  const itemSchema = eventSchema(schema, route, style);
  const example = exampleResult(schema, type, defaultSelection(schema, type));
  const inEnvelope = style.eventFormat === 'cloudevents';
  const data = inEnvelope ? exampleCloudEvent(route.operation, example) : example;
  const text = `data: ${JSON.stringify(data)}\n\n`;
  const content =
    style.version === '3.2'
      ? { itemSchema, examples: { event: { serializedValue: text } } }
      : { schema: dataSchema(schema, route, style), 'x-itemSchema': itemSchema, example: data };
  return { description: 'A stream of events.', content: { [eventStream]: content } } as Response;
}

/** The schema of the data of an event: a reference to its type, perhaps in the envelope of CloudEvents. */
function dataSchema(schema: GqlSchema, { operation }: RestRoute, { eventFormat }: StreamStyle): JsonSchema {
  const value = typeSchema(schema, nonNull(nullable(answerType(operation))));
  return eventFormat === 'cloudevents' ? cloudEventSchema(operation, value) : value;
}

/** The schema of an event with its fields as strings, as OpenAPI 3.2 sees it. */
function eventSchema(schema: GqlSchema, route: RestRoute, { eventFormat }: StreamStyle): JsonSchema {
  const type = answerType(route.operation);
  const given = nonNull(nullable(type));
  const whole = typeSchema(schema, given);
  // `fields` cannot change the media type of a stream, so that both schemas are allowed.
  const some = takesFields(schema, route) ? [whole, narrowedSchema(schema, given)] : [whole];
  const anyOf = type.kind === 'nonNull' ? some : [...some, { type: 'null' } as const];
  const value = anyOf.length === 1 ? whole : { anyOf };
  const data = eventFormat === 'cloudevents' ? cloudEventSchema(route.operation, value) : value;
  return {
    oneOf: [
      { ...componentRef('Event.Message'), properties: { data: { contentSchema: data } } },
      componentRef('Event.Error'),
      componentRef('Event.Complete'),
    ],
  } as JsonSchema;
}

/** The components of all streams: what their events have in common. No type has a name with a dot. */
export function* eventSchemas(schema: GqlSchema): ComponentSchemas {
  if (schema.subscriptions.length === 0) return;
  const event = (name: string, data: object, required: string[]): SchemaObject => {
    return { type: 'object', properties: { id: { type: 'string' }, event: { const: name }, data }, required };
  };
  const message = { type: 'string', contentMediaType: 'application/json' };
  yield ['Event.Message', event('message', message, ['data'])];
  const contentSchema = componentRef(problemName(schema));
  yield ['Event.Error', event('error', { ...message, contentSchema }, ['event', 'data'])];
  yield ['Event.Complete', event('complete', { const: '' }, ['event', 'data'])];
}

/** The schema of the CloudEvents of a subscription (CloudEvents 1.0, JSON event format). */
export function cloudEventSchema(operation: GqlOperation, data: JsonSchema): JsonSchema {
  const { specversion, source, type, datacontenttype } = cloudEventOf(operation, { id: '', data: null });
  return {
    type: 'object',
    properties: {
      specversion: { type: 'string', const: specversion },
      id: { type: 'string', minLength: 1, description: 'Identifies the event together with its source.' },
      source: { type: 'string', const: source },
      type: { type: 'string', const: type },
      subject: { type: 'string', minLength: 1, description: 'The field `id` of the data, if it has one.' },
      time: { type: 'string', format: 'date-time', description: 'When the event was stored.' },
      traceparent: { type: 'string', description: 'The span that published the event (W3C Trace Context).' },
      datacontenttype: { type: 'string', const: datacontenttype },
      data,
    },
    required: ['specversion', 'id', 'source', 'type', 'datacontenttype', 'data'],
  };
}
