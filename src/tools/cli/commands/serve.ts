import { runServer } from '../serving/run-server.js';
import { serverOptions } from '../serving/server-options.js';
import { type CliCommand, filesHelp } from '../terminal/command.js';

export const command: CliCommand = {
  project: 'files',
  help: `${filesHelp}
Without resolvers the server answers with the constants of the topology. A resolvers module
exports an object: root type name → field name → function:

  export default { Query: { readUser: (parent, { id }) => findUser(id) } };

service.resolvers.mjs, .js or .ts next to service.gg is loaded automatically.

A channels module binds nodes to files, HTTP endpoints, child processes and streams;
service.channels.mjs, .js or .ts next to service.gg is loaded automatically.

The federation queries answer null without a signed bundle. --federation and --trust set the
bundle and the trust policy; a changed bundle is reloaded while the server runs.

The engine executes GraphQL over HTTP: beta is GraphQL Yoga, alpha is Apollo Server. The
host is the HTTP framework. All combinations give the same answers.

Examples:
  $ gg-svc serve service.gg
  $ gg-svc serve main.gg --port 8080 --resolvers api.mjs
  $ gg-svc serve service.gg --watch
  $ gg-svc serve service.gg --engine alpha --host express
  $ gg-svc serve service.gg --federation index.bundle.json --trust trust.json
  $ gg-svc serve service.gg --bind 0.0.0.0 --base-url https://api.example.com`,
  options: {
    ...serverOptions,
    '-w, --watch': 'reload when files change',
    '--studio': 'serve the studio at /_gg/, for users who know the token in GG_SVC_STUDIO_TOKEN',
  },
  async run(operands, options, io) {
    return runServer({ operands, options, io }, { isDev: false, isWatching: options.watch === true });
  },
};
