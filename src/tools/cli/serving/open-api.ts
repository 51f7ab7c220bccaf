import { type Diagnostic, diagnose, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../../base/diagnostics/option-error.js';
import { wholeFile } from '../../../base/source/span.js';
import { defined } from '../../../base/values/defined.js';
import { proceed } from '../../../base/values/maybe-promise.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { restRoutes } from '../../../compiler/api/rest-routes.js';
import type { EmitOptions } from '../../../compiler/emit/emitter.js';
import { importsOf } from '../../../compiler/graph/import-path.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { RequestContext } from '../../../runtime/auth/caller.js';
import type { Authenticator } from '../../../runtime/auth/guard.js';
import type { Drainable } from '../../../runtime/hosts/node/drain.js';
import { hasPeer, loadPeer, PeerMissingError } from '../../../runtime/load/load-peer.js';
import { TopologyError } from '../../../runtime/load/topology-error.js';
import { isFilePath, isPath } from '../../../runtime/load/user-module.js';
import { mcpPackage, mcpPath } from '../../../runtime/mcp/mcp.js';
import type { RuntimeIoChannel } from '../../../runtime/server/channels/binding/channel.js';
import { type FetchCompatibleGraphQLServer, type GqlServer, serviceOf } from '../../../runtime/server/gql-server.js';
import {
  authenticationOf,
  eventsOf,
  serverOptionsOf,
  settingError,
  storeOf,
} from '../../../runtime/server/load-config.js';
import type { GqlServerOptions } from '../../../runtime/server/options.js';
import type { Store } from '../../../runtime/store/store.js';
import { explainStore } from '../../../runtime/store/store-error.js';
import type { Recorder } from '../../studio/recorder.js';
import { readTopology } from '../files/read-topology.js';
import { listCallers } from '../terminal/callers.js';
import type { CliOptions, Invocation } from '../terminal/command.js';
import { reportFindings } from '../terminal/report-findings.js';
import { type ApiLoaders, type ContextOptions, chooseModule, type OpenedChannels } from './modules.js';

export interface ServedApi extends FetchCompatibleGraphQLServer, Drainable {}

export type OpenedApi = Awaited<ReturnType<typeof openApi>>;

/** The parts of an API beside its topology and the modules that are loaded with it. */
interface ApiOptions {
  readonly names: Partial<EmitOptions>;
  readonly engine: 'alpha' | 'beta';
  /** The records of the federation layer; false omits the layer. */
  readonly federation: GqlServerOptions['federation'] | undefined;
  /** Whether agents are served if nothing else is said. */
  readonly offersMcp?: boolean;
  /** Hears how a file of SQLite was changed to fit the topology; without it, none is changed. */
  readonly migrated?: (steps: readonly string[]) => void;
  /** Finds callers before the authenticators of the project and of the context module. */
  readonly authenticator?: Authenticator | undefined;
  /** Makes the authenticator of a topology with access settings, if the project has none. */
  readonly fallback?: (() => Promise<Authenticator | undefined>) | undefined;
  /** Records the calls and events of the server. */
  readonly recorder?: Recorder | undefined;
  /** The channels, and the module that they come from. */
  readonly outside: Pick<OpenedChannels, 'channels' | 'path'>;
}

/** Reads a topology and its modules and creates a server; none if they have errors. Reports all diagnostics. */
export async function openApi(started: Invocation, own: ApiOptions, loaders: ApiLoaders) {
  const { operands, options, io } = started;
  const analysis = await readTopology(operands, io, options);
  const { sources } = analysis;
  reportFindings(analysis.diagnostics, sources, io);

  const resolvers = chooseModule('resolvers', started);
  const context = chooseModule('context', started);
  // A broken topology does not load the module; a change of the module still counts.
  const isBroken = hasErrors(analysis.diagnostics);
  const loaded = {
    resolvers: isBroken || !resolvers.path ? undefined : await loaders.resolvers.load(resolvers.path),
    context: isBroken || !context.path ? undefined : await loaders.context.load(context.path),
  };
  const isFile = (operand: string) => isFilePath(operand, io.directory);
  const read = [...operands, ...sources.map(({ name }) => name), ...analysis.ast.documents.flatMap(importsOf)];
  const failed = {
    ok: false,
    /** The topology without errors, and without the layers of the server. */
    topology: isBroken ? undefined : analysis,
    /** The topology with its errors. */
    analysis,
    /** All findings: of the topology, its modules and its server. */
    findings: analysis.diagnostics,
    resolvers,
    context,
    watched: {
      files: [
        ...[...read.filter(isFile), ...resolvers.candidates, ...context.candidates],
        ...Object.values(loaded).flatMap((module) => module?.files ?? []),
      ],
      patterns: operands.filter((operand) => !isFile(operand) && isPath(operand)),
    },
  } as const;
  if (isBroken) return failed;
  const unusable = Object.values(loaded).flatMap((module) => module?.diagnostic ?? []);
  if (unusable.length > 0) {
    reportFindings(unusable, [], io);
    return { ...failed, findings: [...analysis.diagnostics, ...unusable] };
  }
  const { outside, recorder, federation, authenticator } = own;
  const channels = outside.channels && (recorder?.channels.watch(outside.channels) ?? outside.channels);
  const serverOptions = {
    ...own.names,
    ...serverOptionsOf(options.project ?? {}, loaded.resolvers?.value),
    ...mcpOf(options, own.offersMcp, analysis.schema),
    topologies: analysis,
    ...(federation !== undefined && { federation }),
    ...(await layersOf(analysis, channels)),
    ...(authenticator !== undefined && { authenticate: authenticator }),
    recorder,
  };
  const module = { ...context, ...loaded.context };
  const fallback = analysis.schema.security && own.fallback;
  const created = await startServer(serverOptions, { ...own, fallback }, options, module, io.directory);
  if (Array.isArray(created)) {
    const refused = withModulePaths(created, { resolvers: resolvers.path, channels: outside.path });
    reportFindings(refused, sources, io);
    return { ...failed, findings: [...analysis.diagnostics, ...refused] };
  }
  const server = created as ServedApi;
  // With the layers of the server.
  const schema = serviceOf(server)?.server.schema ?? analysis.schema;
  const found = serviceOf(server)?.server.diagnostics.filter((one) => !analysis.diagnostics.includes(one)) ?? [];
  reportFindings(found, sources, io);
  const findings = [...analysis.diagnostics, ...found];
  return { ...failed, ok: true, findings, server, schema, topology: analysis, given: loaded.resolvers?.value } as const;
}

/**
 * Creates a server and loads the packages of its engine, so that a missing package is an error now. Returns the findings
 * if it cannot be created.
 */
export async function startServer(
  given: GqlServerOptions,
  { engine, migrated, fallback }: Pick<ApiOptions, 'engine' | 'migrated' | 'fallback'>,
  cli: CliOptions,
  { path = '', value: module }: { readonly path?: string | undefined; readonly value?: ContextOptions },
  directory: string,
): Promise<ServedApi | readonly Diagnostic[]> {
  const { project = {}, projectPath = 'gg-svc.config.json' } = cli;
  const cannotUse = (reason: string) => [diagnose('GG5051', { path, reason, advice: undefined }, wholeFile(path))];
  try {
    if (module?.authenticate !== undefined && project.server?.auth !== undefined)
      return cannotUse('it exports authenticate, and the project file has server.auth');
    const own = module?.authenticate === undefined ? authenticationOf(project, directory) : {};
    const configured = module?.authenticate ?? own.authenticate ?? (await fallback?.());
    let started: ServedApi | undefined;
    const running = () => started && serviceOf(started)?.server;
    const context = withMeans(module?.context, {
      publish: (name, payload) => running()?.publish(name, payload),
      store: async () => (running() as GqlServer).store(),
    });
    const authenticate = given.authenticate ? [given.authenticate, configured ?? []].flat() : configured;
    const added = defined({ context, authenticate });
    const stored = cli.mock === true ? await mockOf(cli) : storeOf(project, directory, migrated);
    const options = { ...given, ...eventsOf(project), ...stored, ...module, ...added };
    if (engine === 'alpha') {
      const { createAlphaServer } = await import('../../../runtime/hosts/alpha/alpha-server.js');
      started = createAlphaServer(options as GqlServerOptions<object>) as ServedApi;
    } else {
      const { createGqlServer } = await import('../../../runtime/server/service.js');
      await loadPeer(['graphql-yoga', 'graphql'], () => import('../../../runtime/http/graphql/yoga.js'));
      started = createGqlServer(options);
    }
    await openStore(stored.store, started);
    return started;
  } catch (error) {
    if (error instanceof TopologyError) return error.diagnostics;
    if (error instanceof PeerMissingError) return [error.diagnostic];
    if (!(error instanceof OptionError)) throw error;
    const [name = ''] = error.option.split(/[.[]/, 1);
    if (module !== undefined && Object.hasOwn(module, name)) return cannotUse(error.message.replace(/\.$/, ''));
    // On the command line, other options come from the project file alone. Without one, a durable chain lacks its database.
    return [settingError(error, projectPath)];
  }
}

/** The store of `--mock`, in place of that of the project. Its rows belong to the callers of the project file. */
async function mockOf(options: CliOptions) {
  const { mockStore } = await import('../../../runtime/server/mock-store.js');
  return { store: mockStore(listCallers(options).map(({ id }) => id)) };
}

/** Opens the database before the first request, so that one that does not fit refuses the start. */
async function openStore(store: Store | undefined, server: ServedApi): Promise<void> {
  if (store === undefined || store.serve !== undefined) return;
  try {
    await serviceOf(server)?.server.store();
  } catch (error) {
    await store.close();
    throw explainStore(error);
  }
}

/**
 * The context function of a module, whose contexts also have `publish` and `store`: a module does not know its server. A
 * context keeps such properties of its own, and its identity, by which subscriptions are shared.
 */
function withMeans(context: unknown, means: Pick<RequestContext, 'publish' | 'store'>) {
  if (typeof context !== 'function') return undefined;
  const added = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !Object.isExtensible(value)) return value;
    for (const [name, add] of Object.entries(means)) {
      const own: unknown = (value as Readonly<Record<string, unknown>>)[name];
      if (own === undefined || givenMeans.has(own as object)) Object.assign(value, { [name]: add });
    }
    return value;
  };
  for (const add of Object.values(means)) givenMeans.add(add);
  return (...given: unknown[]): unknown => proceed<unknown, unknown>(context(...given), added);
}

/** Those of earlier servers, which a context that outlives a reload may have. */
const givenMeans = new WeakSet<object>();

/** `dev` offers MCP if it can: without its package, or if its path is taken, MCP is off. */
function mcpOf({ mcp: asked, project }: CliOptions, offersMcp: boolean | undefined, schema: GqlSchema) {
  const { mcp: given, endpoint } = project?.server ?? {};
  if (asked === false) return { mcp: false };
  if (asked === true) return { mcp: given || true };
  if (given !== undefined || !offersMcp) return {};
  const isTaken = endpoint === mcpPath || restRoutes(schema).some(({ path }) => path === mcpPath);
  return { mcp: !isTaken && hasPeer(mcpPackage) };
}

async function layersOf(graph: Analysis, channels: readonly RuntimeIoChannel[] | undefined) {
  if (channels === undefined) return {};
  const { buildRuntimeIoProjectionLayer } = await import('../../../runtime/server/channels/runtime-io-layer.js');
  return { layers: [buildRuntimeIoProjectionLayer({ graph, channels })] };
}

/** Diagnostics about resolvers and channels name the option; replaces that with the path of the module. */
function withModulePaths(diagnostics: readonly Diagnostic[], modules: Readonly<Record<string, string | undefined>>) {
  return diagnostics.map((diagnostic) => {
    const { span } = diagnostic;
    const path = Object.hasOwn(modules, span.file) ? modules[span.file] : undefined;
    return path === undefined ? diagnostic : { ...diagnostic, span: { ...span, file: path } };
  });
}
