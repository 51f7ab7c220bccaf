import type { ExecutionResult } from 'graphql';
import { isTracing } from '../../base/tracing/svc-tracing.js';
import { withRemoteParent } from '../../base/tracing/trace-context.js';
import { isPromiseLike } from '../../base/values/maybe-promise.js';
import type { Analysis } from '../../compiler/analyze.js';
import { withDefaults } from '../../compiler/compile.js';
import { didYouMean } from '../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { defaultEndpoint } from '../../compiler/schema/server-paths.js';
import { type ContextSource, callerOf, DefaultContext } from '../auth/caller.js';
import { createOwners } from '../auth/owner.js';
import type { CallArgs } from '../call/call.js';
import type { Calls } from '../call/calls.js';
import type { OperationRequest, Resolvers } from '../execute/resolvers/contract.js';
import { enginePluginsOf } from '../hooks/engine-plugins.js';
import { createHooks } from '../hooks/server-hooks.js';
import { type Answer, responseOf } from '../http/answer.js';
import { FetchExchange } from '../http/fetch-exchange.js';
import type { Engine } from '../http/graphql/engine.js';
import { answerError, answerExchange, type Site } from '../http/steps.js';
import { resolveLimits } from '../limits/limits.js';
import { analysisOf } from '../load/analyze-topologies.js';
import { loadPeer } from '../load/load-peer.js';
import { consoleMonitor } from '../logs/monitor.js';
import { mcpPath, readMcpOption } from '../mcp/mcp.js';
import { createTraffic } from '../traffic/create-traffic.js';
import { checkRateOperations } from '../traffic/rate-limits.js';
import { attachService, type GqlServer, type Service } from './gql-server.js';
import { openTelemetry } from './open-telemetry.js';
import { checkOptions, type GqlServerOptions, isFunction } from './options.js';
import { project } from './project.js';
import { createHealth, explainMissing } from './resources.js';
import { type Running, run } from './running.js';

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
export function createGqlServer<TContext = unknown, TResolvers extends Resolvers<TContext> = Resolvers<TContext>>(
  options: GqlServerOptions<TContext, NoInfer<TResolvers>>,
): GqlServer<TContext, TResolvers> {
  // The type of the resolvers exists at compile time only.
  const untyped = options as unknown as GqlServerOptions<TContext>;
  return createService(untyped, betaEngine(options)).server as unknown as GqlServer<TContext, TResolvers>;
}

/** The default engine: Yoga. */
function betaEngine({ plugins: given }: Pick<GqlServerOptions, 'plugins'>): Engine {
  const plugins = enginePluginsOf('yoga', given);
  return {
    streamsEvents: plugins.length > 0,
    async load(...given) {
      const { createBetaHandler } = await loadPeer(
        ['graphql-yoga', 'graphql'],
        () => import('../http/graphql/yoga.js'),
      );
      return createBetaHandler(...given, plugins);
    },
  };
}

/** Creates a server for a topology, with an engine. Throws as {@link createGqlServer} does. */
export function createService<TContext>(options: GqlServerOptions<TContext>, engine: Engine): Service<TContext> {
  checkOptions(options);
  const endpoint = options.endpoint ?? defaultEndpoint;
  const production = process.env.NODE_ENV === 'production';
  const limits = resolveLimits(options.limits ?? {}, production);
  const { title } = withDefaults(options);
  const { eventFormat = 'json' } = options;
  const telemetry = openTelemetry(options);
  const hooks = createHooks(options.hooks, telemetry ?? consoleMonitor);
  const { monitor } = hooks;
  const traffic = createTraffic(options, monitor);
  const mcp = readMcpOption(options.mcp);
  const owners = createOwners(options.owners);
  const publish = (name: string, payload: unknown): void => {
    const { projection, publish: publishNow } = loaded();
    checkSubscription(projection.schema, name);
    // It returns nothing, so an error of a sink is only logged.
    const taking = publishNow(name, payload);
    if (isPromiseLike(taking)) taking.catch((error: unknown) => monitor.fault(error));
  };
  const store: GqlServer['store'] = async () => {
    const { stored } = (await loading).projection;
    if (stored?.open === undefined) throw new Error('The server has no database: pass the option “store”.');
    // The caller names the tables: this package does not know them.
    return (await stored.open()) as never;
  };
  const means = { publish, store };
  // One object, so that subscriptions in this process are shared.
  const trustedContext = new DefaultContext(trusted, means);
  const contextFor: Service['contextFor'] = (request) => {
    if (request.context !== undefined) return request.context(callerOf(request));
    const { context } = options;
    if (context === undefined) return request === trusted ? trustedContext : new DefaultContext(request, means);
    return isFunction(context) ? context(request.request(), callerOf(request)) : context;
  };
  const traits = { endpoint, title, production, limits, eventFormat, monitor, contextFor };
  let running: Running | undefined;
  let isReady = true;
  let isDraining = false;

  const start = (analysis: Analysis): Running => {
    if (options.rateLimits !== undefined) checkRateOperations(options.rateLimits, analysis.schema);
    const projection = project(analysis, options);
    telemetry?.learn(projection.schema);
    const documents = options.documents ?? limits.introspection;
    running = run(projection, options, traits, { engine, documents, mcp, telemetry, hooks, traffic, owners });
    return running;
  };
  const analysis = analysisOf(options.topologies, options.imports, options.info);
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
      () => ({
        isReady: running !== undefined && isReady,
        federation: running?.projection.federation?.status?.(),
        broker: running?.broker,
        store: options.store,
        runs: running?.runs,
      }),
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
    monitor,
  };
  const answerInSpan: Service['answer'] = (exchange, write) => {
    const headers = {
      get: (name: string) => exchange.header(name.toLowerCase()),
      keys: () => exchange.headerNames(),
    };
    return withRemoteParent(headers, () => answerExchange(exchange, site, write));
  };
  const answer: Service['answer'] = (exchange, write) => {
    if (telemetry?.isOn === true) exchange.tracked = telemetry.begin(exchange);
    if (isTracing()) answerInSpan(exchange, write);
    else answerExchange(exchange, site, write);
  };

  const environment = async () => (await loading).environment;
  const execution = async () => (await environment()).execution();
  /** Runs an operation of the program with the given context, or with that of the option `context`. */
  const perform = async <Result>(
    way: 'executeOperation' | 'subscribe',
    request: OperationRequest,
    given: unknown,
    start: (engine: Calls, args: CallArgs) => Promise<Result>,
  ): Promise<Result | ExecutionResult> => {
    const engine = await execution();
    const { principal = null } = request;
    let contextValue = given;
    try {
      contextValue ??= await contextFor(principal === null ? trusted : { ...trusted, principal });
    } catch (error) {
      return { errors: [engine.mask.thrown(error)] };
    }
    const prepared = engine.prepare(request, way);
    if (!('args' in prepared)) return prepared;
    return start(engine, { ...prepared.args, contextValue, principal: request.principal });
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
    executeOperation: (request, context) =>
      perform('executeOperation', request, context, (engine, args) => engine.execute(args)),
    subscribe: (request, context) => perform('subscribe', request, context, (engine, args) => engine.subscribe(args)),
    fetch: async (request) => {
      try {
        const exchange = new FetchExchange(request);
        return responseOf(await new Promise<Answer>((resolve) => answer(exchange, resolve)));
      } catch (error) {
        return responseOf(answerError(error, site));
      }
    },
    run: async (name, inputs, given = {}) => (await loading).runChain(name, inputs, given),
    publish,
    store,
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
      running?.runs?.drain();
    },
    async close() {
      await running?.runs?.close();
      await running?.projection.stored?.close?.();
      await Promise.all([running?.broker?.close(), options.store?.close()]);
      telemetry?.forgetBroker();
    },
    exportGraphQL: () => loaded().exports.graphql(),
    exportOpenAPI: () => loaded().exports.openapi(),
    exportCollection: () => loaded().exports.collection(),
  };
  const service: Service<TContext> = {
    ...traits,
    ...{ server, answer, environment, execution, telemetry, traffic },
    runs: async () => (await loading).runs?.open,
    authenticate: (credentials) => running?.guard?.authenticate(credentials) ?? null,
    mcpPath: mcp && mcpPath,
    onRequest: hooks.request,
  };
  attachService(server, service);
  return service;
}

/** An operation in this process. */
const trusted: ContextSource = {
  principal: null,
  address: undefined,
  request: () => new Request('http://localhost/'),
  context: undefined,
  framework: undefined,
};

function checkSubscription({ subscriptions }: GqlSchema, name: string): void {
  const names = subscriptions.map((subscription) => subscription.name);
  if (names.includes(name)) return;
  throw new TypeError(`There is no subscription ${name}.${didYouMean(name, names)}`);
}
