import { eventsOfMutations } from '../api/chains/chains.js';
import { appendTo } from '../graph/maps.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { wireView } from '../schema/wire-view.js';
import { SchemaComponents } from './asyncapi/draft-07.js';
import { type ChannelContext, eventChannel, eventOperation, streamComponents } from './asyncapi/event-channels.js';
import { graphqlChannels } from './asyncapi/graphql-channels.js';
import { ioChannels } from './asyncapi/io-channels.js';
import { type Servers, serversOf } from './asyncapi/servers.js';
import type { EmitOptions } from './emitter.js';
import { componentSchemas } from './openapi/component-schemas.js';
import { problemName, problemSchema } from './openapi/problems.js';
import { schemeObjects } from './openapi/security.js';
import { infoOf } from './openapi.js';

/** The options of {@link schemaToAsyncAPI}. */
export interface AsyncApiOptions extends Pick<EmitOptions, 'title' | 'baseUrl' | 'eventFormat'> {
  /** The path of GraphQL on a server. Default: the last segment of the base URL, else `/graphql`. */
  readonly endpoint?: string;
}

/** An AsyncAPI 3.1 document. */
export interface AsyncApiDocument {
  readonly asyncapi: '3.1.0';
  readonly [member: string]: unknown;
}

/**
 * Describes the events of a schema as an AsyncAPI 3.1 document: a channel for the stream of each subscription, two for
 * subscriptions over GraphQL, and one for each channel to an external system.
 *
 * @returns Undefined if there are neither subscriptions nor channels.
 *
 * @example
 * ```ts
 * import { compile, schemaToAsyncAPI } from 'gg-svc';
 *
 * const result = compile("(a { id: ID! })-[:FOLD]->(b { id: ID! })-[:FORK]->(c { id: ID! })");
 * if (result.ok) console.log(schemaToAsyncAPI(result.schema, { title: 'Events', baseUrl: 'http://localhost:4000' })?.channels);
 * ```
 */
export function schemaToAsyncAPI(
  whole: GqlSchema,
  { title, baseUrl, endpoint, eventFormat = 'json' }: AsyncApiOptions,
): AsyncApiDocument | undefined {
  if (!hasEvents(whole)) return undefined;
  const schema = wireView(whole);
  const { info, sources, subscriptions } = schema;
  const problem = problemName(schema);
  const components = new SchemaComponents(new Map([...componentSchemas(schema), [problem, problemSchema()]]));
  const context: ChannelContext = {
    schema,
    components,
    eventFormat,
    sources: new Map(sources.map((source) => [source.name, source])),
    publishers: publishersOf(schema),
  };
  const streams = subscriptions.length === 0 ? undefined : streamsOf(context, serversOf(info, baseUrl, endpoint));
  const external = ioChannels(schema, components);
  const { license, ...others } = infoOf(info, title);
  const { identifier: _, ...licensed } = license ?? {};
  return {
    asyncapi: '3.1.0',
    info: { ...others, ...(license && { license: licensed }), ...(info?.tags && { tags: info.tags }) },
    defaultContentType: 'application/json',
    ...(streams && { servers: streams.servers }),
    channels: { ...streams?.channels, ...external.channels },
    operations: { ...streams?.operations, ...external.operations },
    components: { ...streams?.components, schemas: components.used() },
  };
}

/** Whether a schema has anything that the document describes: subscriptions or channels. */
export function hasEvents({ subscriptions, io }: GqlSchema): boolean {
  return subscriptions.length > 0 || io !== undefined;
}

function streamsOf(context: ChannelContext, servers: Servers) {
  const { schema } = context;
  const { channels, operations } = graphqlChannels(servers);
  const byName = (make: (operation: GqlOperation) => object): Record<string, object> =>
    Object.fromEntries(schema.subscriptions.map((operation) => [operation.name, make(operation)]));
  const isSecured = schema.subscriptions.some(({ auth }) => auth !== undefined);
  return {
    servers: servers.objects,
    channels: { ...byName((operation) => eventChannel(context, operation, servers.http)), ...channels },
    operations: { ...byName((operation) => eventOperation(context, operation)), ...operations },
    components: { ...streamComponents(context), ...(isSecured ? { securitySchemes: securitySchemesOf(schema) } : {}) },
  };
}

/** The schemes in the words of AsyncAPI, where the key of an HTTP header is `httpApiKey`. */
function securitySchemesOf(schema: GqlSchema): Record<string, object> {
  const schemes = Object.entries(schemeObjects(schema)).map(([name, scheme]) => {
    return [name, scheme.type === 'apiKey' ? { ...scheme, type: 'httpApiKey' } : scheme] as const;
  });
  return Object.fromEntries(schemes);
}

function publishersOf(schema: GqlSchema): ReadonlyMap<GqlOperation, readonly GqlOperation[]> {
  const events = eventsOfMutations(schema);
  const publishers = new Map<GqlOperation, GqlOperation[]>();
  for (const mutation of schema.mutations)
    for (const subscription of events.get(mutation.name) ?? []) appendTo(publishers, subscription, mutation);
  return publishers;
}
