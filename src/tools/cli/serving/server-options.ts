import { Option } from 'commander';
import type { HostName } from '../../../runtime/hosts/node/listeners.js';
import { type CliOptionTable, withDefault } from '../terminal/command.js';

/** The values of `--engine`: GraphQL Yoga (beta) or Apollo Server (alpha). */
export const engineNames = ['beta', 'alpha'] as const;

export const hostNames: readonly HostName[] = ['node', 'express', 'fastify'];

/** The options of the modules that an API is made of. */
export const moduleOptions: CliOptionTable = {
  '-r, --resolvers <file>': 'resolvers module',
  '--no-resolvers': 'ignore the resolvers module next to the topology',
  '--context <file>': 'context module: the context of resolvers, and authentication',
  '--no-context': 'ignore the context module next to the topology',
  '--channels <file>': 'channels module',
  '--no-channels': 'ignore the channels module next to the topology',
  '--mock': 'answer what has no resolver from example rows in memory',
};

/** The options of an API that is served: its modules, its federation and its title. */
export const apiOptions: CliOptionTable = {
  ...moduleOptions,
  '--federation <bundle>': 'signed bundle for the federation queries',
  '--no-federation': 'omit the federation queries',
  '--trust <policy>': 'trust policy: the issuers whose signatures are accepted',
  '--title <text>': 'title of the API',
};

/** The options that `serve` and `dev` share. */
export const serverOptions: CliOptionTable = {
  '-p, --port <number>': withDefault('port to listen on (environment: PORT); 0 picks a free one', '4000'),
  '--bind <address>': withDefault('address to listen on (environment: HOST)', '127.0.0.1'),
  '--engine <name>': offer('GraphQL server', engineNames),
  '--host <name>': offer('HTTP framework', hostNames),
  ...apiOptions,
  '--mcp': 'serve agents at /mcp, over the Model Context Protocol',
  '--no-mcp': 'do not serve agents',
  '--name <text>': 'name of the collection (default: the title)',
  '--base-url <url>': 'public URL of the API, for the collection',
};

/** An option whose choices help lists. The server refuses other values, those of the project file as well. */
function offer(text: string, choices: readonly string[]) {
  return (flags: string): Option =>
    Object.assign(new Option(flags, text).default(choices[0]), { argChoices: [...choices] });
}
