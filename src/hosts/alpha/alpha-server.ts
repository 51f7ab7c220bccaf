import type {
  ApolloServer,
  ApolloServerOptions,
  ApolloServerOptionsWithGateway,
  ApolloServerPlugin,
  BaseContext,
} from '@apollo/server';
import { registerDirect } from '../../http/direct/direct-request.js';
import type { Engine } from '../../http/graphql/engine.js';
import type { Outcome } from '../../http/graphql/known-operation.js';
import { loadPeer, requirePeer } from '../../load/load-peer.js';
import type { FetchCompatibleGraphQLServer, GqlServerOptions } from '../../server/options.js';
import { createService, type Service } from '../../server/service.js';
import type { Drainable } from '../node/drain.js';
import { createAlphaHandler } from './alpha.js';
import { attachBacking, type Backing } from './alpha-backing.js';
import { scopeContext } from './alpha-context.js';
import { createDocumentStore } from './alpha-documents.js';
import type { AlphaExecutor, AlphaOperation } from './alpha-executor.js';
import { alphaPlugins } from './alpha-plugins.js';
import { type AlphaSite, openAlphaSite } from './alpha-site.js';

type GatewayInterface = ApolloServerOptionsWithGateway<BaseContext>['gateway'];

/** What may be said to Apollo Server beside; the schema comes from the topology. */
export type AlphaFrameworkOptions<TContext extends BaseContext = BaseContext> = Partial<
  Omit<ApolloServerOptions<TContext>, 'schema' | 'gateway' | 'typeDefs' | 'resolvers'>
>;

/** An Apollo Server that answers fetch requests as well: GraphQL, REST, the documents and health. */
export type AlphaServer<TContext extends BaseContext = BaseContext> = ApolloServer<TContext> &
  FetchCompatibleGraphQLServer &
  Drainable;

/**
 * Makes an Apollo Server that runs a topology: the same schema, resolvers, limits and errors as on any other
 * host. `createAlphaExpressMiddleware` and `createAlphaFastifyPlugin` put it on a host, with REST and the
 * documents beside it; so does whatever takes a fetch server: `createBetaHttpServer(server)` puts it on Node. It
 * needs `npm install @apollo/server graphql`.
 *
 * @param options - As for {@link createGqlServer}.
 * @param frameworkOptions - What is said to Apollo Server beside: plugins, a cache, a logger. Plugins and
 * `validationRules` join ours; `formatError` gets errors that are masked already.
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
export function createAlphaServer<TContext extends BaseContext = BaseContext>(
  options: GqlServerOptions<TContext>,
  frameworkOptions: AlphaFrameworkOptions<TContext> = {},
): AlphaServer<TContext> {
  const { ApolloServer } = requireApollo();
  const { config, backing } = configure(options, frameworkOptions);
  const server = new ApolloServer<TContext>(config);
  backing.apollo = server as unknown as ApolloServer;
  backing.isWhole = true;
  attachBacking(server, backing);
  let site: Promise<AlphaSite> | undefined;
  const fetching = Object.assign(server, {
    async fetch(request: Request): Promise<Response> {
      site ??= openAlphaSite(server);
      return (await site).fetch(request);
    },
    drain: () => backing.service.server.drain(),
  });
  registerDirect(fetching, backing.service.direct);
  return fetching;
}

/**
 * Makes the configuration of an Apollo Server that runs a topology, for those who make the server
 * themselves: `new ApolloServer(createAlphaServerAdapter(options))`. It needs `npm install @apollo/server graphql`.
 *
 * Documents are validated where they are executed, within the `limits` of the options; `validationRules` and
 * `introspection` that are put into the configuration afterwards do nothing. To add rules use the second
 * argument of {@link createAlphaServer}.
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
export function createAlphaServerAdapter<TContext extends BaseContext = BaseContext>(
  options: GqlServerOptions<TContext>,
): ApolloServerOptions<TContext> {
  requireApollo();
  return configure(options, {}).config;
}

function configure<TContext extends BaseContext>(
  options: GqlServerOptions<TContext>,
  frameworkOptions: AlphaFrameworkOptions<TContext>,
): { readonly config: ApolloServerOptions<TContext>; readonly backing: Backing } {
  const { plugins = [], formatError, validationRules = [], introspection, ...rest } = frameworkOptions;
  /** What has happened already of the requests that Apollo has to tell of. */
  const outcomes = new WeakMap<Request, Outcome>();
  const engine: Engine = async ({ contextFor, execution: { mask } }) => {
    const { apollo } = backing;
    if (apollo === undefined) throw new Error('invariant: a request has come without a host');
    const makeContext = async (request: Request): Promise<unknown> => {
      const outcome = outcomes.get(request);
      if (outcome?.kind === 'result') return undefined;
      try {
        if (outcome?.kind === 'refused') throw outcome.error;
        return await contextFor(request);
      } catch (error) {
        throw mask.thrown(error);
      }
    };
    const handle = await createAlphaHandler(apollo, makeContext, true);
    const isSeen = validationRules.length > 0 || rest.stringifyResult !== undefined || isObserved(apollo);
    return {
      handle(guarded, request, outcome) {
        if (outcome !== undefined) outcomes.set(request, outcome);
        return handle(guarded, request);
      },
      // Who has made the server himself may have told it more than we know of.
      plain:
        isSeen || !backing.isWhole
          ? undefined
          : { end: '\n', scope: scopeContext, statesLength: true, readsDocuments: false },
    };
  };
  // Introspection is a limit here as on every host; Apollo is told the same so that its reports are right.
  const limits = introspection === undefined ? options.limits : { ...options.limits, introspection };
  const service = createService(limits === undefined ? options : { ...options, limits }, engine);
  const backing: Backing = { service: service as Service, apollo: undefined, isWhole: false };

  let executor: AlphaExecutor | undefined;
  let tell: Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0] = () => undefined;
  const gateway: GatewayInterface = {
    onSchemaLoadOrUpdate(callback) {
      tell = callback;
      return () => undefined;
    },
    async load() {
      const execution = await service.execution();
      const { createAlphaExecutor } = await loadPeer(['graphql'], () => import('./alpha-executor.js'));
      const made = createAlphaExecutor(execution, validationRules, outcomes);
      executor = made;
      tell({ apiSchema: execution.schema, coreSupergraphSdl: '' });
      return { executor: (operation) => made.execute(operation as AlphaOperation) };
    },
    stop: async () => service.server.drain(),
  };
  const ours = alphaPlugins<TContext>(service as Service, plugins);
  for (const plugin of ours) attachBacking(plugin, backing);
  const config: ApolloServerOptions<TContext> = {
    // Signals belong to the host, which drains all of it and not GraphQL alone.
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
    // Checked all the same, by the executor: the limits have to go first, and Apollo would put them last.
    dangerouslyDisableValidation: true,
    formatError: (formatted, error) => {
      const shown = executor?.format(formatted, error) ?? formatted;
      return formatError === undefined ? shown : formatError(shown, error);
    },
    plugins: [...plugins, ...ours],
  };
  return { config, backing };
}

/** Whether a plugin of the user, or one that Apollo has added by itself, looks at requests. */
function isObserved(apollo: ApolloServer): boolean {
  // As in `alpha-backing.ts`: there is no public way to the plugins of a server.
  const { plugins } = (apollo as unknown as { internals: { plugins: readonly ApolloServerPlugin[] } })
    .internals;
  return plugins.some(({ requestDidStart }) => requestDidStart !== undefined);
}

function requireApollo(): typeof import('@apollo/server') {
  return requirePeer(['@apollo/server', 'graphql'], '@apollo/server');
}
