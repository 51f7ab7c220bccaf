import type { GqlSchema } from '../schema/gql-schema.js';
import type { Engine, GraphQLHandler } from './engine.js';
import type { Execution } from './execution.js';
import type { SchemaExports } from './exports.js';
import type { Limits } from './limits/limits.js';
import { createRequestGuard } from './limits/request-guard.js';
import { createEventStreamHandler } from './live/event-stream.js';
import { pageHeaders, renderPage } from './page.js';
import { jsonResponse, problemResponse, textResponse } from './rest/problem.js';
import { createRestHandler, restPrefix } from './rest.js';

/** What the routes of a server are made from. */
export interface RouterEnvironment {
  readonly schema: GqlSchema;
  readonly exports: SchemaExports;
  /** The path of GraphQL. */
  readonly endpoint: string;
  /** Loads graphql-js on the first call. */
  readonly execution: () => Promise<Execution>;
  /** The context that resolvers get. */
  readonly contextFor: (request: Request) => unknown;
  readonly production: boolean;
  readonly limits: Limits;
  /** What speaks GraphQL over HTTP. */
  readonly engine: Engine;
}

/** Answers a request; to HEAD as to GET, the body is dropped where all answers leave. May reject. */
export type Handler = (request: Request, url: URL) => Promise<Response>;

/** The paths that tell whether the server is up. The service answers them, even before it is ready. */
export const healthPaths = { live: '/health/live', ready: '/health/ready' } as const;

/** Every path that is taken, so that GraphQL cannot be put there. */
export const reservedPaths: readonly string[] = [
  '/',
  '/openapi.json',
  '/collection.json',
  '/schema.graphql',
  ...Object.values(healthPaths),
];

/** Whether a path is one of a server's own; a host that serves more than this leaves the others alone. */
export function isServed(pathname: string, endpoint: string): boolean {
  return pathname === endpoint || reservedPaths.includes(pathname) || pathname.startsWith(restPrefix);
}

/**
 * Makes the handler of everything that a server answers: GraphQL at its endpoint, REST below `/api/`, the
 * documents, and the start page.
 */
export function createRouter(environment: RouterEnvironment): Handler {
  const { schema, exports, endpoint, production } = environment;
  const graphql = createGraphQLHandler(environment);
  const rest = createRestHandler(environment);
  const page = (url: URL) =>
    textResponse(
      200,
      renderPage(schema, {
        title: exports.names.title,
        origin: url.origin,
        endpoint,
        hasQueryPage: !production,
      }),
      pageHeaders,
    );
  const documents = new Map<string, (url: URL) => Response>([
    ['/', page],
    ['/openapi.json', () => jsonDocument(exports.openapi())],
    ['/collection.json', (url) => jsonDocument(exports.collection(url.origin))],
    [
      '/schema.graphql',
      () => textResponse(200, exports.graphql(), { 'content-type': 'text/plain; charset=utf-8' }),
    ],
  ]);
  return async (request, url) => {
    if (url.pathname === endpoint) return graphql(request, url);
    const document = documents.get(url.pathname);
    if (document !== undefined) return answerDocument(request, () => document(url));
    if (url.pathname.startsWith(restPrefix)) return rest(request, url);
    return problemResponse({ status: 404, detail: `There is nothing at ${url.pathname}.` });
  };
}

/** Answers GET and HEAD with a document, OPTIONS with what is allowed, and refuses the rest. */
export function answerDocument(request: Request, make: () => Response): Response {
  const allow = 'GET, HEAD, OPTIONS';
  if (request.method === 'GET' || request.method === 'HEAD') return make();
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const detail = `${new URL(request.url).pathname} does not answer ${request.method}.`;
  return problemResponse({ status: 405, detail, headers: { allow } });
}

/** The engine is loaded for the first request: a server that is only asked for documents needs none. */
function createGraphQLHandler(environment: RouterEnvironment): Handler {
  let loading: Promise<GraphQLHandler> | undefined;
  const load = async (): Promise<GraphQLHandler> => {
    const execution = await environment.execution();
    return environment.engine({ ...environment, execution, title: environment.exports.names.title });
  };
  const guard = createRequestGuard(environment.limits);
  const eventStream = createEventStreamHandler(environment);
  return async (request, url) => {
    // Engines differ in this, down to the order in which they look at the method and at the rest.
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { allow: graphqlMethods } });
    if (!graphqlMethods.split(', ').includes(request.method)) return refuseMethod(request.method);
    loading ??= load();
    const guarded = await guard(request, url);
    if (guarded instanceof Response) return guarded;
    return (await eventStream(guarded, request, url)) ?? (await loading)(guarded, request);
  };
}

const graphqlMethods = 'GET, POST, OPTIONS';

function refuseMethod(method: string): Response {
  const message = `GraphQL does not answer ${method}.`;
  return jsonResponse(405, JSON.stringify({ errors: [{ message }] }), { allow: graphqlMethods });
}

function jsonDocument(document: object): Response {
  return jsonResponse(200, `${JSON.stringify(document, null, 2)}\n`);
}
