import { type Command, Option } from 'commander';
import type { HostName } from '../../../runtime/hosts/node/listeners.js';

/** The values of `--engine`: GraphQL Yoga (beta) or Apollo Server (alpha). */
export const engineNames = ['beta', 'alpha'] as const;

/** The values of `--host`. */
export const hostNames: readonly HostName[] = ['node', 'express', 'fastify'];

/** Adds the options that `serve` and `dev` share. */
export function defineServerOptions(command: Command): Command {
  const listening = command
    .option('-p, --port <number>', 'port to listen on (environment: PORT); 0 picks a free one', '4000')
    .option('--bind <address>', 'address to listen on (environment: HOST)', '127.0.0.1')
    .addOption(offer('--engine <name>', 'GraphQL server', engineNames))
    .addOption(offer('--host <name>', 'HTTP framework', hostNames));
  return defineApiOptions(listening)
    .option('--mcp', 'serve agents at /mcp, over the Model Context Protocol')
    .option('--no-mcp', 'do not serve agents')
    .option('--name <text>', 'name of the collection (default: the title)')
    .option('--base-url <url>', 'public URL of the API, for the collection');
}

/** Adds the options of an API that is served: its modules, its federation and its title. */
export function defineApiOptions(command: Command): Command {
  return defineModuleOptions(command)
    .option('--federation <bundle>', 'signed bundle for the federation queries')
    .option('--no-federation', 'omit the federation queries')
    .option('--trust <policy>', 'trust policy: the issuers whose signatures are accepted')
    .option('--title <text>', 'title of the API');
}

/** Adds the options of the modules that an API is made of. */
export function defineModuleOptions(command: Command): Command {
  return command
    .option('-r, --resolvers <file>', 'resolvers module')
    .option('--no-resolvers', 'ignore the resolvers module next to the topology')
    .option('--context <file>', 'context module: the context of resolvers, and authentication')
    .option('--no-context', 'ignore the context module next to the topology')
    .option('--channels <file>', 'channels module')
    .option('--no-channels', 'ignore the channels module next to the topology');
}

/** An option whose choices help lists. The server refuses other values, those of the project file as well. */
function offer(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).default(choices[0]);
  option.argChoices = [...choices];
  return option;
}
