import type { ApolloServer, ApolloServerOptions, ApolloServerPlugin, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { enginePluginsOf } from '../../hooks/engine-plugins.js';
import type { Exchange } from '../../http/exchange.js';
import type { Engine } from '../../http/graphql/engine.js';
import { loadGraphiQL, pageContent } from '../../http/graphql/graphiql.js';
import { maxDocuments, maxLength } from '../../limits/known-documents.js';
import { LruMap } from '../../limits/lru-map.js';
import { hasPeer, loadPeer, requirePeer } from '../../load/load-peer.js';
import {
  attachService,
  type FetchCompatibleGraphQLServer,
  type GqlServer,
  type Service,
} from '../../server/gql-server.js';
import type { GqlServerOptions } from '../../server/options.js';
import { createService } from '../../server/service.js';
import type { Drainable } from '../node/drain.js';
import { createAlphaHandler } from './alpha.js';
import { pluginsOf, startApollo, TopologyPlugin } from './alpha-backing.js';
import { scopeContext } from './alpha-context.js';
import type { AlphaExecutor, Gateway } from './alpha-executor.js';

/** Further options of Apollo Server; the schema comes from the topology. */
export type AlphaFrameworkOptions<TContext extends BaseContext = BaseContext> = Partial<
  Omit<ApolloServerOptions<TContext>, 'schema' | 'gateway' | 'typeDefs' | 'resolvers'>
>;

/** An Apollo Server that also has `fetch`, for GraphQL, REST, the documents and health checks, and runs chains. */
export type AlphaServer<TContext extends BaseContext = BaseContext> = ApolloServer<TContext> &
  FetchCompatibleGraphQLServer &
  Pick<GqlServer<TContext>, 'run'> &
  Drainable;

/**
 * Creates an Apollo Server for a topology, with the same schema, resolvers, limits and errors as on any other host. To
 * serve it with REST and the documents, pass it to `createAlphaExpressMiddleware`, `createAlphaFastifyPlugin`,
 * `createBetaHttpServer` or anything else that takes an object with `fetch`. It needs `npm install @apollo/server
 * graphql`.
 *
 * @param options - As for {@link createGqlServer}.
 * @param frameworkOptions - Further options of Apollo Server: plugins, a cache, a logger. Plugins and `validationRules`
 *   are added to ours; `formatError` gets errors that are already masked.
 * @throws {TopologyError} When the topology has errors, or the resolvers do not fit it.
 * @throws {Error} When Apollo Server is not installed; the message names the command that installs it.
 *
 * @example
 * ```ts
 * import { createAlphaServer } from 'gg-svc';
 *
 * const server = createAlphaServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * const { body } = await server.executeOperation({ query: '{ hello { text } }' });
 * if (body.kind === 'single') console.log(body.singleResult.data); // { hello: { text: 'Hello' } }
 * ```
 */
export function createAlphaServer<TContext = BaseContext>(
  options: GqlServerOptions<TContext>,
  frameworkOptions: AlphaFrameworkOptions<TContext & BaseContext> = {},
): AlphaServer<TContext & BaseContext> {
  const { ApolloServer } = requireApollo();
  const { config, backing } = configure(options, frameworkOptions);
  const server = new ApolloServer(config);
  backing.apollo = server as unknown as ApolloServer;
  backing.isWhole = true;
  const { service } = backing;
  let isStarted = false;
  let starting: Promise<void> | undefined;
  const start = (): Promise<void> => {
    // Requests that need Apollo report a failed start.
    starting ??= startApollo(server).catch((error: unknown) => service.monitor.fault(error));
    return starting.then(() => {
      isStarted = true;
    });
  };
  const alpha = Object.assign(server, {
    async fetch(request: Request): Promise<Response> {
      if (!isStarted) await start();
      return service.server.fetch(request);
    },
    run: service.server.run,
    failReadiness: service.server.failReadiness,
    drain: service.server.drain,
    close: service.server.close,
  });
  const answer: Service['answer'] = (exchange, write) => {
    if (isStarted) service.answer(exchange, write);
    else void start().then(() => service.answer(exchange, write));
  };
  attachService(alpha, { ...service, answer });
  return alpha;
}

/**
 * Creates the configuration of an Apollo Server for a topology, for programs that create the server themselves: `new
 * ApolloServer(createAlphaServerAdapter(options))`. It needs `npm install @apollo/server graphql@16`.
 *
 * gg-svc validates documents itself, within the `limits` of the options; `validationRules` and `introspection` that you
 * add to the configuration have no effect. To add rules, use the second argument of {@link createAlphaServer}.
 *
 * @param options - As for {@link createGqlServer}.
 * @throws {TopologyError} When the topology has errors, or the resolvers do not fit it.
 * @throws {Error} When Apollo Server is not installed; the message names the command that installs it.
 *
 * @example
 * ```ts
 * import { ApolloServer } from '@apollo/server';
 * import { createAlphaServerAdapter } from 'gg-svc';
 *
 * const server = new ApolloServer(
 *   createAlphaServerAdapter({
 *     topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 *   }),
 * );
 * await server.executeOperation({ query: '{ hello { text } }' });
 * ```
 */
export function createAlphaServerAdapter<TContext = BaseContext>(
  options: GqlServerOptions<TContext>,
): ApolloServerOptions<TContext & BaseContext> {
  requireApollo();
  return configure(options, {}, true).config;
}

function configure<TContext>(
  options: GqlServerOptions<TContext>,
  frameworkOptions: AlphaFrameworkOptions<TContext & BaseContext>,
  takesPlugins = false,
): { readonly config: ApolloServerOptions<TContext & BaseContext>; readonly backing: TopologyPlugin } {
  const { plugins: own = [], formatError, validationRules = [], introspection, ...rest } = frameworkOptions;
  const plugins = [...(enginePluginsOf('apollo', options.plugins) as typeof own), ...own];
  const load: Engine['load'] = async ({ contextFor }, { mask }) => {
    const { apollo } = backing;
    if (apollo === undefined) throw new Error('invariant: a request arrived without a host');
    const makeContext = async (exchange: Exchange): Promise<unknown> => {
      const { outcome } = exchange;
      if (outcome?.kind === 'result') return undefined;
      try {
        if (outcome?.kind === 'refused') throw outcome.error;
        return await contextFor(exchange);
      } catch (error) {
        throw mask.thrown(error, exchange.tracked);
      }
    };
    const isSeen =
      validationRules.length > 0 ||
      rest.stringifyResult !== undefined ||
      pluginsOf(apollo).some(({ requestDidStart }) => requestDidStart !== undefined);
    return {
      handle: await createAlphaHandler(apollo, makeContext, true),
      // An Apollo Server that the user created may have options that this package does not know.
      plain: isSeen || !backing.isWhole ? undefined : { end: '\n', scope: scopeContext, readsDocuments: false },
    };
  };
  // Introspection is a limit, as on every host; Apollo gets the same setting so that its usage reports are correct.
  const limits = introspection === undefined ? options.limits : { ...options.limits, introspection };
  // Apollo has no event streams.
  const engine: Engine = { streamsEvents: false, load };
  const service = createService(limits === undefined ? options : { ...options, limits }, engine);
  const backing = new TopologyPlugin(service as Service);

  let executor: AlphaExecutor | undefined;
  let tell: Parameters<Gateway['onSchemaLoadOrUpdate']>[0] = () => undefined;
  const gateway: Gateway = {
    onSchemaLoadOrUpdate(callback) {
      tell = callback;
      return () => undefined;
    },
    async load() {
      const execution = await service.execution();
      const { createAlphaExecutor } = await loadPeer(
        ['@apollo/server', 'graphql'],
        () => import('./alpha-executor.js'),
      );
      const made = createAlphaExecutor(execution, validationRules, service.authenticate);
      executor = made;
      tell({ apiSchema: execution.schema, coreSupergraphSdl: '' });
      return { executor: made.execute };
    },
    async stop() {
      service.server.drain();
      await service.server.close();
    },
  };
  const ours = alphaPlugins<TContext & BaseContext>(service as Service, plugins);
  // A plugin may answer from a cache, without the executor that checks callers. Others would not need this one.
  const mayAnswer = takesPlugins || plugins.some(({ requestDidStart }) => requestDidStart !== undefined);
  const admission: ApolloServerPlugin<TContext & BaseContext> = {
    requestDidStart: async () => ({ didResolveOperation: async (operation) => executor?.admit(operation) }),
  };
  const config: ApolloServerOptions<TContext & BaseContext> = {
    // The host handles signals, because it shuts down more than GraphQL.
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    documentStore: createDocumentStore(),
    ...rest,
    gateway,
    introspection: service.limits.introspection,
    csrfPrevention: service.limits.csrf && (rest.csrfPrevention ?? true),
    allowBatchedHttpRequests: service.limits.batching > 0,
    parseOptions: {
      ...rest.parseOptions,
      ...(Number.isFinite(service.limits.tokens) ? { maxTokens: service.limits.tokens } : {}),
    },
    // The executor checks them: the limits must come first, and Apollo would put them last.
    dangerouslyDisableValidation: true,
    formatError: (formatted, error) => {
      const shown = executor?.format(formatted, error) ?? formatted;
      return formatError === undefined ? shown : formatError(shown, error);
    },
    plugins: [...plugins, backing, ...ours, ...(mayAnswer ? [admission] : [])],
  };
  return { config, backing };
}

function requireApollo(): typeof import('@apollo/server') {
  return requirePeer(['@apollo/server', 'graphql'], '@apollo/server');
}

/** The plugins in place of Apollo's own, unless the user gives some with the same purpose. */
function alphaPlugins<TContext extends BaseContext>(
  service: Service,
  given: readonly ApolloServerPlugin<TContext>[],
): readonly ApolloServerPlugin<TContext>[] {
  const apollo = requirePeer<typeof import('@apollo/server/plugin/disabled')>(
    ['@apollo/server', 'graphql'],
    '@apollo/server/plugin/disabled',
  );
  const has = (disabled: ApolloServerPlugin): boolean => given.some((plugin) => idOf(plugin) === idOf(disabled));

  // Apollo's own landing page loads files from a CDN.
  const noApolloPage = apollo.ApolloServerPluginLandingPageDisabled();
  const hasQueryPage = !service.production && !has(noApolloPage) && hasPeer('@graphql-yoga/render-graphiql');
  const disabled = [
    // A topology has no cache hints, so this plugin would only wrap every resolver.
    apollo.ApolloServerPluginCacheControlDisabled(),
    // The server is not an Apollo Federation subgraph, for which this plugin adds traces to responses.
    apollo.ApolloServerPluginInlineTraceDisabled(),
  ];
  return [
    ...(hasQueryPage ? [queryPagePlugin(service)] : []),
    noApolloPage,
    ...disabled.filter((plugin) => !has(plugin)),
  ];
}

function queryPagePlugin(service: Service): ApolloServerPlugin {
  const { endpoint, title } = service;
  const plugin: ApolloServerPlugin & { readonly __internal_installed_implicitly__: true } = {
    // Apollo serves one landing page. A page of the user replaces the one with this mark.
    __internal_installed_implicitly__: true,
    async serverWillStart() {
      const renderGraphiQL = await loadGraphiQL();
      if (renderGraphiQL === undefined) return;
      // The page has several megabytes: it is made for a browser that asks for it.
      const html = async () => renderGraphiQL({ endpoint, ...pageContent(title, service.server.schema) });
      return { renderLandingPage: async () => ({ html }) };
    },
  };
  return plugin;
}

/** The id of an Apollo plugin. The plugin that disables it has the same id. */
function idOf(plugin: object): string | undefined {
  return (plugin as { readonly __internal_plugin_id__?: string }).__internal_plugin_id__;
}

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/**
 * Makes Apollo's store of parsed documents. Apollo's own store counts only the JSON of a document, but a document also
 * contains its text, which may have a comment of a megabyte.
 */
export function createDocumentStore(): DocumentStore {
  const documents = new LruMap<string, DocumentNode>(maxDocuments);
  return {
    get: async (key) => documents.get(key),
    async set(key, document) {
      if ((document.loc?.end ?? 0) <= maxLength) documents.set(key, document);
    },
    async delete(key) {
      documents.delete(key);
    },
  };
}
