import type { Analysis } from '../../analyze.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { GqlServer, GqlServerOptions } from '../../runtime/options.js';
import type { CliCommand, CliOptions } from '../command.js';
import { type CliIo, exitCodes } from '../io.js';
import type { LoadedResolvers } from '../load-resolvers.js';
import { readEmitOptions, readNumber, readText } from '../option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

Without resolvers the constants of the topology are served. A resolvers module exports
an object, root type name → field name → function:

  export default { Query: { readUser: (parent, { id }) => findUser(id) } };

service.resolvers.mjs or service.resolvers.js beside service.gg is found by itself.

Examples:
  $ gg-svc serve service.gg
  $ gg-svc serve main.gg --port 8080 --resolvers api.mjs
  $ gg-svc serve service.gg --host 0.0.0.0 --base-url https://api.example.com`;

/** `gg-svc serve`: runs the API of a topology until it is stopped. */
export const serveCommand: CliCommand = {
  usage: 'serve <files...>',
  summary: 'run the API of a topology: GraphQL and REST',
  define: (command) => {
    command
      .option('-p, --port <number>', 'the port to listen on; 0 takes a free one', '4000')
      .option('--host <address>', 'the address to listen on', '127.0.0.1')
      .option('-r, --resolvers <file>', 'the module that gives the values')
      .option('--no-resolvers', 'serve constants, even where a resolvers module is found')
      .option('--title <text>', 'the title of the OpenAPI document')
      .option('--name <text>', 'the name of the collection; the title unless given')
      .option('--base-url <url>', 'where the API is reached from outside, for the collection')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const port = readNumber(options.port, '--port', 65535);
    const names = readEmitOptions(options);
    const { hasErrors } = await import('../../diagnostics/diagnostic.js');
    const { readTopology } = await import('../read-topology.js');
    const { reportFindings } = await import('../report-findings.js');
    const analysis = await readTopology(operands, io);
    reportFindings(analysis.diagnostics, analysis.sources, io);
    if (hasErrors(analysis.diagnostics)) return exitCodes.findings;

    const module = await chooseResolvers(operands, options, io);
    if (module.loaded?.ok === false) {
      reportFindings([module.loaded.diagnostic], [], io);
      return exitCodes.findings;
    }
    const started = await startServer(analysis, {
      ...names,
      ...(module.loaded === undefined ? {} : { resolvers: module.loaded.resolvers }),
    });
    if (!started.ok) {
      reportFindings(placedIn(module.path, started.diagnostics), analysis.sources, io);
      return exitCodes.findings;
    }
    const { server } = started;

    const { listen } = await import('../listen.js');
    const { createNodeListener } = await import('../../runtime/adapters/node.js');
    const listening = await listen(createNodeListener(server), port, String(options.host));
    if (!listening.ok) {
      reportFindings([listening.diagnostic], [], io);
      return exitCodes.findings;
    }
    const { http, origin, close } = listening;
    const { attachSubscriptions } = await import('../../runtime/live/attach-subscriptions.js');
    attachSubscriptions(server, http);
    // From here on a signal is answered, so whoever reads the banner may send one at once.
    const stopped = new Promise<void>((resolve) => {
      const forget = io.onStop(() => {
        close(server).then(() => {
          forget();
          resolve();
        });
      });
    });
    const { renderBanner } = await import('../banner.js');
    const { path, found } = module;
    io.stdout(renderBanner({ topologies: operands, schema: server.schema, origin, resolvers: path, found }));
    await stopped;
    io.stdout('Stopped.\n');
    return exitCodes.fine;
  },
};

/** The resolvers module that was named, or the one that lies beside the first topology. */
async function chooseResolvers(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): Promise<{ path?: string; found: boolean; loaded?: LoadedResolvers }> {
  if (options.resolvers === false) return { found: false };
  const { findResolvers, loadResolvers } = await import('../load-resolvers.js');
  const named = readText(options, 'resolvers');
  const path = named ?? findResolvers(operands[0] ?? '', io.directory);
  if (path === undefined) return { found: false };
  return { path, found: named === undefined, loaded: await loadResolvers(path, io.directory) };
}

/** A server, or why there is none. */
type Started =
  | { readonly ok: true; readonly server: GqlServer }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Starts a server over the texts that were read already. The packages that it needs are loaded at once,
 * so that one that is missing is heard of now and not by the first caller.
 */
async function startServer(
  { sources }: Analysis,
  options: Omit<GqlServerOptions, 'topologies'>,
): Promise<Started> {
  const { createGqlServer } = await import('../../runtime/service.js');
  const { TopologyError } = await import('../../runtime/topology-error.js');
  const { loadPeer, PeerMissingError } = await import('../../runtime/load-peer.js');
  try {
    await loadPeer(['graphql-yoga', 'graphql'], () => import('../../runtime/engines/beta.js'));
    const topologies = sources.map(({ name, text }) => ({ name, source: text }));
    return { ok: true, server: createGqlServer({ ...options, topologies }) };
  } catch (error) {
    if (error instanceof TopologyError) return { ok: false, diagnostics: error.diagnostics };
    if (error instanceof PeerMissingError) return { ok: false, diagnostics: [error.diagnostic] };
    throw error;
  }
}

/** Findings about resolvers do not know which file they came from; here it is known. */
function placedIn(path: string | undefined, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.span.file === 'resolvers' && path !== undefined
      ? { ...diagnostic, span: { ...diagnostic.span, file: path } }
      : diagnostic,
  );
}
