import type { ExecutionResult } from 'graphql';
import type { Analysis } from '../analyze.js';
import { withDefaults } from '../compile.js';
import { createEventHub, type EventHub } from '../execute/events/event-hub.js';
import { withSinks } from '../execute/events/event-sinks.js';
import type { Execution } from '../execute/execution.js';
import { type Limits, resolveLimits } from '../execute/limits/limits.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import type { FederationSourceStatus } from '../federation/source.js';
import { createSuggester } from '../graph/suggest.js';
import {
  type Direct,
  type DirectAnswer,
  type DirectRequest,
  type DirectServer,
  registerDirect,
} from '../http/direct/direct-request.js';
import { createExports, type SchemaExports } from '../http/exports.js';
import type { Engine } from '../http/graphql/engine.js';
import { givenContext } from '../http/request-context.js';
import {
  jsonResponse,
  type Problem,
  ProblemError,
  problemResponse,
  withoutBody,
} from '../http/rest/problem.js';
import { restPrefix } from '../http/rest/rest.js';
import {
  answerDocument,
  createRouter,
  healthPaths,
  type Router,
  type RouterEnvironment,
  reservedPaths,
} from '../http/router.js';
import { analyzeTopologies } from '../load/analyze-topologies.js';
import { loadPeer, PeerMissingError } from '../load/load-peer.js';
import { TopologyError } from '../load/topology-error.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { isTracing, withRemoteParent } from '../tracing/svc-tracing.js';
import { registerLiveService } from './live-service.js';
import type { GqlServer, GqlServerOptions } from './options.js';
import { type Projection, project } from './project.js';

/**
 * Makes a server out of a topology. It answers GraphQL and REST in process and over HTTP; without resolvers
 * it serves the constants of the topology. Files are read at once. When a topology is behind a URL, the
 * server comes back first and loads it then: `ready` says when. graphql-js and GraphQL Yoga are loaded when
 * the first operation asks for them.
 *
 * @throws {TopologyError} When the topology has errors, or the resolvers do not fit it.
 * @throws {TypeError} When the options are not options.
 *
 * @example
 * ```ts
 * import { createGqlServer } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const result = await server.executeOperation({ query: '{ hello { text } }' });
 * console.log(result.data?.hello); // { text: 'Hello' }
 * ```
 */
export function createGqlServer<
  TContext = unknown,
  TResolvers extends Resolvers<TContext> = Resolvers<TContext>,
>(options: GqlServerOptions<TContext, NoInfer<TResolvers>>): GqlServer<TContext, TResolvers> {
  // What the resolvers are declared as is for the compiler alone.
  return createService(options, betaEngine).server as unknown as GqlServer<TContext, TResolvers>;
}

/** A server with what an engine or a host needs of it beside. */
export interface Service<TContext = unknown> {
  readonly server: GqlServer<TContext>;
  /** What runs its operations. Rejects when the topology cannot be served. */
  execution(): Promise<Execution>;
  /** The context that resolvers get. */
  contextFor(request: Request): unknown;
  /** The path of GraphQL. */
  readonly endpoint: string;
  /** What the page to try queries on is called. */
  readonly title: string;
  /** Whether the page to try queries on is left out. */
  readonly production: boolean;
  readonly limits: Limits;
  /** The short way of hosts on Node. */
  readonly direct: DirectServer;
}

/** Yoga answers where nothing else is said. */
export const betaEngine: Engine = async (environment) => {
  const { createBetaHandler } = await loadPeer(
    ['graphql-yoga', 'graphql'],
    () => import('../http/graphql/yoga.js'),
  );
  return createBetaHandler(environment);
};

/**
 * Makes a server out of a topology, for an engine.
 *
 * @throws {TopologyError} When the topology has errors, or the resolvers do not fit it.
 * @throws {TypeError} When the options are not options.
 */
export function createService<TContext>(
  options: GqlServerOptions<TContext>,
  engine: Engine,
): Service<TContext> {
  checkOptions(options);
  const endpoint = options.endpoint ?? '/graphql';
  const production = process.env.NODE_ENV === 'production';
  const limits = resolveLimits(options.limits ?? {}, production);
  const contextOf = (given: (() => unknown) | undefined, toRequest: () => Request): unknown => {
    if (given !== undefined) return given();
    return isFunction(options.context) ? options.context(toRequest()) : options.context;
  };
  const contextFor = (request: Request): unknown => contextOf(givenContext(request), () => request);
  const directContext = (request: DirectRequest): unknown =>
    contextOf(request.context, () => request.toRequest());
  let running: Running<TContext> | undefined;
  let draining = false;

  const start = (analysis: Analysis): Running<TContext> => {
    const environment = { endpoint, production, limits, engine, contextFor, directContext };
    running = run(project(analysis, options), options, environment);
    return running;
  };
  const analysis = analyzeTopologies(options.topologies);
  const loading = analysis instanceof Promise ? analysis.then(start) : Promise.resolve(start(analysis));
  const ready = loading.then(() => undefined);
  // Who waits hears of a failure; that nobody waits is no reason to end the process.
  ready.catch(() => undefined);

  const loaded = (): Running<TContext> => {
    if (running !== undefined) return running;
    throw new Error('The topology is not loaded yet: await server.ready first.');
  };

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname === healthPaths.live) return answerHealth(request, true);
    if (url.pathname === healthPaths.ready) {
      const federation = running?.projection.federation?.status?.();
      const isUp = running !== undefined && !draining && federation?.ready !== false;
      return answerHealth(request, isUp, federation);
    }
    return (await loading).router.handle(request, url);
  };
  /** Draining may have begun while an operation was under way. */
  const lastWhileDraining = (answered: DirectAnswer | Response): DirectAnswer | Response => {
    if (!draining) return answered;
    return answered instanceof Response ? asLast(answered) : { ...answered, isLast: true };
  };
  const direct: Direct = (request) => {
    // Spans belong to what the whole way calls; and the last answers of a server say that they are that.
    if (running === undefined || draining || isTracing()) return undefined;
    const fail = (error: unknown): Response => problemResponse(problemOf(error, limits.masking));
    try {
      const answered = running.router.direct(request);
      return answered instanceof Promise ? answered.catch(fail).then(lastWhileDraining) : answered;
    } catch (error) {
      return fail(error);
    }
  };

  const server: GqlServer<TContext> = {
    ready,
    get schema() {
      return loaded().projection.schema;
    },
    get diagnostics() {
      return loaded().projection.diagnostics;
    },
    get sources() {
      return loaded().projection.sources;
    },
    executeOperation: async (request, context) => {
      const { execution, contextFor } = await loading;
      const engine = await execution();
      return withContext(engine, context, contextFor, (value) => engine.executeOperation(request, value));
    },
    subscribe: async (request, context) => {
      const { execution, contextFor } = await loading;
      const engine = await execution();
      return withContext(engine, context, contextFor, (value) => engine.subscribeOperation(request, value));
    },
    fetch: async (request) => {
      const response = await withRemoteParent(request.headers, () => answer(request)).catch(
        (error: unknown) => {
          // Nobody waits for the answer of a request that was ended, and its end is no fault.
          if (request.signal?.aborted) return new Response(null, { status: 499 });
          return problemResponse(problemOf(error, limits.masking));
        },
      );
      const answered = draining ? asLast(response) : response;
      return request.method === 'HEAD' && answered.body !== null ? withoutBody(answered) : answered;
    },
    publish: (name, payload) => {
      const { projection, events } = loaded();
      checkSubscription(projection.schema, name);
      // Nobody waits for it, so that it was not taken can only be reported.
      events.publish(name, payload)?.catch((error: unknown) => console.error(error));
    },
    drain() {
      draining = true;
      running?.endSubscriptions();
    },
    exportGraphQL: () => loaded().exports.graphql(),
    exportOpenAPI: () => loaded().exports.openapi(),
    exportCollection: () => loaded().exports.collection(),
  };
  const service: Service<TContext> = {
    server,
    execution: async () => (await loading).execution(),
    contextFor,
    endpoint,
    title: withDefaults(options).title,
    production,
    limits,
    direct: { direct, maxBody: limits.body },
  };
  registerDirect(server, service.direct);
  registerLiveService(server, service);
  return service;
}

/** A server whose topology is loaded. */
interface Running<TContext> {
  readonly projection: Projection<TContext>;
  readonly exports: SchemaExports;
  readonly events: EventHub;
  readonly execution: () => Promise<Execution>;
  readonly contextFor: (request: Request) => unknown;
  readonly router: Router;
  /** Completes the subscriptions that are open. */
  endSubscriptions(): void;
}

function run<TContext>(
  projection: Projection<TContext>,
  options: GqlServerOptions<TContext>,
  environment: Omit<RouterEnvironment, 'schema' | 'federation' | 'exports' | 'execution' | 'loadedExecution'>,
): Running<TContext> {
  const { schema, resolvers, sinks } = projection;
  const { endpoint, limits, contextFor } = environment;
  const exports = createExports(schema, endpoint, options);
  const events = withSinks(createEventHub(options.events ?? new EventTarget()), sinks);
  let loading: Promise<Execution> | undefined;
  let loaded: Execution | undefined;
  const execution = (): Promise<Execution> => {
    loading ??= loadPeer(['graphql'], () => import('../execute/execution.js')).then(({ createExecution }) => {
      loaded = createExecution(schema, resolvers, { limits, events });
      return loaded;
    });
    return loading;
  };
  const loadedExecution = () => loaded;
  const router = createRouter({
    ...environment,
    schema,
    exports,
    federation: projection.federation,
    execution,
    loadedExecution,
  });
  const endSubscriptions = (): void => {
    loading?.then((engine) => engine.endSubscriptions()).catch(() => undefined);
  };
  return { projection, exports, events, execution, contextFor, router, endSubscriptions };
}

/** Runs an operation with the context that is given, or else with one made as for a request. */
async function withContext<Result>(
  { mask }: Execution,
  given: unknown,
  contextFor: (request: Request) => unknown,
  operation: (context: unknown) => Promise<Result>,
): Promise<Result | ExecutionResult> {
  let context = given;
  try {
    context ??= await contextFor(new Request('http://localhost/'));
  } catch (error) {
    return { errors: [mask.thrown(error)] };
  }
  return operation(context);
}

function answerHealth(request: Request, isUp: boolean, federation?: FederationSourceStatus): Response {
  const body = JSON.stringify({ status: isUp ? 'ok' : 'unavailable', federation });
  return answerDocument(request, () => jsonResponse(isUp ? 200 : 503, body, { 'cache-control': 'no-store' }));
}

/** An answer that is the last one of its connection. */
function asLast(response: Response): Response {
  const last = new Response(response.body, response);
  last.headers.set('connection', 'close');
  return last;
}

function problemOf(error: unknown, masking: boolean): Problem {
  if (error instanceof ProblemError) return error.problem;
  console.error(error);
  if (error instanceof PeerMissingError) return { status: 500, detail: error.message };
  if (error instanceof TopologyError) {
    return { status: 503, detail: masking ? 'The topology cannot be served.' : error.message };
  }
  return {
    status: 500,
    detail: masking || !(error instanceof Error) ? 'Unexpected error.' : error.message,
  };
}

/** @throws {TypeError} When there is no such subscription. */
function checkSubscription({ subscriptions }: GqlSchema, name: string): void {
  const names = subscriptions.map((subscription) => subscription.name);
  if (names.includes(name)) return;
  const suggestion = createSuggester(names).nearest(name);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  throw new TypeError(`There is no subscription ${name}.${hint}`);
}

/** The types say all of this; a program without types hears it here, and not from the middle of the work. */
function checkOptions<TContext>(options: GqlServerOptions<TContext>): void {
  const { topologies, resolvers, endpoint, events } = options;
  const isInput = (input: unknown): boolean => {
    if (typeof input === 'string') return true;
    const { name, source } = (input ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && typeof source === 'string';
  };
  if (!Array.isArray(topologies) || topologies.length === 0 || !topologies.every(isInput)) {
    throw new TypeError(
      'topologies must be a list of paths, globs, URLs or { name, source }, and not empty.',
    );
  }
  if (resolvers !== undefined && (typeof resolvers !== 'object' || resolvers === null)) {
    throw new TypeError('resolvers must be an object: { Query: { field: (parent, args) => … } }.');
  }
  if (events !== undefined && typeof events?.dispatchEvent !== 'function') {
    throw new TypeError('events must be an EventTarget.');
  }
  if (endpoint === undefined) return;
  const isPath = typeof endpoint === 'string' && /^(\/[\w.~-]+)+$/.test(endpoint);
  if (!isPath || reservedPaths.includes(endpoint)) {
    throw new TypeError(`endpoint must be a path of its own, such as /graphql or ${restPrefix}graphql.`);
  }
}

function isFunction<T>(value: T): value is T & ((request: Request) => unknown) {
  return typeof value === 'function';
}
