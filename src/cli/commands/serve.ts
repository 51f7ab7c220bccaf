import type { CliCommand, CliOptions } from '../command.js';
import { UsageError } from '../command.js';
import { type CliIo, exitCodes } from '../io.js';
import type { LoadedResolvers } from '../load-resolvers.js';
import { readEmitOptions, readNumber, readText } from '../option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg') or URLs. Files that they
import are read too. All of them make one topology.

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
    if (operands.includes('-')) throw new UsageError('serve takes files, not standard input.');
    const { reportFindings } = await import('../report-findings.js');
    const module = await chooseResolvers(operands, options, io);
    if (module.loaded?.ok === false) {
      reportFindings([module.loaded.diagnostic], [], io);
      return exitCodes.findings;
    }
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
