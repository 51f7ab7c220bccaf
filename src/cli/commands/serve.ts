import { defineServerOptions, runServer } from '../serving/run-server.js';
import type { CliCommand } from '../terminal/command.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

Without resolvers the constants of the topology are served. A resolvers module exports
an object, root type name → field name → function:

  export default { Query: { readUser: (parent, { id }) => findUser(id) } };

service.resolvers.mjs or service.resolvers.js beside service.gg is found by itself.

Nodes are bound to files, HTTP endpoints, programs and streams by a module of channels;
service.channels.mjs or service.channels.js beside service.gg is found by itself.

The federation queries answer null unless a signed bundle is given, together with the
policy that says whose signatures count. A new bundle is taken up while the server runs.

The engine speaks GraphQL over HTTP: beta is GraphQL Yoga, alpha is Apollo Server. The
host owns the port. What is answered is the same on all of them.

Examples:
  $ gg-svc serve service.gg
  $ gg-svc serve main.gg --port 8080 --resolvers api.mjs
  $ gg-svc serve service.gg --watch
  $ gg-svc serve service.gg --engine alpha --host express
  $ gg-svc serve service.gg --federation index.bundle.json --trust trust.json
  $ gg-svc serve service.gg --bind 0.0.0.0 --base-url https://api.example.com`;

/** `gg-svc serve`: runs the API of a topology until it is stopped. */
export const serveCommand: CliCommand = {
  usage: 'serve <files...>',
  summary: 'run the API of a topology: GraphQL and REST',
  define: (command) => {
    defineServerOptions(command)
      .option('-w, --watch', 'read the files again when they change')
      .addHelpText('after', help);
  },
  run: (operands, options, io) =>
    runServer(operands, options, io, {
      isWatching: options.watch === true,
      waitsForTopology: false,
      onBuilt: () => Promise.resolve(),
    }),
};
