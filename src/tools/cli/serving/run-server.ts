import type { Server } from 'node:http';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { startMetrics, svcMetrics } from '../../../base/tracing/svc-metrics.js';
import type { Analysis } from '../../../compiler/analyze.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { bearerJwt } from '../../../runtime/auth/bearer-jwt.js';
import type { Authenticator } from '../../../runtime/auth/guard.js';
import type { MetricsConfig } from '../../../runtime/config/project-config.js';
import type { Drainable } from '../../../runtime/hosts/node/drain.js';
import { createHostListener } from '../../../runtime/hosts/node/listeners.js';
import { problemAnswer, responseOf } from '../../../runtime/http/answer.js';
import { expandTopology } from '../../../runtime/load/load-topologies.js';
import { type FetchCompatibleGraphQLServer, serviceOf } from '../../../runtime/server/gql-server.js';
import type { Studio } from '../../studio/studio.js';
import { developmentSigning } from '../files/signing.js';
import { CommandFailure, type Invocation } from '../terminal/command.js';
import { count, countProjection } from '../terminal/count.js';
import { failure } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readChoice, readEmitOptions, readNumber } from '../terminal/option-values.js';
import { reportBug, reportFindings } from '../terminal/report-findings.js';
import { renderBanner } from './banner.js';
import { grace, listen } from './listen.js';
import { createLoaders, type OpenedChannels, openChannels } from './modules.js';
import { type OpenedApi, openApi, type ServedApi } from './open-api.js';
import { openFederation } from './open-federation.js';
import { openStudio, type StudioMode, showApi, withStudio } from './open-studio.js';
import { engineNames, hostNames } from './server-options.js';
import { createServiceManager } from './service-manager.js';
import type { FileChange, Watched } from './watch-files.js';

/**
 * The differences between `serve` and `dev`, which starts with a topology that has errors and waits for a change, offers
 * agents and the studio, and stops without notice.
 */
export interface ServerMode extends StudioMode {
  /** The host names that are answered, beside those of this machine; undefined for any. */
  readonly allowedHosts?: readonly string[];
  /** Called for each topology without errors, even if its resolvers do not fit. */
  readonly onChecked?: (topology: Analysis) => Promise<void>;
  /** Calls the API that is served, whose callers its authenticator finds. */
  readonly traffic?: {
    readonly authenticator: Authenticator;
    follow(schema: GqlSchema, origin: string): Promise<void>;
    close(): void;
  };
}

/** Runs the API of a topology until it is stopped. Returns the exit code. */
export async function runServer(started: Invocation, mode: ServerMode): Promise<number> {
  const { operands, options, io } = started;
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
    const loaders = createLoaders(io, mode.isWatching);
    const studio = await openStudio(started, mode, loaders);
    let outside = await openChannels(started);
    let signsTokens = false;
    const open = async (changes: readonly FileChange[]): Promise<OpenedApi> => {
      const changed = changes.map(({ path }) => resolve(io.directory, path));
      loaders.invalidate(changed);
      const next = changes.length > 0 && outside.path === undefined ? await openAgain(outside) : outside;
      const authenticator = mode.traffic?.authenticator;
      const own = { names, engine, federation, outside: next, recorder: studio?.recorder, authenticator };
      const ofDev = mode.isDev ? { offersMcp: true, fallback: authenticateInDev, migrated } : {};
      const opened = await openApi(started, { ...own, ...ofDev }, loaders);
      if (studio !== undefined) showApi(studio, opened, options, io);
      // Requests in flight may still use the modules that were replaced.
      if (opened.ok && changes.length > 0) setTimeout(() => void loaders.dispose(), mode.isDev ? 1000 : grace).unref();
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
        return await openChannels(started, true);
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        reportFindings(error.diagnostics, error.sources, io);
        return before;
      }
    };
    /** The token of a caller that the project does not authenticate is signed by `gg-svc token`. */
    const authenticateInDev = async () => {
      const signing = await developmentSigning(io);
      if (signing !== undefined && !signsTokens) io.stdout(tokenHint);
      signsTokens = signing !== undefined;
      return signing && bearerJwt(signing);
    };
    const migrated = (steps: readonly string[]) =>
      io.stdout(`The database was changed to fit the topology: ${steps.join('; ')}.\n`);
    try {
      const listenWith = async (server: CurrentApi['server']) => {
        const listener = withStudio(studio, await createHostListener(host, server));
        return listen(listener, port, String(options.bind), mode.allowedHosts);
      };
      const announce: Announce = ({ topology: { schema }, resolvers, context, server }, origin) => {
        const { endpoint = '/graphql', documents, store } = options.project?.server ?? {};
        const service = serviceOf(server);
        const banner = renderBanner({
          ...{ topologies: operands, schema, origin, endpoint, mcpPath: service?.mcpPath },
          ...{ resolvers, context, channels: outside },
          hasStudio: studio !== undefined,
          hasDocuments: documents ?? service?.limits.introspection ?? true,
          hasStore: store !== undefined,
          isMocked: options.mock === true,
        });
        io.stdout(banner);
      };
      const { projectPath } = options;
      return await serveUntilStopped({ open, listenWith, announce, mode, studio, projectPath }, io);
    } finally {
      await outside.close();
      await loaders.dispose(true);
    }
  } finally {
    if (federation) federation.close();
    forgetRejections();
  }
}

const tokenHint =
  'The project does not authenticate callers, so dev accepts its own tokens: TOKEN=$(gg-svc token --as ada)\n';

type Announce = (opened: OpenedApi & { readonly ok: true }, origin: string) => void;

interface Run {
  readonly open: (changes: readonly FileChange[]) => Promise<OpenedApi>;
  readonly listenWith: (server: CurrentApi['server']) => ReturnType<typeof listen>;
  readonly announce: Announce;
  readonly mode: ServerMode;
  readonly studio: Studio | undefined;
  readonly projectPath: string | undefined;
}

async function serveUntilStopped(run: Run, io: CliIo): Promise<number> {
  const { mode, studio, open, announce } = run;
  const opened = await open([]);
  if (!opened.ok && !mode.isDev) return exitCodes.findings;
  if (opened.topology !== undefined) await mode.onChecked?.(opened.topology);
  const current = new CurrentApi(opened.ok ? opened.server : undefined);
  const { http, origin, close } = await run.listenWith(current.server);
  await current.attach(http);
  const manager = createServiceManager(io);
  const watched = mode.isWatching ? await watchApi(opened, current, origin, run, io) : undefined;
  // Registered before the banner, because readers of the banner may send a signal at once.
  const stopped = new Promise<void>((done) => {
    const forget = io.onStop(() => {
      mode.traffic?.close();
      studio?.close();
      manager.stopping();
      Promise.all([watched?.close(), close(current, mode.isDev ? { notice: 0 } : {})]).then(() => {
        forget();
        done();
      });
    });
  });
  if (opened.ok) announce(opened, origin);
  else io.stdout(`${origin} will answer when the topology has no errors.\n`);
  manager.listening(current.server);
  if (opened.ok) await mode.traffic?.follow(opened.schema, origin);
  await stopped;
  io.stdout('Stopped.\n');
  return exitCodes.fine;
}

/** Reloads when files change. On errors the last working API is still being served. */
async function watchApi(
  opened: OpenedApi,
  current: CurrentApi,
  origin: string,
  { open, announce, mode: { onChecked, traffic }, projectPath }: Run,
  io: CliIo,
) {
  const { watchFiles } = await import('./watch-files.js');
  // The project file is read once; a change of it is only reported.
  const withProject = (watched: Watched): Watched =>
    projectPath === undefined ? watched : { ...watched, files: [...watched.files, projectPath] };
  const isProject = ({ path }: FileChange) =>
    projectPath !== undefined && resolve(io.directory, path) === resolve(io.directory, projectPath);
  let isServed = opened.ok;
  let reloading = Promise.resolve();
  const reload = async (changes: readonly FileChange[]): Promise<void> => {
    const start = io.clock();
    const next = await open(changes);
    watched.follow(withProject(next.watched));
    const took = `${Math.round(io.clock() - start)} ms`;
    const reason = describeChanges(changes);
    if (changes.some(isProject)) io.stderr(`${projectPath} has changed: start the command again to use it.\n`);
    if (next.ok) {
      current.replace(next.server);
      io.stdout(`${reason}: rebuilt in ${took} — ${countProjection(next.topology.schema)}\n`);
    } else {
      const served = isServed ? 'The last working API is still being served.' : 'No API is served yet.';
      io.stderr(`${reason}: build failed after ${took}. ${served}\n`);
    }
    if (next.topology !== undefined) await onChecked?.(next.topology);
    if (next.ok && !isServed) announce(next, origin);
    if (next.ok) await traffic?.follow(next.schema, origin);
    isServed ||= next.ok;
  };
  const watched = await watchFiles(
    withProject(opened.watched),
    io.directory,
    (pattern) => expandTopology(pattern, io.directory),
    (changes) => {
      // Serialized, so that the last change wins. An internal error must not stop the watch.
      reloading = reloading.then(() => reload(changes)).catch((error: unknown) => reportBug(error, io));
    },
  );
  return watched;
}

/** `a.gg changed`, `a.gg changed, b.gg added`, `a.gg changed and 5 more files`. */
function describeChanges(changes: readonly FileChange[]): string {
  const listed = changes.slice(0, 3).map(({ path, kind }) => `${path} ${kind}`);
  const rest = changes.length - listed.length;
  return `${listed.join(', ')}${rest === 0 ? '' : ` and ${count(rest, 'more file')}`}`;
}

/** The API that is served now; it can be replaced while requests arrive. Without one, requests get 503. */
class CurrentApi implements Drainable {
  #attach: (api: ServedApi) => { close(): Promise<void> } | undefined = () => undefined;
  #attached: { close(): Promise<void> } | undefined;

  constructor(private current: ServedApi | undefined) {}

  /** The server that answers the requests that arrive now. */
  readonly server = (): FetchCompatibleGraphQLServer => this.current ?? unavailable;

  failReadiness(): void {
    this.current?.failReadiness?.();
  }

  drain(): void {
    this.current?.drain();
  }

  async close(): Promise<void> {
    await this.current?.close?.();
  }

  /** Serves WebSocket connections of an HTTP server too. */
  async attach(http: Server): Promise<void> {
    const { attachSubscriptions } = await import('../../../runtime/hosts/websocket/attach-subscriptions.js');
    this.#attach = (api) => attachSubscriptions(api, http);
    if (this.current !== undefined) this.#attached = this.#attach(this.current);
  }

  /** Replaces the API. Requests in flight on the old one finish. */
  replace(next: ServedApi): void {
    const before = this.current;
    void this.#attached?.close();
    this.current = next;
    this.#attached = this.#attach(next);
    before?.drain();
    // Its requests in flight may still publish.
    setTimeout(() => void before?.close?.(), grace).unref();
  }
}

const unavailable: FetchCompatibleGraphQLServer = {
  fetch() {
    const detail = 'The topology has errors; see the terminal.';
    return responseOf(problemAnswer({ status: 503, detail, headers: ['retry-after', '1'] }));
  },
};

/**
 * Turns on the metrics of the project file: Prometheus reads them at an endpoint of its own, never on the public port.
 * The OpenTelemetry variables of the environment win.
 *
 * @throws {CommandFailure} GG5004 if a package is not installed, GG5003 if the port or the address cannot be used.
 */
async function openMetrics(config: boolean | MetricsConfig | undefined, io: CliIo): Promise<void> {
  if (config === undefined || config === false || svcMetrics() !== undefined) return;
  const { host = 'localhost', port = 9464 } = (config === true ? undefined : config.prometheus) ?? {};
  const started = startMetrics({ kind: 'prometheus', host, port }, io.env);
  if (!started.ok) {
    const { missing = '', install = '' } = started;
    throw failure('GG5004', { module: missing, install }, missing);
  }
  await started.listening?.catch((error: unknown) => {
    throw failure('GG5003', { port, reason: describeSystemError(error) }, `${host}:${port}`);
  });
}
