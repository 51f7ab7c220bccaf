import type { Analysis } from '../../analyze.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { EmitOptions } from '../../emit/emitter.js';
import { resolveImportPath } from '../../graph/import-path.js';
import type { RuntimeIoChannel } from '../../server/channels/binding/channel.js';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import type { GqlServerOptions } from '../../server/options.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import type { ResolversLoader } from './load-resolvers.js';
import type { Watched } from './watch-files.js';

/** The engines, by the names that the command line has for them. */
export const engineNames = ['beta', 'alpha'] as const;

/** One of the engines: GraphQL Yoga or Apollo Server. */
export type EngineName = (typeof engineNames)[number];

/** A server, whichever the engine. */
export interface ServedApi extends FetchCompatibleGraphQLServer {
  drain(): void;
}

/** An API that can be served, or that cannot; why not was reported then. */
export type OpenedApi = (
  | {
      readonly ok: true;
      readonly server: ServedApi;
      /** What was read, without the layers of the server. */
      readonly topology: Analysis;
    }
  | { readonly ok: false }
) & {
  /** The path of the resolvers module, and whether it was found rather than named. */
  readonly resolvers: ChosenResolvers;
  /** What it depends on, for those who watch. */
  readonly watched: Watched;
};

/** Reads a topology and its resolvers and makes a server of them. What there is to say of them is reported. */
export async function openApi(
  operands: readonly string[],
  options: CliOptions & {
    readonly names: Partial<EmitOptions>;
    readonly engine: EngineName;
    /** Where the federation layer takes its records from; false leaves it out. */
    readonly federation?: GqlServerOptions['federation'] | undefined;
    /** The channels to the outside world, and the module that they come from. */
    readonly outside?: { readonly channels?: readonly RuntimeIoChannel[]; readonly path?: string };
  },
  io: CliIo,
  loader: ResolversLoader,
): Promise<OpenedApi> {
  const { hasErrors } = await import('../../diagnostics/diagnostic.js');
  const { readTopology } = await import('../files/read-topology.js');
  const { reportFindings } = await import('../terminal/report-findings.js');
  const analysis = await readTopology(operands, io);
  const { sources } = analysis;
  reportFindings(analysis.diagnostics, sources, io);

  const resolvers = await chooseResolvers(operands, options, io);
  const watched = {
    files: [...operands, ...sources.map(({ name }) => name), ...importsOf(analysis)].filter(isFile),
    patterns: operands.filter((operand) => !isFile(operand) && isPath(operand)),
  };
  const withResolvers = (files: readonly string[]): Watched => ({
    ...watched,
    files: [...watched.files, ...files],
  });
  if (hasErrors(analysis.diagnostics)) {
    // The module is not loaded for a broken topology; it may change all the same.
    return { ok: false, resolvers, watched: withResolvers(resolvers.candidates) };
  }
  const loaded = resolvers.path === undefined ? undefined : await loader.load(resolvers.path);
  const failed = {
    ok: false,
    resolvers,
    watched: withResolvers([...resolvers.candidates, ...(loaded?.files ?? [])]),
  } as const;
  if (loaded?.ok === false) {
    reportFindings([loaded.diagnostic], [], io);
    return failed;
  }
  const started = await startServer(options.engine, {
    ...options.names,
    topologies: sources.map(({ name, text }) => ({ name, source: text })),
    ...(loaded === undefined ? {} : { resolvers: loaded.resolvers }),
    ...(options.federation === undefined ? {} : { federation: options.federation }),
    ...(await layersOf(analysis, options.outside?.channels)),
  });
  if (!started.ok) {
    const findings = placedIn(
      { resolvers: resolvers.path, channels: options.outside?.path },
      started.diagnostics,
    );
    reportFindings(findings, sources, io);
    return failed;
  }
  return { ...failed, ok: true, server: started.server, topology: analysis };
}

/** Which resolvers module is meant. */
interface ChosenResolvers {
  /** Undefined where there is none. */
  readonly path?: string;
  /** Whether it was found rather than named. */
  readonly found: boolean;
  /** Where one is looked for. */
  readonly candidates: readonly string[];
}

/** The resolvers module that was named, or the one that lies beside the first topology. */
async function chooseResolvers(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): Promise<ChosenResolvers> {
  if (options.resolvers === false) return { found: false, candidates: [] };
  const named = readText(options, 'resolvers');
  if (named !== undefined) return { path: named, found: false, candidates: [named] };
  const { findResolvers, resolversBeside } = await import('./load-resolvers.js');
  const [first = ''] = operands;
  const path = findResolvers(first, io.directory);
  return {
    ...(path === undefined ? {} : { path }),
    found: path !== undefined,
    candidates: isFile(first) ? resolversBeside(first) : [],
  };
}

/** The files that are imported, those that are not there among them. */
function importsOf({ ast }: Analysis): string[] {
  return ast.documents.flatMap(({ file, statements }) =>
    statements.flatMap((statement) =>
      statement.kind === 'Import' ? [resolveImportPath(file.name, statement.specifier)] : [],
    ),
  );
}

/** A server, or why there is none. */
type Started =
  | { readonly ok: true; readonly server: ServedApi }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Starts a server over the texts that were read already. The packages that it needs are loaded at once,
 * so that one that is missing is heard of now and not by the first caller.
 */
async function startServer(engine: EngineName, options: GqlServerOptions): Promise<Started> {
  const { TopologyError } = await import('../../load/topology-error.js');
  const { PeerMissingError } = await import('../../load/load-peer.js');
  try {
    return { ok: true, server: engine === 'alpha' ? await startAlpha(options) : await startBeta(options) };
  } catch (error) {
    if (error instanceof TopologyError) return { ok: false, diagnostics: error.diagnostics };
    if (error instanceof PeerMissingError) return { ok: false, diagnostics: [error.diagnostic] };
    throw error;
  }
}

async function startBeta(options: GqlServerOptions): Promise<ServedApi> {
  const { createGqlServer } = await import('../../server/service.js');
  const { loadPeer } = await import('../../load/load-peer.js');
  await loadPeer(['graphql-yoga', 'graphql'], () => import('../../http/graphql/yoga.js'));
  return createGqlServer(options);
}

async function startAlpha(options: GqlServerOptions): Promise<ServedApi> {
  const { createAlphaServer } = await import('../../hosts/alpha/alpha-server.js');
  return createAlphaServer(options as GqlServerOptions<object>);
}

/** The layer of the channels, where there are any. */
async function layersOf(
  { ast }: Analysis,
  channels: readonly RuntimeIoChannel[] | undefined,
): Promise<Pick<GqlServerOptions, 'layers'>> {
  if (channels === undefined) return {};
  const { buildRuntimeIoProjectionLayer } = await import('../../server/channels/runtime-io-layer.js');
  return { layers: [buildRuntimeIoProjectionLayer({ graph: ast, channels })] };
}

/** Findings about resolvers and channels do not know which file they came from; here it is known. */
function placedIn(
  paths: Readonly<Record<string, string | undefined>>,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { span } = diagnostic;
    const path = Object.hasOwn(paths, span.file) ? paths[span.file] : undefined;
    return path === undefined ? diagnostic : { ...diagnostic, span: { ...span, file: path } };
  });
}

/** Patterns stand for files that are listed beside them. */
function isFile(path: string): boolean {
  return isPath(path) && !/[*?{}]/.test(path);
}

/** A URL and standard input cannot be watched. */
function isPath(path: string): boolean {
  return path !== '-' && !path.startsWith('<') && !/^https?:/i.test(path);
}
