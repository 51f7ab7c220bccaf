import { restPrefix } from '../api/rest-routes.js';
import { writeJson } from '../emit/text/write-json.js';
import type { FederationProjectionSource, FederationSourceStatus } from '../federation/source.js';
import { createSuggester } from '../graph/suggest.js';
import { jsonAnswer, textAnswer } from '../http/answer.js';
import { bundlePath, createBundle } from '../http/bundle.js';
import { createDocument, createOriginText } from '../http/document.js';
import type { Resource } from '../http/exchange.js';
import type { SchemaExports } from '../http/exports.js';
import { createGraphQLResource, type GraphQLResourceEnvironment } from '../http/graphql/graphql-resource.js';
import { pageHeaders, renderPage } from '../http/page/page.js';
import { createRestResources } from '../http/rest/rest.js';
import type { Limits } from '../limits/limits.js';
import type { GqlSchema } from '../schema/gql-schema.js';

/** The parts of a server that its resources need. */
export interface ResourceEnvironment extends GraphQLResourceEnvironment {
  readonly schema: GqlSchema;
  readonly exports: SchemaExports;
  /** The source of the federation layer's records; undefined if it has none. */
  readonly federation: FederationProjectionSource | undefined;
  /** Whether the documents and the start page are served. */
  readonly documents: boolean;
  readonly limits: Limits;
}

const healthPaths = { live: '/health/live', ready: '/health/ready' } as const;
const documentPaths = ['/', '/openapi.json', '/collection.json', '/schema.graphql'] as const;

/** The paths that GraphQL cannot have. */
export const reservedPaths: readonly string[] = [...documentPaths, bundlePath, ...Object.values(healthPaths)];

/** Whether a path belongs to a server; a host may serve other paths itself. */
export function isServed(path: string, endpoint: string): boolean {
  return path.startsWith(restPrefix) || path === endpoint || reservedPaths.includes(path);
}

/** Makes the resources of a server, by path. */
export function createResources(environment: ResourceEnvironment): ReadonlyMap<string, Resource> {
  const { endpoint, documents, federation } = environment;
  return new Map<string, Resource>([
    ...createRestResources(environment),
    ...(documents ? documentsOf(environment) : []),
    [bundlePath, createBundle(federation)],
    // Last: an endpoint below `/api/` replaces an operation of that name.
    [endpoint, createGraphQLResource(environment)],
  ]);
}

/** The message for an unknown path; with introspection on, it suggests a REST path. */
export function explainMissing(
  path: string,
  resources: ReadonlyMap<string, Resource>,
  tellsNames: boolean,
): string {
  const detail = `There is nothing at ${path}.`;
  if (!tellsNames || !path.startsWith(restPrefix)) return detail;
  const paths = [...resources.keys()].filter((known) => known.startsWith(restPrefix));
  const suggestion = createSuggester(paths).nearest(path);
  return suggestion === undefined ? detail : `${detail} Did you mean ${suggestion}?`;
}

/** The state that health checks report. */
export interface HealthStatus {
  isReady(): boolean;
  /** The state of the federation source; undefined if it has none. */
  federation(): FederationSourceStatus | undefined;
}

/** Makes the resources of the health checks. They answer while the topology is loading. */
export function createHealth(status: HealthStatus): ReadonlyMap<string, Resource> {
  const answer = (isUp: boolean, federation?: FederationSourceStatus) => {
    const body = JSON.stringify({ status: isUp ? 'ok' : 'unavailable', federation });
    // A load balancer may use another instance while this one is not ready.
    return jsonAnswer(isUp ? 200 : 503, body, [
      'cache-control',
      'no-store',
      ...(isUp ? [] : ['connection', 'close']),
    ]);
  };
  const ready = createDocument(() => {
    const federation = status.federation();
    return answer(status.isReady() && federation?.ready !== false, federation);
  });
  const live = createDocument(() => answer(true));
  return new Map(Object.entries({ [healthPaths.live]: live, [healthPaths.ready]: ready }));
}

/** The start page and the documents. Each is serialized once. */
function documentsOf({
  schema,
  exports,
  endpoint,
  production,
}: ResourceEnvironment): readonly (readonly [string, Resource])[] {
  const page = createOriginText((origin) =>
    renderPage(schema, { title: exports.names.title, origin, endpoint, hasQueryPage: !production }),
  );
  const collection = createOriginText((origin) => `${JSON.stringify(exports.collection(origin), null, 2)}\n`);
  let openapi: string | undefined;
  return Object.entries({
    '/': createDocument((exchange) =>
      textAnswer(200, page(exchange), 'text/html; charset=utf-8', pageHeaders),
    ),
    '/openapi.json': createDocument(() => {
      openapi ??= writeJson(exports.openapi());
      return jsonAnswer(200, openapi);
    }),
    '/collection.json': createDocument((exchange) => jsonAnswer(200, collection(exchange))),
    '/schema.graphql': createDocument(() => textAnswer(200, exports.graphql(), 'text/plain; charset=utf-8')),
  });
}
