import type { Limits } from '../execute/limits/limits.js';
import type { FederationProjectionSource } from '../federation/source.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { answerBundle, bundlePath } from './answer-bundle.js';
import type { Direct } from './direct/direct-request.js';
import type { SchemaExports } from './exports.js';
import type { Engine } from './graphql/engine.js';
import { createGraphQLRoute } from './graphql/graphql-route.js';
import { pageHeaders, renderPage } from './page/page.js';
import { jsonResponse, problemResponse, textResponse } from './rest/problem.js';
import { createRestHandler, type RestEnvironment, restPrefix } from './rest/rest.js';

/** What the routes of a server are made from. */
export interface RouterEnvironment extends RestEnvironment {
  readonly schema: GqlSchema;
  readonly exports: SchemaExports;
  /** Where the records of the federation layer come from; undefined where it has no source. */
  readonly federation: FederationProjectionSource | undefined;
  /** The path of GraphQL. */
  readonly endpoint: string;
  readonly production: boolean;
  readonly limits: Limits;
  /** What speaks GraphQL over HTTP. */
  readonly engine: Engine;
}

/** Answers requests; may reject. */
export interface Router {
  /** To HEAD as to GET: the body is dropped where all answers leave. */
  handle(request: Request, url: URL): Promise<Response>;
  /** Answers those of the common kind; may throw. */
  readonly direct: Direct;
}

/** The paths that tell whether the server is up. The service answers them, even before it is ready. */
export const healthPaths = { live: '/health/live', ready: '/health/ready' } as const;

/** Every path that is taken, so that GraphQL cannot be put there. */
export const reservedPaths: readonly string[] = [
  '/',
  '/openapi.json',
  '/collection.json',
  '/schema.graphql',
  bundlePath,
  ...Object.values(healthPaths),
];

/** Whether a path is one of a server's own; a host that serves more than this leaves the others alone. */
export function isServed(pathname: string, endpoint: string): boolean {
  return pathname.startsWith(restPrefix) || pathname === endpoint || reservedPaths.includes(pathname);
}

/**
 * Makes what answers everything that a server answers: GraphQL at its endpoint, REST below `/api/`, the
 * documents, and the start page.
 */
export function createRouter(environment: RouterEnvironment): Router {
  const { schema, exports, endpoint, production, federation } = environment;
  const graphql = createGraphQLRoute(environment);
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
  return {
    async handle(request, url) {
      if (url.pathname === endpoint) return graphql.handle(request, url);
      const document = documents.get(url.pathname);
      if (document !== undefined) return answerDocument(request, () => document(url));
      if (url.pathname === bundlePath)
        return answerDocument(request, () => answerBundle(request, federation));
      if (url.pathname.startsWith(restPrefix)) return rest.handle(request, url);
      return problemResponse({ status: 404, detail: `There is nothing at ${url.pathname}.` });
    },
    direct: (request) => (request.pathname === endpoint ? graphql.direct(request) : rest.direct(request)),
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

function jsonDocument(document: object): Response {
  return jsonResponse(200, `${JSON.stringify(document, null, 2)}\n`);
}
