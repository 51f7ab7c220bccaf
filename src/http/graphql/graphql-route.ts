import type { Limits } from '../../execute/limits/limits.js';
import { proceed } from '../../execute/values/maybe-promise.js';
import type { Direct, DirectAnswer } from '../direct/direct-request.js';
import type { SchemaExports } from '../exports.js';
import { jsonResponse } from '../rest/problem.js';
import type { RestEnvironment } from '../rest/rest.js';
import { createEventStreamHandler } from '../sse/event-stream.js';
import type { Engine, GraphQLHandler } from './engine.js';
import {
  createKnownOperations,
  type KnownOperations,
  type Outcome,
  plainAnswer,
  plainHeaders,
  readDirectBody,
} from './known-operation.js';
import { createRequestGuard, withBody } from './request-guard.js';

/** What GraphQL needs of the server that it belongs to. */
export interface GraphQLRouteEnvironment extends RestEnvironment {
  readonly exports: SchemaExports;
  /** The path of GraphQL. */
  readonly endpoint: string;
  readonly production: boolean;
  readonly limits: Limits;
  /** What speaks GraphQL over HTTP. */
  readonly engine: Engine;
}

/** Answers requests for GraphQL. */
export interface GraphQLRoute {
  handle(request: Request, url: URL): Promise<Response>;
  readonly direct: Direct;
}

/** An engine that is loaded, and what steps over it. */
interface Loaded {
  readonly engine: GraphQLHandler;
  readonly known: KnownOperations | undefined;
}

/** Makes the route. The engine is loaded for the first request: a server that is only asked for documents needs none. */
export function createGraphQLRoute(environment: GraphQLRouteEnvironment): GraphQLRoute {
  const { contextFor, directContext } = environment;
  let loading: Promise<Loaded> | undefined;
  let loaded: Loaded | undefined;
  const load = async (): Promise<Loaded> => {
    const execution = await environment.execution();
    const engine = await environment.engine({
      ...environment,
      execution,
      title: environment.exports.names.title,
    });
    const { plain } = engine;
    loaded = { engine, known: plain && createKnownOperations(execution, plain) };
    return loaded;
  };
  const guard = createRequestGuard(environment.limits);
  const eventStream = createEventStreamHandler(environment);
  return {
    async handle(request, url) {
      // Engines differ in this, down to the order in which they look at the method and at the rest.
      if (request.method === 'OPTIONS')
        return new Response(null, { status: 204, headers: { allow: graphqlMethods } });
      if (!graphqlMethods.split(', ').includes(request.method)) return refuseMethod(request.method);
      loading ??= load();
      const guarded = await guard(request, url);
      if (guarded instanceof Response) return guarded;
      const stream = await eventStream(guarded, request, url);
      if (stream !== undefined) return stream;
      const { engine, known } = await loading;
      const outcome = await known?.answer(guarded, request, () => contextFor(request));
      if (outcome?.kind === 'answer') return plainResponse(engine, outcome.text);
      return engine.handle(guarded, request, outcome);
    },
    direct(request) {
      if (loaded?.known === undefined || request.method !== 'POST') return undefined;
      const { engine, known } = loaded;
      const body = readDirectBody(request);
      const outcome =
        body === undefined ? undefined : known.direct(request, body, () => directContext(request));
      if (outcome === undefined) return undefined;
      const tell = (failed: Outcome): Promise<Response> => {
        const read = request.toRequest();
        const again = () => withBody(read, Buffer.from(request.body ?? []).toString());
        return engine.handle({ body: body as never, toRequest: again }, read, failed);
      };
      return proceed<Outcome, DirectAnswer | Response>(outcome, (ended) =>
        ended.kind === 'answer' ? plainAnswer(ended.text) : tell(ended),
      );
    },
  };
}

const graphqlMethods = 'GET, POST, OPTIONS';

function plainResponse({ plain }: GraphQLHandler, text: string): Response {
  const length = plain?.statesLength === true ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  return new Response(text, { headers: { ...plainHeaders, ...length } });
}

function refuseMethod(method: string): Response {
  const message = `GraphQL does not answer ${method}.`;
  return jsonResponse(405, JSON.stringify({ errors: [{ message }] }), { allow: graphqlMethods });
}
