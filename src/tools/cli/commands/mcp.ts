import { Writable } from 'node:stream';
import type { ProjectConfig } from '../../../runtime/config/project-config.js';
import { loadPeer } from '../../../runtime/load/load-peer.js';
import { createMcp, mcpPackage } from '../../../runtime/mcp/mcp.js';
import { serviceOf } from '../../../runtime/server/gql-server.js';
import { createLoaders, openChannels } from '../serving/modules.js';
import { openApi } from '../serving/open-api.js';
import { openFederation } from '../serving/open-federation.js';
import { apiOptions } from '../serving/server-options.js';
import { type CliCommand, choice } from '../terminal/command.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readChoice } from '../terminal/option-values.js';

const toolsHelp = 'one tool for each family of operations, one for each operation, or two that find and run any';
const toolModes = ['chains', 'operations', 'find'] as const;

export const command: CliCommand = {
  project: 'files',
  options: { ...apiOptions, '--tools <mode>': choice(toolsHelp, toolModes, false) },
  async run(operands, options, io) {
    if (process.stdin.isTTY === true)
      io.stderr('Waiting for a host on standard input. See gg-svc mcp --help. Press Ctrl+C to stop.\n');
    const output = takeStandardOutput();
    const project = options.project && withLogsOnStderr(options.project);
    const { mcp: configured } = project?.server ?? {};
    const tools =
      options.tools === undefined
        ? typeof configured === 'object' && configured.tools
        : readChoice(options.tools, '--tools', toolModes);
    const federation = await openFederation(options, io);
    const outside = await openChannels({ operands, options, io });
    const loaders = createLoaders(io);
    try {
      const given = { operands, options: { ...options, ...(project && { project }), mcp: false }, io };
      const names = typeof options.title === 'string' ? { title: options.title } : {};
      const own = { names, engine: 'beta', federation, outside } as const;
      const opened = await openApi(given, own, loaders);
      const service = opened.ok ? serviceOf(opened.server) : undefined;
      if (service === undefined) return exitCodes.findings;
      const { serveOverStdio } = await loadPeer([mcpPackage], () => import('../../../runtime/mcp/stdio.js'));
      const { server, authenticate } = service;
      const { schema } = server;
      const mcp = createMcp(await service.environment(), tools ? { tools } : {}, await service.runs());
      const scheme = schema.security?.find(({ type }) => type === 'apiKey');
      const keyHeader = scheme !== undefined && 'header' in scheme ? scheme.header : 'x-api-key';
      const headers = credentialsOf(io, project?.server?.auth?.apiKeys?.header ?? keyHeader);
      await serveOverStdio(mcp, { input: process.stdin, output, headers, authenticate }, io.onStop);
      await server.close();
      return exitCodes.fine;
    } finally {
      if (federation) federation.close();
      await outside.close();
      await loaders.dispose(true);
    }
  },
};

/** The standard output for messages only: everything else that is printed goes to standard error. */
function takeStandardOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, (error) => done(error));
    },
  });
}

/** The logger writes to the descriptor of standard output itself. */
function withLogsOnStderr(project: ProjectConfig): ProjectConfig {
  const { logs } = project.server ?? {};
  if (logs === undefined || logs === false) return project;
  const { destination, ...rest } = logs === true ? {} : logs;
  const moved = destination === undefined || destination === 'stdout' ? 'stderr' : destination;
  return { ...project, server: { ...project.server, logs: { ...rest, destination: moved } } };
}

/** The credentials of the environment as the headers of a request. An empty variable counts as absent. */
function credentialsOf({ env }: CliIo, keyHeader: string): Record<string, string> {
  const { GG_SVC_TOKEN: token, GG_SVC_API_KEY: key } = env;
  return { ...(token && { authorization: `Bearer ${token}` }), ...(key && { [keyHeader]: key }) };
}
