import { resolve } from 'node:path';
import { inspect } from 'node:util';
import type { Analysis } from '../../analyze.js';
import { createHostListener, type HostName } from '../../hosts/node/listeners.js';
import { PeerMissingError } from '../../load/load-peer.js';
import { expandTopology } from '../../load/load-topologies.js';
import { serviceOf } from '../../server/gql-service.js';
import type { Studio } from '../../studio/studio.js';
import { type CliOptions, CommandFailure } from '../terminal/command.js';
import { count, countProjection } from '../terminal/count.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readChoice, readEmitOptions, readNumber } from '../terminal/option-values.js';
import { reportBug, reportFindings } from '../terminal/report-findings.js';
import { renderBanner } from './banner.js';
import { type CurrentApi, createCurrentApi } from './current-api.js';
import { type Listening, listen } from './listen.js';
import { readContext } from './load-context.js';
import { readResolvers } from './load-resolvers.js';
import { createModuleLoader } from './module-loader.js';
import { type OpenedApi, openApi } from './open-api.js';
import { type OpenedChannels, openChannels } from './open-channels.js';
import { openFederation } from './open-federation.js';
import { openMetrics } from './open-metrics.js';
import { openStudio, type StudioMode, showApi, withStudio } from './open-studio.js';
import { engineNames, hostNames } from './server-options.js';
import { createServiceManager } from './service-manager.js';
import type { FileChange, Watched, WatchedFiles } from './watch-files.js';

/** The differences between `serve` and `dev`. */
export interface ServerMode extends StudioMode {
  /** Whether to start with a topology that has errors and wait for a change. */
  readonly waitsForTopology: boolean;
  /** The host names that are answered, beside those of this machine; undefined for any. */
  readonly allowedHosts?: readonly string[];
  /** Called for each topology without errors, even if its resolvers do not fit. */
  readonly onChecked: (topology: Analysis) => Promise<void>;
}

/** Runs the API of a topology until it is stopped. Returns the exit code. */
export async function runServer(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
  mode: ServerMode,
): Promise<number> {
  const port = readNumber(options.port, '--port', 65535);
  const host = readChoice(options.host, '--host', hostNames, ' Use --bind for an address.');
  const engine = readChoice(options.engine, '--engine', engineNames);
  const names = readEmitOptions(options);
  await openMetrics(options.project?.server?.metrics, io);
  const federation = await openFederation(options, io);
  // A promise that a resolver starts and does not await may reject; by default that would end the process.
  const forgetRejections = io.onUnhandledRejection((reason) => {
    io.stderr(`warning: unhandled promise rejection; the server continues. ${inspect(reason)}\n`);
  });
  try {
    const studio = await openStudio(operands, options, mode, io);
    let outside = await openChannels(operands, options, io);
    const endpoint = options.project?.server?.endpoint ?? '/graphql';
    const loaders = {
      resolvers: createModuleLoader(io.directory, mode.isWatching, 'GG5001', readResolvers),
      context: createModuleLoader(io.directory, mode.isWatching, 'GG5051', readContext),
    };
    const open = async (changes: readonly FileChange[]): Promise<OpenedApi> => {
      const changed = changes.map(({ path }) => resolve(io.directory, path));
      for (const loader of Object.values(loaders)) loader.invalidate(changed);
      const next = changes.length > 0 && outside.path === undefined ? await openAgain(outside) : outside;
      const opened = await openApi(
        operands,
        {
          ...{ ...options, names, engine, federation, outside: next, recorder: studio?.recorder },
          offersMcp: mode.waitsForTopology,
        },
        io,
        loaders,
      );
      if (studio !== undefined) showApi(studio, opened, options, io);
      if (opened.ok) outside = next;
      else if (next !== outside) await next.close();
      if (outside.path !== undefined) return opened;
      // Channels are opened once. A module that appears later is opened then.
      const files = [...opened.watched.files, ...outside.candidates];
      return { ...opened, watched: { ...opened.watched, files } };
    };
    /** A channels module that has appeared may be unusable; it is opened again after the next change. */
    const openAgain = async (before: OpenedChannels): Promise<OpenedChannels> => {
      try {
        return await openChannels(operands, options, io, true);
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        reportFindings(error.diagnostics, error.sources, io);
        return before;
      }
    };
    try {
      return await serveUntilStopped(
        open,
        {
          operands,
          host,
          port,
          address: String(options.bind),
          endpoint,
          studio,
          outside: () => outside,
          mode,
          projectPath: options.projectPath,
        },
        io,
      );
    } finally {
      await outside.close();
    }
  } finally {
    if (federation) federation.close();
    forgetRejections();
  }
}

interface Run {
  readonly operands: readonly string[];
  readonly host: HostName;
  readonly port: number;
  readonly address: string;
  readonly endpoint: string;
  readonly outside: () => OpenedChannels;
  readonly mode: ServerMode;
  readonly projectPath: string | undefined;
  readonly studio: Studio | undefined;
}

type Open = (changes: readonly FileChange[]) => Promise<OpenedApi>;

async function serveUntilStopped(open: Open, run: Run, io: CliIo): Promise<number> {
  const { mode, studio } = run;
  const opened = await open([]);
  if (!opened.ok && !mode.waitsForTopology) return exitCodes.findings;
  if (opened.topology !== undefined) await mode.onChecked(opened.topology);
  const current = createCurrentApi(opened.ok ? opened.server : undefined);
  const { http, origin, close } = await listenWith(current.server, run);
  await current.attach(http);
  const announce = createAnnouncer(run, origin, io);
  const manager = createServiceManager(io);
  const watched = mode.isWatching
    ? await watchApi(opened, open, current, { ...mode, announce, projectPath: run.projectPath }, io)
    : undefined;
  // Registered before the banner, because readers of the banner may send a signal at once.
  const stopped = new Promise<void>((done) => {
    const forget = io.onStop(() => {
      studio?.close();
      manager.stopping();
      Promise.all([watched?.close(), close(current)]).then(() => {
        forget();
        done();
      });
    });
  });
  if (opened.ok) await announce(opened);
  else io.stdout(`${origin} will answer when the topology has no errors.\n`);
  manager.listening(current.server);
  await stopped;
  io.stdout('Stopped.\n');
  return exitCodes.fine;
}

type Announce = (opened: OpenedApi & { readonly ok: true }) => Promise<void>;

function createAnnouncer({ operands, outside, endpoint, studio }: Run, origin: string, io: CliIo): Announce {
  let isDone = false;
  return async ({ topology: { schema }, resolvers, context, server }) => {
    if (isDone) return;
    isDone = true;
    io.stdout(
      renderBanner({
        topologies: operands,
        schema,
        origin,
        resolvers,
        context,
        channels: outside(),
        endpoint,
        mcpPath: serviceOf(server)?.mcpPath,
        hasStudio: studio !== undefined,
      }),
    );
  };
}

async function listenWith(
  server: CurrentApi['server'],
  { host, port, address, studio, mode }: Run,
): Promise<Listening> {
  try {
    const listener = withStudio(studio, await createHostListener(host, server));
    return await listen(listener, port, address, mode.allowedHosts);
  } catch (error) {
    if (error instanceof PeerMissingError) throw new CommandFailure([error.diagnostic]);
    throw error;
  }
}

/** Reloads when files change. On errors the last working API is still being served. */
async function watchApi(
  opened: OpenedApi,
  open: Open,
  current: CurrentApi,
  {
    announce,
    onChecked,
    projectPath,
  }: Pick<ServerMode, 'onChecked'> & Pick<Run, 'projectPath'> & { readonly announce: Announce },
  io: CliIo,
): Promise<WatchedFiles> {
  const { watchFiles } = await import('./watch-files.js');
  let isServed = opened.ok;
  let reloading = Promise.resolve();
  const reload = async (changes: readonly FileChange[]): Promise<void> => {
    const start = io.clock();
    const next = await open(changes);
    watched.follow(withProject(next.watched, projectPath));
    const took = `${Math.round(io.clock() - start)} ms`;
    const reason = describeChanges(changes);
    if (projectPath !== undefined && changes.some(({ path }) => isSame(path, projectPath))) {
      io.stderr(`${projectPath} has changed: start the command again to use it.\n`);
    }
    if (next.ok) current.replace(next.server);
    if (next.ok) {
      isServed = true;
      io.stdout(`${reason}: rebuilt in ${took} — ${countProjection(next.topology.schema)}\n`);
      await onChecked(next.topology);
      await announce(next);
    } else {
      const served = isServed ? 'The last working API is still being served.' : 'No API is served yet.';
      io.stderr(`${reason}: build failed after ${took}. ${served}\n`);
      if (next.topology !== undefined) await onChecked(next.topology);
    }
  };
  const isSame = (one: string, other: string) => resolve(io.directory, one) === resolve(io.directory, other);
  const expand = (pattern: string): readonly string[] => expandTopology(pattern, io.directory);
  const watched = await watchFiles(
    withProject(opened.watched, projectPath),
    io.directory,
    expand,
    (changes) => {
      // Serialized, so that the last change wins. An internal error must not stop the watch.
      reloading = reloading.then(() => reload(changes)).catch((error: unknown) => reportBug(error, io));
    },
  );
  return watched;
}

/** The project file is read once; a change of it is only reported. */
function withProject(watched: Watched, projectPath: string | undefined): Watched {
  return projectPath === undefined ? watched : { ...watched, files: [...watched.files, projectPath] };
}

/** `a.gg changed`, `a.gg changed, b.gg added`, `a.gg changed and 5 more files`. */
function describeChanges(changes: readonly FileChange[]): string {
  const listed = changes.slice(0, 3).map(({ path, kind }) => `${path} ${kind}`);
  const rest = changes.length - listed.length;
  return `${listed.join(', ')}${rest === 0 ? '' : ` and ${count(rest, 'more file')}`}`;
}
