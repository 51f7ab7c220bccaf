import type { ExecutionResult } from 'graphql';
import type { Analysis } from '../analyze.js';
import { type ContextSource, callerOf, DefaultContext } from '../auth/caller.js';
import { createGuard, type Guard, schemesOf } from '../auth/guard.js';
import { createOwners, type OwnerOf } from '../auth/owner.js';
import type { Principal } from '../auth/principal.js';
import { type EventBroker, isBroker } from '../brokers/broker.js';
import { carryOverBroker } from '../brokers/broker-carrier.js';
import {
  carryOverTarget,
  createEventHub,
  type EventCarrier,
  type EventHub,
  type EventTargetLike,
  withSinks,
} from '../brokers/event-hub.js';
import { carryInMemory, MemoryEvents, memoryEvents } from '../brokers/memory.js';
import type { Calls } from '../call/calls.js';
import { withDefaults } from '../compile.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import { createSuggester } from '../graph/suggest.js';
import { enginePluginsOf } from '../hooks/engine-plugins.js';
import { readGuards } from '../hooks/operation-guards.js';
import { createHooks, type Hooks, withEventHook } from '../hooks/server-hooks.js';
import { type Answer, responseOf } from '../http/answer.js';
import { FetchExchange } from '../http/fetch-exchange.js';
import type { Engine } from '../http/graphql/engine.js';
import type { RouteTable } from '../http/rest/route-table.js';
import { answerError, answerExchange, type Site } from '../http/steps.js';
import type { Traffic } from '../http/traffic.js';
import type { Watcher } from '../http/watch/watcher.js';
import { resolveLimits } from '../limits/limits.js';
import { analyzeTopologies } from '../load/analyze-topologies.js';
import { loadPeer } from '../load/load-peer.js';
import { createTopologyLoader } from '../load/load-topologies.js';
import { addSecretHeader } from '../logs/redact.js';
import { consoleWatch, type Watch } from '../logs/watch.js';
import { mcpPath, readMcpOption } from '../mcp/mcp.js';
import { createRepeats } from '../repeats/repeats.js';
import type { GqlSchema, GqlSecurityScheme } from '../schema/gql-schema.js';
import { defaultEndpoint } from '../schema/server-paths.js';
import { isTracing, withRemoteParent } from '../tracing/svc-tracing.js';
import { createTraffic } from '../traffic/create-traffic.js';
import { checkRateOperations } from '../traffic/rate-limits.js';
import type { MaybePromise } from '../values/maybe-promise.js';
import { isPromiseLike } from '../values/read-property.js';
import { checkOptions, isFunction } from './check-options.js';
import type { GqlServer } from './gql-server.js';
import { attachService, type Service } from './gql-service.js';
import type { GqlServerOptions } from './options.js';
import { type Projection, project } from './project.js';
import { createHealth, createResources, explainMissing, type ResourceEnvironment } from './resources.js';
import { createExports, type SchemaExports } from './schema-exports.js';
import { createWatcher } from './watching.js';

/**
 * Creates a server for a topology. It answers GraphQL and REST in process and over HTTP; without resolvers it serves
 * the constants of the topology. Files are read at once. A topology behind a URL is loaded later: `ready` settles then.
 * graphql-js and GraphQL Yoga are loaded for the first operation.
 *
 * @throws {TopologyError} If the topology has errors, or the resolvers do not fit it.
 * @throws {TypeError} If the options are invalid.
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
  // The type of the resolvers exists at compile time only.
  const untyped = options as unknown as GqlServerOptions<TContext>;
  return createService(untyped, betaEngine(options)).server as unknown as GqlServer<TContext, TResolvers>;
}

/** The default engine: Yoga. */
function betaEngine({ plugins: given }: Pick<GqlServerOptions, 'plugins'>): Engine {
  const plugins = enginePluginsOf('yoga', given);
  return {
    streamsEvents: plugins.length > 0,
    async load(environment) {
      const { createBetaHandler } = await loadPeer(
        ['graphql-yoga', 'graphql'],
        () => import('../http/graphql/yoga.js'),
      );
      return createBetaHandler(environment, plugins);
    },
  };
}

/** Creates a server for a topology, with an engine. Throws as {@link createGqlServer} does. */
export function createService<TContext>(
  options: GqlServerOptions<TContext>,
  engine: Engine,
): Service<TContext> {
  checkOptions(options);
  const endpoint = options.endpoint ?? defaultEndpoint;
  const production = process.env.NODE_ENV === 'production';
  const limits = resolveLimits(options.limits ?? {}, production);
  const { title } = withDefaults(options);
  const { eventFormat = 'json' } = options;
  const watcher = createWatcher(options);
  const hooks = createHooks(options.hooks, watcher ?? consoleWatch);
  const { watch } = hooks;
  const traffic = createTraffic(options, watch);
  const mcp = readMcpOption(options.mcp);
  const owners = createOwners(options.owners);
  const contextFor: Service['contextFor'] = (request) => {
    if (request.context !== undefined) return request.context(callerOf(request));
    const { context } = options;
    if (context === undefined) return request === trusted ? trustedContext : new DefaultContext(request);
    return isFunction(context) ? context(request.request(), callerOf(request)) : context;
  };
  let running: Running | undefined;
  let isReady = true;
  let isDraining = false;

  const start = (analysis: Analysis): Running => {
    if (options.rateLimits !== undefined) checkRateOperations(options.rateLimits, analysis.schema);
    const documents = options.documents ?? limits.introspection;
    const traits = { production, documents, limits, eventFormat };
    const environment = { endpoint, title, engine, contextFor, watch, mcp, ...traits };
    const projection = project(analysis, options);
    watcher?.learn(projection.schema);
    running = run(projection, options, environment, watcher, hooks, traffic, owners);
    return running;
  };
  const loader = createTopologyLoader(undefined, options.imports);
  const analysis = analyzeTopologies(options.topologies, loader, options.info && { info: options.info });
  const loading = analysis instanceof Promise ? analysis.then(start) : Promise.resolve(start(analysis));
  const ready = loading.then(() => undefined);
  // Callers that await `ready` get the error. The empty catch only keeps an unawaited rejection from ending the process.
  ready.catch(() => undefined);

  const loaded = (): Running => {
    if (running !== undefined) return running;
    throw new Error('The topology is not loaded yet: await server.ready first.');
  };

  const site: Site = {
    ...traffic,
    health: createHealth(
      {
        isReady: () => running !== undefined && isReady,
        federation: () => running?.projection.federation?.status?.(),
        events: () => running?.broker,
      },
      limits.masking,
    ),
    get resources() {
      return running?.resources;
    },
    loading,
    explainMissing: (path) => explainMissing(path, loaded().resources, limits.introspection),
    get guard() {
      return running?.guard;
    },
    onRequest: hooks.request,
    preventsCsrf: limits.csrf,
    masksErrors: limits.masking,
    get isDraining() {
      return isDraining;
    },
    watch,
  };
  const answerInSpan: Service['answer'] = (exchange, write) => {
    const headers = {
      get: (name: string) => exchange.header(name.toLowerCase()),
      keys: () => exchange.headerNames(),
    };
    return withRemoteParent(headers, () => answerExchange(exchange, site, write));
  };
  const answer: Service['answer'] = (exchange, write) => {
    if (watcher?.isOn === true) exchange.watched = watcher.begin(exchange);
    if (isTracing()) answerInSpan(exchange, write);
    else answerExchange(exchange, site, write);
  };

  const execution = async () => (await loading).execution();
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
      const engine = await execution();
      const { principal } = request;
      return withContext(engine, context, principal, contextFor, async (contextValue) => {
        const prepared = engine.prepare(request, 'executeOperation');
        return 'args' in prepared ? engine.execute({ ...prepared.args, contextValue, principal }) : prepared;
      });
    },
    subscribe: async (request, context) => {
      const engine = await execution();
      const { principal } = request;
      return withContext(engine, context, principal, contextFor, async (contextValue) => {
        const prepared = engine.prepare(request, 'subscribe');
        return 'args' in prepared
          ? engine.subscribe({ ...prepared.args, contextValue, principal })
          : prepared;
      });
    },
    fetch: async (request) => {
      try {
        const exchange = new FetchExchange(request);
        return responseOf(await new Promise<Answer>((resolve) => answer(exchange, resolve)));
      } catch (error) {
        return responseOf(answerError(error, site));
      }
    },
    publish: (name, payload) => {
      const { projection, publish } = loaded();
      checkSubscription(projection.schema, name);
      // `publish` returns nothing, so an error of a sink is only logged.
      const taking = publish(name, payload);
      if (isPromiseLike(taking)) taking.catch((error: unknown) => watch.fault(error));
    },
    get incompleteEvents() {
      return running?.incompleteEvents() ?? new Map();
    },
    failReadiness() {
      isReady = false;
    },
    drain() {
      isReady = false;
      isDraining = true;
      running?.endSubscriptions();
    },
    async close() {
      await running?.broker?.close();
      watcher?.forgetBroker();
    },
    exportGraphQL: () => loaded().exports.graphql(),
    exportOpenAPI: () => loaded().exports.openapi(),
    exportCollection: () => loaded().exports.collection(),
  };
  const { request: onRequest } = hooks;
  const shared = {
    endpoint,
    mcpPath: mcp && mcpPath,
    title,
    production,
    limits,
    watch,
    watcher,
    traffic,
    onRequest,
  };
  const authenticate: Service['authenticate'] = (credentials) =>
    running?.guard?.authenticate(credentials) ?? null;
  const service = { server, answer, authenticate, execution, contextFor, ...shared };
  attachService(server, service);
  return service;
}

interface Running {
  readonly projection: Projection<never>;
  readonly exports: SchemaExports;
  readonly publish: EventHub['publish'];
  incompleteEvents(): ReadonlyMap<string, number> | undefined;
  readonly execution: () => MaybePromise<Calls>;
  readonly resources: RouteTable;
  readonly guard: Guard | undefined;
  endSubscriptions(): void;
  /** What carries the events to other processes; undefined if nothing does. */
  readonly broker: EventBroker | undefined;
}

function run<TContext>(
  projection: Projection<TContext>,
  options: GqlServerOptions<TContext>,
  environment: Omit<ResourceEnvironment, 'schema' | 'federation' | 'exports' | 'execution'>,
  watcher: Watcher | undefined,
  hooks: Hooks,
  traffic: Traffic,
  owners: OwnerOf,
): Running {
  const { schema, resolvers, sinks, federation } = projection;
  const { endpoint, limits } = environment;
  const exports = createExports(schema, endpoint, {
    ...options,
    takesKeys: options.idempotency !== undefined,
  });
  const { authenticate } = options;
  const guard =
    authenticate && createGuard(authenticate, schemesOf(authenticate) ?? schema.security ?? bearer);
  for (const name of guard?.headers ?? []) addSecretHeader(name);
  const guards = readGuards(options.guards, schema);
  const { events: given = memoryEvents() } = options;
  const { watch } = hooks;
  // Without subscriptions, nothing is published.
  const broker = isBroker(given) && schema.subscriptions.length > 0 ? given : undefined;
  const carrier = carrierOf(broker ?? (isBroker(given) ? memoryEvents() : given), watch);
  const hub = withSinks(withEventHook(createEventHub(carrier, watch), hooks), sinks);
  const events = watcher?.watchEvents(hub, broker) ?? hub;
  let loading: Promise<Calls> | undefined;
  let loaded: Calls | undefined;
  const execution = (): MaybePromise<Calls> => {
    if (loaded !== undefined) return loaded;
    loading ??= loadPeer(['graphql'], () =>
      Promise.all([
        import('../execute/execution.js'),
        import('../call/calls.js'),
        import('../traffic/count-calls.js'),
        import('../scalars/standard-scalars.js'),
        watcher && import('../http/watch/watch-execution.js'),
      ]),
    ).then(
      async ([{ createExecution }, { createCalls }, { countCalls }, { loadStandardScalars }, watching]) => {
        const maps = [...resolvers, ...(await loadStandardScalars(schema))];
        const execution = createExecution(schema, maps, { limits, events });
        const { rates } = traffic;
        // A demand for keys without the option would have no effect.
        const needsKeys = schema.mutations.some(({ idempotent }) => idempotent !== undefined);
        const repeats =
          traffic.repeats ??
          (needsKeys ? createRepeats({ store: 'memory', ttl: 86_400_000 }, watch) : undefined);
        const created = createCalls({
          ...{ model: schema, execution, guard, owners, guards, repeats, watch },
          hook: hooks.operation,
          count: rates && countCalls(rates),
        });
        loaded = watcher === undefined ? created : (watching?.watchExecution(created, watcher) ?? created);
        return loaded;
      },
    );
    return loading;
  };
  const resources = createResources({ ...environment, schema, exports, federation, execution });
  const endSubscriptions = (): void => {
    loading?.then((engine) => engine.subscriptions.end()).catch(() => undefined);
  };
  // Before the first operation there are no subscribers, and no schema that knows what an event needs.
  const publish: EventHub['publish'] = (...event) => (loaded ?? events).publish(...event);
  const incompleteEvents = () => loaded?.incompleteEvents;
  return {
    ...{ projection, exports, publish, incompleteEvents, execution, resources, guard, endSubscriptions },
    broker,
  };
}

function carrierOf(events: EventBroker | EventTargetLike | MemoryEvents, watch: Watch): EventCarrier {
  if (events instanceof MemoryEvents) return carryInMemory(events);
  return isBroker(events) ? carryOverBroker(events, watch) : carryOverTarget(events);
}

/** The scheme of a server that uses no access and has an authenticator of its own. */
const bearer: readonly GqlSecurityScheme[] = [{ type: 'bearer' }];

/** An operation in this process. */
const trusted: ContextSource = {
  principal: null,
  address: undefined,
  request: () => new Request('http://localhost/'),
  context: undefined,
  framework: undefined,
};

/** Its default context: one object, so that subscriptions in this process are shared. */
const trustedContext = new DefaultContext(trusted);

/** Runs an operation with the given context, or with that of the option `context`. */
async function withContext<Result>(
  { mask }: Calls,
  given: unknown,
  principal: Principal | null = null,
  contextFor: Service['contextFor'],
  operation: (context: unknown) => Promise<Result>,
): Promise<Result | ExecutionResult> {
  let context = given;
  try {
    context ??= await contextFor(principal === null ? trusted : { ...trusted, principal });
  } catch (error) {
    return { errors: [mask.thrown(error)] };
  }
  return operation(context);
}

function checkSubscription({ subscriptions }: GqlSchema, name: string): void {
  const names = subscriptions.map((subscription) => subscription.name);
  if (names.includes(name)) return;
  const suggestion = createSuggester(names).nearest(name);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  throw new TypeError(`There is no subscription ${name}.${hint}`);
}
