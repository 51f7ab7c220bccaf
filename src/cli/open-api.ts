import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { EmitOptions } from '../emit/emitter.js';
import type { FetchCompatibleGraphQLServer, GqlServerOptions } from '../runtime/options.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import type { CliOptions } from './command.js';
import type { CliIo } from './io.js';
import type { LoadedResolvers } from './load-resolvers.js';
import { readText } from './option-values.js';

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
  | { readonly ok: true; readonly server: ServedApi; readonly schema: GqlSchema }
  | { readonly ok: false }
) & {
  /** The path of the resolvers module, and whether it was found rather than named. */
  readonly resolvers: { readonly path?: string; readonly found: boolean };
  /** The files that it depends on. */
  readonly files: readonly string[];
};

/**
 * Reads a topology and its resolvers and makes a server of them. What there is to say of them is reported.
 *
 * @param version - Counts the times that this is done in one process, so that a module is read anew.
 */
export async function openApi(
  operands: readonly string[],
  options: CliOptions & { readonly names: Partial<EmitOptions>; readonly engine: EngineName },
  io: CliIo,
  version: number,
): Promise<OpenedApi> {
  const { hasErrors } = await import('../diagnostics/diagnostic.js');
  const { readTopology } = await import('./read-topology.js');
  const { reportFindings } = await import('./report-findings.js');
  const analysis = await readTopology(operands, io);
  const { sources } = analysis;
  reportFindings(analysis.diagnostics, sources, io);

  const resolvers = await chooseResolvers(operands, options, io);
  const files = [
    ...operands,
    ...sources.map(({ name }) => name),
    ...(resolvers.path ? [resolvers.path] : []),
  ];
  const failed = { ok: false, resolvers, files: files.filter(isFile) } as const;
  if (hasErrors(analysis.diagnostics)) return failed;
  const loaded = await loadModule(resolvers.path, io, version);
  if (loaded?.ok === false) {
    reportFindings([loaded.diagnostic], [], io);
    return failed;
  }
  const started = await startServer(options.engine, {
    ...options.names,
    topologies: sources.map(({ name, text }) => ({ name, source: text })),
    ...(loaded === undefined ? {} : { resolvers: loaded.resolvers }),
  });
  if (!started.ok) {
    reportFindings(placedIn(resolvers.path, started.diagnostics), sources, io);
    return failed;
  }
  return { ...failed, ok: true, server: started.server, schema: started.schema };
}

/** The resolvers module that was named, or the one that lies beside the first topology. */
async function chooseResolvers(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): Promise<OpenedApi['resolvers']> {
  if (options.resolvers === false) return { found: false };
  const { findResolvers } = await import('./load-resolvers.js');
  const named = readText(options, 'resolvers');
  const path = named ?? findResolvers(operands[0] ?? '', io.directory);
  return path === undefined ? { found: false } : { path, found: named === undefined };
}

async function loadModule(
  path: string | undefined,
  io: CliIo,
  version: number,
): Promise<LoadedResolvers | undefined> {
  if (path === undefined) return undefined;
  const { loadResolvers } = await import('./load-resolvers.js');
  return loadResolvers(path, io.directory, version);
}

/** A server, or why there is none. */
type Started =
  | { readonly ok: true; readonly server: ServedApi; readonly schema: GqlSchema }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Starts a server over the texts that were read already. The packages that it needs are loaded at once,
 * so that one that is missing is heard of now and not by the first caller.
 */
async function startServer(engine: EngineName, options: GqlServerOptions): Promise<Started> {
  const { TopologyError } = await import('../runtime/topology-error.js');
  const { PeerMissingError } = await import('../runtime/load-peer.js');
  try {
    return { ok: true, ...(engine === 'alpha' ? await startAlpha(options) : await startBeta(options)) };
  } catch (error) {
    if (error instanceof TopologyError) return { ok: false, diagnostics: error.diagnostics };
    if (error instanceof PeerMissingError) return { ok: false, diagnostics: [error.diagnostic] };
    throw error;
  }
}

async function startBeta(options: GqlServerOptions): Promise<{ server: ServedApi; schema: GqlSchema }> {
  const { createGqlServer } = await import('../runtime/service.js');
  const { loadPeer } = await import('../runtime/load-peer.js');
  await loadPeer(['graphql-yoga', 'graphql'], () => import('../runtime/engines/beta.js'));
  const server = createGqlServer(options);
  return { server, schema: server.schema };
}

async function startAlpha(options: GqlServerOptions): Promise<{ server: ServedApi; schema: GqlSchema }> {
  const { createAlphaServer } = await import('../runtime/engines/alpha-server.js');
  const { serviceOf } = await import('../runtime/engines/alpha-backing.js');
  const server = createAlphaServer(options as GqlServerOptions<object>);
  const service = serviceOf(server);
  if (service === undefined) throw new Error('invariant: an Alpha server was made without a service');
  return { server, schema: service.server.schema };
}

/** Findings about resolvers do not know which file they came from; here it is known. */
function placedIn(path: string | undefined, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.span.file === 'resolvers' && path !== undefined
      ? { ...diagnostic, span: { ...diagnostic.span, file: path } }
      : diagnostic,
  );
}

/** Patterns stand for files that are listed beside them; a URL and standard input cannot be watched. */
function isFile(path: string): boolean {
  return path !== '-' && !/^https?:/i.test(path) && !/[*?{}]/.test(path);
}
