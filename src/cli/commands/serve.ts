import type { Server } from 'node:http';
import type { HostName } from '../../runtime/adapters/listeners.js';
import { type CliCommand, UsageError } from '../command.js';
import { countProjection } from '../count.js';
import { type CliIo, exitCodes } from '../io.js';
import { engineNames, type OpenedApi, openApi, type ServedApi } from '../open-api.js';
import { readEmitOptions, readNumber } from '../option-values.js';
import type { WatchedFiles } from '../watch-files.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

Without resolvers the constants of the topology are served. A resolvers module exports
an object, root type name → field name → function:

  export default { Query: { readUser: (parent, { id }) => findUser(id) } };

service.resolvers.mjs or service.resolvers.js beside service.gg is found by itself.

The engine speaks GraphQL over HTTP: beta is GraphQL Yoga, alpha is Apollo Server. The
host owns the port. What is answered is the same on all of them.

Examples:
  $ gg-svc serve service.gg
  $ gg-svc serve main.gg --port 8080 --resolvers api.mjs
  $ gg-svc serve service.gg --watch
  $ gg-svc serve service.gg --engine alpha --host express
  $ gg-svc serve service.gg --bind 0.0.0.0 --base-url https://api.example.com`;

/** `gg-svc serve`: runs the API of a topology until it is stopped. */
export const serveCommand: CliCommand = {
  usage: 'serve <files...>',
  summary: 'run the API of a topology: GraphQL and REST',
  define: (command) => {
    command
      .option('-p, --port <number>', 'the port to listen on; 0 takes a free one', '4000')
      .option('--bind <address>', 'the address to listen on', '127.0.0.1')
      .option('--engine <name>', `what speaks GraphQL over HTTP: ${engineNames.join(' or ')}`, 'beta')
      .option('--host <name>', `what owns the port: ${hostNames.join(', ')}`, 'node')
      .option('-w, --watch', 'read the files again when they change')
      .option('-r, --resolvers <file>', 'the module that gives the values')
      .option('--no-resolvers', 'serve constants, even where a resolvers module is found')
      .option('--title <text>', 'the title of the OpenAPI document')
      .option('--name <text>', 'the name of the collection; the title unless given')
      .option('--base-url <url>', 'where the API is reached from outside, for the collection')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const port = readNumber(options.port, '--port', 65535);
    const host = readChoice(options.host, '--host', hostNames, 'an address is given with --bind');
    const engine = readChoice(options.engine, '--engine', engineNames);
    const names = readEmitOptions(options);
    const open = (version: number) => openApi(operands, { ...options, names, engine }, io, version);

    const opened = await open(0);
    if (!opened.ok) return exitCodes.findings;
    const current = createCurrentApi(opened.server);
    const listening = await listenWith(host, current, port, String(options.bind), io);
    if (listening === undefined) return exitCodes.findings;
    const { http, origin, close } = listening;
    await current.attach(http);
    const watched = options.watch === true ? await watchApi(opened, open, current, io) : undefined;
    // From here on a signal is answered, so whoever reads the banner may send one at once.
    const stopped = new Promise<void>((resolve) => {
      const forget = io.onStop(() => {
        Promise.all([watched?.close(), close(current)]).then(() => {
          forget();
          resolve();
        });
      });
    });
    const { renderBanner } = await import('../banner.js');
    const { path, found } = opened.resolvers;
    const { schema } = opened;
    io.stdout(renderBanner({ topologies: operands, schema, origin, resolvers: path, found }));
    await stopped;
    io.stdout('Stopped.\n');
    return exitCodes.fine;
  },
};

const hostNames: readonly HostName[] = ['node', 'express', 'fastify'];

/** The API that is served at the moment; another one may take its place while requests come in. */
interface CurrentApi extends ServedApi {
  /** Answers over WebSocket too. */
  attach(http: Server): Promise<void>;
  /** Puts another API in the place of this one. What the old one has under way comes to its end. */
  replace(next: ServedApi): void;
}

function createCurrentApi(first: ServedApi): CurrentApi {
  let current = first;
  let attach: () => { close(): Promise<void> } | undefined = () => undefined;
  let attached: ReturnType<typeof attach>;
  return {
    fetch: (request) => current.fetch(request),
    drain: () => current.drain(),
    async attach(http) {
      const { attachSubscriptions } = await import('../../runtime/live/attach-subscriptions.js');
      attach = () => attachSubscriptions(current, http);
      attached = attach();
    },
    replace(next) {
      const before = current;
      void attached?.close();
      current = next;
      attached = attach();
      before.drain();
    },
  };
}

/** Listens by way of a host. What keeps it from that is reported. */
async function listenWith(host: HostName, server: ServedApi, port: number, address: string, io: CliIo) {
  const { listen } = await import('../listen.js');
  const { reportFindings } = await import('../report-findings.js');
  const { createHostListener } = await import('../../runtime/adapters/listeners.js');
  const { PeerMissingError } = await import('../../runtime/load-peer.js');
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
  open: (version: number) => Promise<OpenedApi>,
  current: CurrentApi,
  io: CliIo,
): Promise<WatchedFiles> {
  const { watchFiles } = await import('../watch-files.js');
  let version = 0;
  let reading = Promise.resolve();
  const reload = async (): Promise<void> => {
    version += 1;
    const next = await open(version);
    watched.follow(next.files);
    if (next.ok) {
      current.replace(next.server);
      io.stdout(`Read again: ${countProjection(next.schema)}\n`);
    } else {
      io.stderr('The API is served as it was before.\n');
    }
  };
  const watched = await watchFiles(opened.files, io.directory, () => {
    // One after another, so that the last change is the last word.
    reading = reading.then(reload);
  });
  return watched;
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
