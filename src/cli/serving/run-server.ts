import { resolve } from 'node:path';
import { inspect } from 'node:util';
import type { Command } from 'commander';
import type { HostName } from '../../hosts/node/listeners.js';
import { type CliOptions, UsageError } from '../terminal/command.js';
import { count, countProjection } from '../terminal/count.js';
import { describeBug } from '../terminal/describe-bug.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readEmitOptions, readNumber } from '../terminal/option-values.js';
import type { BannerFacts } from './banner.js';
import { type CurrentApi, createCurrentApi } from './current-api.js';
import { engineNames, type OpenedApi, openApi, type ServedApi } from './open-api.js';
import { openChannels } from './open-channels.js';
import { openFederation } from './open-federation.js';
import type { FileChange, WatchedFiles } from './watch-files.js';

/** How a server is run. */
export interface ServerMode {
  /** Whether the files are read again when they change. */
  readonly isWatching: boolean;
  /** Whether a topology that is broken from the start is waited for; else that is the end. */
  readonly waitsForTopology: boolean;
  /** Called with each API that can be served. */
  readonly onBuilt: (opened: OpenedApi & { readonly ok: true }) => Promise<void>;
}

/** The options that every command with a server has. */
export function defineServerOptions(command: Command): Command {
  return command
    .option('-p, --port <number>', 'the port to listen on; 0 takes a free one', '4000')
    .option('--bind <address>', 'the address to listen on', '127.0.0.1')
    .option('--engine <name>', `what speaks GraphQL over HTTP: ${engineNames.join(' or ')}`, 'beta')
    .option('--host <name>', `what owns the port: ${hostNames.join(', ')}`, 'node')
    .option('-r, --resolvers <file>', 'the module that gives the values')
    .option('--no-resolvers', 'serve constants, even where a resolvers module is found')
    .option('--channels <file>', 'the module that binds nodes to the outside world')
    .option('--no-channels', 'bind no nodes, even where a module of channels is found')
    .option('--federation <bundle>', 'the signed bundle that the federation queries answer from')
    .option('--no-federation', 'leave the federation queries out')
    .option('--trust <policy>', 'the file that says whose signatures on the bundle count')
    .option('--title <text>', 'the title of the OpenAPI document')
    .option('--name <text>', 'the name of the collection; the title unless given')
    .option('--base-url <url>', 'where the API is reached from outside, for the collection');
}

/** Runs the API of a topology until it is asked to stop; the result is the exit code. */
export async function runServer(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
  mode: ServerMode,
): Promise<number> {
  const port = readNumber(options.port, '--port', 65535);
  const host = readChoice(options.host, '--host', hostNames, 'an address is given with --bind');
  const engine = readChoice(options.engine, '--engine', engineNames);
  const names = readEmitOptions(options);
  const federated = await openFederation(options, io);
  if (!federated.ok) return exitCodes.findings;
  const { federation } = federated;
  const outside = await openChannels(operands, options, io);
  if (!outside.ok) {
    if (federation) federation.close();
    return exitCodes.findings;
  }
  const { createResolversLoader } = await import('./load-resolvers.js');
  const loader = createResolversLoader(io.directory, mode.isWatching);
  const open = async (changes: readonly FileChange[]): Promise<OpenedApi> => {
    loader.forget(changes.map(({ path }) => resolve(io.directory, path)));
    return openApi(operands, { ...options, names, engine, federation, outside }, io, loader);
  };

  // graphql-js lets go of the other items of a list when one of them fails at once, and what they come to later is
  // nobody's: that one answer had an error must not end all others.
  const forgetStray = io.onStray((reason) => {
    io.stderr(`A promise that nobody waits for was rejected; the server goes on. ${inspect(reason)}\n`);
  });
  const opened = await open([]);
  if (opened.ok) await mode.onBuilt(opened);
  else if (!mode.waitsForTopology) return exitCodes.findings;
  const current = createCurrentApi(opened.ok ? opened.server : undefined);
  const listening = await listenWith(host, current, port, String(options.bind), io);
  if (listening === undefined) return exitCodes.findings;
  const { http, origin, close } = listening;
  await current.attach(http);
  const announce = announcer(operands, origin, outside, io);
  const watched = mode.isWatching
    ? await watchApi(opened, open, current, { ...mode, announce }, io)
    : undefined;
  // From here on a signal is answered, so whoever reads the banner may send one at once.
  const stopped = new Promise<void>((done) => {
    const forget = io.onStop(() => {
      Promise.all([watched?.close(), close(current)]).then(() => {
        forget();
        done();
      });
    });
  });
  if (opened.ok) await announce(opened);
  else io.stdout(`${origin} answers as soon as the topology can be served.\n`);
  await stopped;
  if (federation) federation.close();
  await outside.close();
  forgetStray();
  io.stdout('Stopped.\n');
  return exitCodes.fine;
}

const hostNames: readonly HostName[] = ['node', 'express', 'fastify'];

/** Tells where everything is, the first time that there is something. */
type Announce = (opened: OpenedApi & { readonly ok: true }) => Promise<boolean>;

function announcer(
  operands: readonly string[],
  origin: string,
  channels: NonNullable<BannerFacts['channels']>,
  io: CliIo,
): Announce {
  let isDone = false;
  return async ({ topology: { schema }, resolvers: { path, found } }) => {
    if (isDone) return false;
    isDone = true;
    const { renderBanner } = await import('./banner.js');
    io.stdout(renderBanner({ topologies: operands, schema, origin, resolvers: path, found, channels }));
    return true;
  };
}

/** Listens by way of a host. What keeps it from that is reported. */
async function listenWith(host: HostName, server: ServedApi, port: number, address: string, io: CliIo) {
  const { listen } = await import('./listen.js');
  const { reportFindings } = await import('../terminal/report-findings.js');
  const { createHostListener } = await import('../../hosts/node/listeners.js');
  const { PeerMissingError } = await import('../../load/load-peer.js');
  try {
    const listening = await listen(await createHostListener(host, server), port, address);
    if (listening.ok) return listening;
    reportFindings([listening.diagnostic], [], io);
  } catch (error) {
    if (!(error instanceof PeerMissingError)) throw error;
    reportFindings([error.diagnostic], [], io);
  }
  return undefined;
}

/** Reads the files again when they change. While they have errors, the last API that had none is served. */
async function watchApi(
  opened: OpenedApi,
  open: (changes: readonly FileChange[]) => Promise<OpenedApi>,
  current: CurrentApi,
  { announce, onBuilt }: Pick<ServerMode, 'onBuilt'> & { readonly announce: Announce },
  io: CliIo,
): Promise<WatchedFiles> {
  const { watchFiles } = await import('./watch-files.js');
  const { expandTopology } = await import('../../load/load-topologies.js');
  let isServed = opened.ok;
  let reading = Promise.resolve();
  const reload = async (changes: readonly FileChange[]): Promise<void> => {
    const start = io.clock();
    const next = await open(changes);
    watched.follow(next.watched);
    const took = `${Math.round(io.clock() - start)} ms`;
    const reason = describeChanges(changes);
    if (next.ok) {
      current.replace(next.server);
      isServed = true;
      io.stdout(`${reason}: built again in ${took} — ${countProjection(next.topology.schema)}\n`);
      await onBuilt(next);
      await announce(next);
    } else {
      const served = isServed ? 'The API is served as it was before.' : 'There is no API to serve yet.';
      io.stderr(`${reason}: not built, after ${took}. ${served}\n`);
    }
  };
  const expand = (pattern: string): readonly string[] => expandTopology(pattern, io.directory);
  const watched = await watchFiles(opened.watched, io.directory, expand, (changes) => {
    // One after another, so that the last change is the last word.
    // A mistake of our own is told, and is no reason not to read the next change.
    reading = reading
      .then(() => reload(changes))
      .catch((error: unknown) => io.stderr(describeBug(error, io.env)));
  });
  return watched;
}

/** `a.gg changed`, `a.gg changed, b.gg added`, `a.gg changed and 5 more files`. */
function describeChanges(changes: readonly FileChange[]): string {
  const told = changes.slice(0, 3).map(({ path, kind }) => `${path} ${kind}`);
  const rest = changes.length - told.length;
  return `${told.join(', ')}${rest === 0 ? '' : ` and ${count(rest, 'more file')}`}`;
}

function readChoice<Name extends string>(
  value: unknown,
  option: string,
  names: readonly Name[],
  hint?: string,
): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  const more = hint === undefined ? '' : `; ${hint}`;
  throw new UsageError(`${option} must be one of ${names.join(', ')}, not ${String(value)}${more}.`);
}
