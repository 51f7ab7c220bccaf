import { OptionError } from '../../base/diagnostics/option-error.js';
import { type RestRoute, restRoutes } from '../../compiler/api/rest-routes.js';
import { hasEvents, schemaToAsyncAPI } from '../../compiler/emit/asyncapi.js';
import { originOf } from '../../compiler/emit/collection/addresses.js';
import { writeCollection } from '../../compiler/emit/collection.js';
import { writeJson } from '../../compiler/emit/text/write-json.js';
import { didYouMean } from '../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { restPrefix, serverPaths } from '../../compiler/schema/server-paths.js';
import { toHex } from '../../federation/encoding.js';
import { sha256 } from '../../federation/node/node-crypto.js';
import type { FederationProjectionSource, FederationSourceStatus } from '../../federation/source.js';
import type { EventBroker } from '../brokers/broker.js';
import type { Environment } from '../call/environment.js';
import { ProblemError } from '../call/problem.js';
import type { McpOptions } from '../config/project-config.js';
import { Answer, jsonAnswer, lengthOf, textAnswer } from '../http/answer.js';
import { createDocument, createOriginText } from '../http/document.js';
import type { Exchange, Resource } from '../http/exchange.js';
import type { Engine } from '../http/graphql/engine.js';
import { createGraphQLResource } from '../http/graphql/graphql-resource.js';
import { pageHeaders, renderPage } from '../http/page/page.js';
import { createChainResources } from '../http/rest/chains.js';
import { createRestResources } from '../http/rest/rest.js';
import { PathTree, RouteTable } from '../http/rest/route-table.js';
import type { OpenRuns } from '../http/rest/runs.js';
import { hasPeer } from '../load/load-peer.js';
import { createMcp, mcpPath } from '../mcp/mcp.js';
import { createMcpResource } from '../mcp/mcp-resource.js';
import type { Store } from '../store/store.js';
import { once, type SchemaExports } from './schema-exports.js';

export interface ResourceParts {
  readonly engine: Engine;
  readonly exports: SchemaExports;
  readonly federation: FederationProjectionSource | undefined;
  readonly documents: boolean;
  /** Whether the studio is served in front of the server. */
  readonly hasStudio: boolean;
  readonly mcp: McpOptions | undefined;
  readonly runs: OpenRuns | undefined;
}

export const reservedPaths: readonly string[] = Object.values(serverPaths);

/** Returns whether a path, perhaps with a query string, belongs to a server; a host may serve other paths itself. */
export function createOwnership(schema: GqlSchema, endpoints: readonly (string | undefined)[]) {
  const routes = new PathTree<true>();
  for (const { path } of ownRoutes(schema)) routes.set(path, true);
  const ownsPath = (path: string): boolean =>
    endpoints.includes(path) || reservedPaths.includes(path) || routes.get(path) === true;
  return (address: string): boolean => address.startsWith(restPrefix) || ownsPath(address.split('?', 1)[0] as string);
}

function ownRoutes(schema: GqlSchema): readonly RestRoute[] {
  return restRoutes(schema).filter(({ operation }) => operation.route !== undefined);
}

/** Makes the resources of a server, by path. Throws if the path of GraphQL or MCP is that of a route. */
export function createResources(
  environment: Environment,
  { engine, exports, federation, documents, hasStudio, mcp, runs }: ResourceParts,
): RouteTable {
  const { endpoint, schema } = environment;
  const taken = ownRoutes(schema).find(({ path }) => path === endpoint);
  if (taken !== undefined) {
    throw new OptionError('endpoint', `not be ${endpoint}, which is the route of ${taken.operation.name}`);
  }
  const hidden = mcp && ownRoutes(schema).find(({ path }) => path === mcpPath);
  if (mcp !== undefined && (hidden !== undefined || endpoint === mcpPath)) {
    const user = hidden === undefined ? 'endpoint' : `the route of ${hidden.operation.name}`;
    throw new OptionError('mcp', `be off, because ${mcpPath} is ${user}`);
  }
  return new RouteTable([
    ...createRestResources(environment),
    ...createChainResources(environment, runs),
    ...(documents ? documentsOf(environment, exports, hasStudio) : []),
    [serverPaths.bundle, createBundle(federation)],
    ...(mcp === undefined ? [] : [[mcpPath, createMcpResource(createMcp(environment, mcp, runs))] as const]),
    // Last: an endpoint below `/api/` replaces an operation of that name.
    [endpoint, createGraphQLResource(environment, engine)],
  ]);
}

/** The message for an unknown path; with introspection on, it suggests a REST path. */
export function explainMissing(path: string, resources: RouteTable, tellsNames: boolean): string {
  const detail = `There is nothing at ${path}.`;
  if (!tellsNames || !path.startsWith(restPrefix)) return detail;
  const paths = [...resources.paths()].filter((known) => known.startsWith(restPrefix));
  return `${detail}${didYouMean(path, paths)}`;
}

/** How long a server stays ready while its broker is away or refuses events, in milliseconds. Before the first connection it is not ready. */
const brokerGrace = 10_000;

/** Makes the resources of the health checks. They answer while the topology is loading. */
export function createHealth(
  statusOf: () => {
    isReady: boolean;
    federation?: FederationSourceStatus | undefined;
    broker?: EventBroker | undefined;
    store?: Pick<Store, 'isUp'> | undefined;
    runs?: { readonly isUp: boolean | undefined } | undefined;
  },
  masking: boolean,
): RouteTable {
  const eventsOf = ({ name, state }: EventBroker) => {
    const { status: connection, duration } = state;
    return {
      report: { broker: name, connection, seconds: Math.floor(duration / 1000) },
      isUp: connection === 'connected' || (connection !== 'connecting' && duration < brokerGrace),
    };
  };
  const answer = (isUp: boolean, parts: object = {}) => {
    const body = JSON.stringify({ status: isUp ? 'ok' : 'unavailable', ...parts });
    // A load balancer may use another instance while this one is not ready.
    return jsonAnswer(isUp ? 200 : 503, body, ['cache-control', 'no-store', ...(isUp ? [] : ['connection', 'close'])]);
  };
  const ready = createDocument(() => {
    const { isReady, federation: found, broker, store: database, runs: chains } = statusOf();
    // The reason of a refusal names files and keys; its code is enough to find it in the log.
    const federation = found && masking ? { ...found, refused: found.refused?.split(' ', 1)[0] ?? null } : found;
    const events = broker && eventsOf(broker);
    const store = database && { connection: connectionOf(database.isUp) };
    // Only durable chains need their database: all others are served without it.
    const runs = chains && { connection: connectionOf(chains.isUp) };
    const isUp = isReady && federation?.ready !== false && events?.isUp !== false && database?.isUp !== false;
    return answer(isUp, { federation, events: events?.report, store, runs });
  });
  const live = createDocument(() => answer(true));
  return new RouteTable([
    [serverPaths.live, live],
    [serverPaths.ready, ready],
  ]);
}

function connectionOf(isUp: boolean | undefined): string {
  if (isUp === undefined) return 'connecting';
  return isUp ? 'connected' : 'away';
}

function documentsOf(environment: Environment, exports: SchemaExports, hasStudio: boolean) {
  const { schema, endpoint, production } = environment;
  const page = createOriginText((origin) =>
    renderPage(schema, {
      title: exports.names.title,
      origin,
      endpoint,
      hasQueryPage: !production && hasPeer('@graphql-yoga/render-graphiql'),
      hasStudio,
    }),
  );
  const collection = createOriginText((origin) => writeCollection(exports.collection(origin)));
  const openapi = once(() => writeJson(exports.openapi()));
  const asyncapi = hasEvents(schema) ? createAsyncApiText(environment, exports) : undefined;
  return Object.entries({
    [serverPaths.page]: createDocument((exchange) =>
      textAnswer(200, page(exchange), 'text/html; charset=utf-8', pageHeaders),
    ),
    [serverPaths.openapi]: createDocument(() => jsonAnswer(200, openapi())),
    [serverPaths.collection]: createDocument((exchange) => jsonAnswer(200, collection(exchange))),
    ...(asyncapi && { [serverPaths.asyncapi]: createDocument((exchange) => jsonAnswer(200, asyncapi(exchange))) }),
    [serverPaths.sdl]: createDocument(() => textAnswer(200, exports.graphql(), 'text/plain; charset=utf-8')),
  });
}

/** Makes a function that returns the AsyncAPI document with the origin of the server, unless there is a base URL. */
function createAsyncApiText(
  { schema, endpoint, eventFormat }: Environment,
  { names: { title }, baseUrl }: SchemaExports,
): (exchange: Exchange) => string {
  // A base URL with a path is the GraphQL endpoint itself.
  const isEndpoint = baseUrl !== undefined && originOf(baseUrl) === undefined;
  const options = { title, eventFormat, ...(!isEndpoint && { endpoint }) };
  return createOriginText((origin) =>
    writeJson(schemaToAsyncAPI(schema, { ...options, baseUrl: baseUrl ?? origin }) ?? {}),
  );
}

/**
 * Makes the resource of the signed bundle of a source. It answers with exactly the signed bytes, so that clients can
 * verify them.
 */
function createBundle(source: FederationProjectionSource | undefined): Resource {
  let last: { readonly bytes: Uint8Array; readonly etag: string } | undefined;
  const etagOf = (bytes: Uint8Array): string => {
    // A reload replaces the object, so each bundle is hashed once.
    if (last?.bytes !== bytes) last = { bytes, etag: `"${toHex(sha256(bytes))}"` };
    return last.etag;
  };
  return createDocument((exchange) => {
    const bytes = source?.bundle?.();
    if (bytes === undefined) {
      throw new ProblemError({ status: 404, detail: 'This server has no signed federation bundle.' });
    }
    const etag = etagOf(bytes);
    const type = ['content-type', 'application/json; charset=utf-8'];
    const headers = [...type, 'cache-control', 'no-cache', 'etag', etag];
    return exchange.header('if-none-match') === etag
      ? new Answer(304, headers, null)
      : new Answer(200, [...headers, 'content-length', lengthOf(bytes)], bytes);
  });
}
