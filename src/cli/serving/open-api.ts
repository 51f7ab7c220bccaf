import type { Analysis } from '../../analyze.js';
import { restRoutes } from '../../api/rest-routes.js';
import type { ProjectConfig } from '../../config/project-config.js';
import { type Diagnostic, diagnose, hasErrors } from '../../diagnostics/diagnostic.js';
import type { EmitOptions } from '../../emit/emitter.js';
import type { Resolvers } from '../../execute/resolvers/contract.js';
import { resolveImportPath } from '../../graph/import-path.js';
import type { Drainable } from '../../hosts/node/drain.js';
import { withRecorder } from '../../http/watch/call-recorder.js';
import { hasPeer, loadPeer, PeerMissingError } from '../../load/load-peer.js';
import { TopologyError } from '../../load/topology-error.js';
import { isFilePath, isPath } from '../../load/user-module.js';
import { mcpPackage, mcpPath } from '../../mcp/mcp.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import type { RuntimeIoChannel } from '../../server/channels/binding/channel.js';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import { serviceOf } from '../../server/gql-service.js';
import { authenticationOf, ConfigError, eventsOf, serverOptionsOf } from '../../server/load-config.js';
import type { GqlServerOptions } from '../../server/options.js';
import type { Recorder } from '../../studio/recorder.js';
import { readTopology } from '../files/read-topology.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { reportFindings } from '../terminal/report-findings.js';
import { type ChosenModule, chooseModule } from './choose-module.js';
import type { ContextOptions } from './load-context.js';
import type { Loaded, ModuleLoader } from './module-loader.js';
import type { OpenedChannels } from './open-channels.js';
import type { Watched } from './watch-files.js';

/** A server of either engine. */
export interface ServedApi extends FetchCompatibleGraphQLServer, Drainable {}

/** An API, or nothing when the topology or its modules have errors, which have been reported. */
export type OpenedApi = (
  | {
      readonly ok: true;
      readonly server: ServedApi;
      /** The schema that is served, with the layers of the server. */
      readonly schema: GqlSchema;
      /** The topology, without the layers of the server. */
      readonly topology: Analysis;
      /** The exports of the resolvers module. */
      readonly given: Resolvers | undefined;
    }
  | {
      readonly ok: false;
      /** Undefined if it has errors. */
      readonly topology: Analysis | undefined;
    }
) & {
  /** The topology with its errors. */
  readonly analysis: Analysis;
  /** All findings: of the topology, its modules and its server. */
  readonly findings: readonly Diagnostic[];
  readonly resolvers: ChosenModule;
  readonly context: ChosenModule;
  readonly watched: Watched;
};

/** The loaders of the modules that an API is made of. */
export interface ApiLoaders {
  readonly resolvers: ModuleLoader<Resolvers>;
  readonly context: ModuleLoader<ContextOptions>;
}

/** Reads a topology and its modules and creates a server. Reports all diagnostics. */
export async function openApi(
  operands: readonly string[],
  options: CliOptions & {
    readonly names: Partial<EmitOptions>;
    readonly engine: 'alpha' | 'beta';
    /** The records of the federation layer; false omits the layer. */
    readonly federation?: GqlServerOptions['federation'] | undefined;
    /** Whether agents are served if nothing else is said. */
    readonly offersMcp?: boolean;
    /** Records what passes through the server. */
    readonly recorder?: Recorder | undefined;
    /** The channels, and the module that they come from. */
    readonly outside: Pick<OpenedChannels, 'channels' | 'path'>;
  },
  io: CliIo,
  loaders: ApiLoaders,
): Promise<OpenedApi> {
  const analysis = await readTopology(operands, io, options);
  const { sources } = analysis;
  reportFindings(analysis.diagnostics, sources, io);

  const resolvers = chooseModule('resolvers', operands, options, io);
  const context = chooseModule('context', operands, options, io);
  // A broken topology does not load the module, but a change of the module counts all the same.
  const isBroken = hasErrors(analysis.diagnostics);
  const loaded = {
    resolvers:
      isBroken || resolvers.path === undefined ? undefined : await loaders.resolvers.load(resolvers.path),
    context: isBroken || context.path === undefined ? undefined : await loaders.context.load(context.path),
  };
  const files = [...operands, ...sources.map(({ name }) => name), ...importsOf(analysis)].filter(isFilePath);
  const failed = {
    ok: false,
    topology: isBroken ? undefined : analysis,
    analysis,
    findings: analysis.diagnostics,
    resolvers,
    context,
    watched: {
      files: [
        ...[...files, ...resolvers.candidates, ...context.candidates],
        ...Object.values(loaded).flatMap((module) => module?.files ?? []),
      ],
      patterns: operands.filter((operand) => !isFilePath(operand) && isPath(operand)),
    },
  } as const;
  if (isBroken) return failed;
  const unusable = Object.values(loaded).flatMap((module) =>
    module?.ok === false ? [module.diagnostic] : [],
  );
  if (unusable.length > 0) {
    reportFindings(unusable, [], io);
    return { ...failed, findings: [...analysis.diagnostics, ...unusable] };
  }
  const { outside, recorder } = options;
  const channels = outside.channels && (recorder?.channels.watch(outside.channels) ?? outside.channels);
  const serverOptions = {
    ...options.names,
    ...serverOptionsOf(options.project ?? {}, moduleOf(loaded.resolvers)),
    ...mcpOf(options, analysis.schema),
    topologies: sources.map(({ name, text }) => ({ name, source: text })),
    ...(options.federation === undefined ? {} : { federation: options.federation }),
    ...(await layersOf(analysis, channels)),
  };
  const { engine, project = {}, projectPath } = options;
  const given = { module: moduleOf(loaded.context), path: context.path, directory: io.directory };
  const recorded = withRecorder(serverOptions, recorder);
  const started = await startServer(engine, recorded, project, projectPath, given);
  if (!started.ok) {
    const modules = { resolvers: resolvers.path, channels: outside.path };
    const refused = withModulePaths(started.diagnostics, modules);
    reportFindings(refused, sources, io);
    return { ...failed, findings: [...analysis.diagnostics, ...refused] };
  }
  const { server } = started;
  const schema = serviceOf(server)?.server.schema ?? analysis.schema;
  return { ...failed, ok: true, server, schema, topology: analysis, given: moduleOf(loaded.resolvers) };
}

function moduleOf<Value>(loaded: Loaded<Value> | undefined): Value | undefined {
  return loaded?.ok === true ? loaded.value : undefined;
}

function importsOf({ ast }: Analysis): string[] {
  return ast.documents.flatMap(({ file, statements }) =>
    statements.flatMap((statement) =>
      statement.kind === 'Import' ? [resolveImportPath(file.name, statement.specifier)] : [],
    ),
  );
}

type Started =
  | { readonly ok: true; readonly server: ServedApi }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Creates a server and loads the packages of its engine, so that a missing package is an error now. */
async function startServer(
  engine: 'alpha' | 'beta',
  given: GqlServerOptions,
  project: ProjectConfig,
  projectPath = '',
  context: {
    readonly module: ContextOptions | undefined;
    readonly path: string | undefined;
    readonly directory: string;
  },
): Promise<Started> {
  const { path = '' } = context;
  const cannotUse = (reason: string): Started => {
    const span = { file: path, start: 0, end: 0 };
    return { ok: false, diagnostics: [diagnose('GG5051', { path, reason, advice: undefined }, span)] };
  };
  try {
    const { module } = context;
    if (module?.authenticate !== undefined && project.server?.auth !== undefined) {
      return cannotUse('it exports authenticate, and the project file has server.auth');
    }
    const own =
      module?.authenticate === undefined ? authenticationOf(project, projectPath, context.directory) : {};
    const options = { ...given, ...eventsOf(project, projectPath), ...own, ...module };
    return { ok: true, server: engine === 'alpha' ? await startAlpha(options) : await startBeta(options) };
  } catch (error) {
    if (error instanceof ConfigError) return { ok: false, diagnostics: error.diagnostics };
    if (error instanceof TopologyError) return { ok: false, diagnostics: error.diagnostics };
    if (
      error instanceof TypeError &&
      path !== '' &&
      /\b(?:authenticate|guards|hooks|plugins)\b/.test(error.message)
    )
      return cannotUse(error.message.replace(/\.$/, ''));
    if (error instanceof TypeError && projectPath !== '') {
      // On the command line, these options come from the project file alone.
      const [, option, expected] = /^([\w.[\]]+) must (.*)\.$/s.exec(error.message) ?? [];
      const span = { file: projectPath, start: 0, end: 0 };
      if (option !== undefined && expected !== undefined) {
        const params = { path: projectPath, key: `server.${option}`, expected };
        return { ok: false, diagnostics: [diagnose('GG5042', params, span)] };
      }
    }
    if (error instanceof PeerMissingError) return { ok: false, diagnostics: [error.diagnostic] };
    throw error;
  }
}

async function startBeta(options: GqlServerOptions): Promise<ServedApi> {
  const { createGqlServer } = await import('../../server/service.js');
  await loadPeer(['graphql-yoga', 'graphql'], () => import('../../http/graphql/yoga.js'));
  return createGqlServer(options);
}

async function startAlpha(options: GqlServerOptions): Promise<ServedApi> {
  const { createAlphaServer } = await import('../../hosts/alpha/alpha-server.js');
  return createAlphaServer(options as GqlServerOptions<object>);
}

/** An offer of MCP is no reason to fail: without its package, or where another path is in its way, it is off. */
function mcpOf(
  { mcp: asked, project, offersMcp }: CliOptions & { readonly offersMcp?: boolean },
  schema: GqlSchema,
): Pick<GqlServerOptions, 'mcp'> {
  const { mcp: given, endpoint } = project?.server ?? {};
  if (asked === false) return { mcp: false };
  if (asked === true) return { mcp: given || true };
  if (given !== undefined || !offersMcp) return {};
  const isTaken = endpoint === mcpPath || restRoutes(schema).some(({ path }) => path === mcpPath);
  return { mcp: !isTaken && hasPeer(mcpPackage) };
}

async function layersOf(
  { ast }: Analysis,
  channels: readonly RuntimeIoChannel[] | undefined,
): Promise<Pick<GqlServerOptions, 'layers'>> {
  if (channels === undefined) return {};
  const { buildRuntimeIoProjectionLayer } = await import('../../server/channels/runtime-io-layer.js');
  return { layers: [buildRuntimeIoProjectionLayer({ graph: ast, channels })] };
}

/** Diagnostics about resolvers and channels name the option; replaces that with the path of the module. */
function withModulePaths(
  diagnostics: readonly Diagnostic[],
  modules: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { span } = diagnostic;
    const path = Object.hasOwn(modules, span.file) ? modules[span.file] : undefined;
    return path === undefined ? diagnostic : { ...diagnostic, span: { ...span, file: path } };
  });
}
