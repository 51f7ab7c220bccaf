import { relative } from 'node:path';
import type { Command } from 'commander';
import { hasErrors } from '../../../base/diagnostics/diagnostic.js';
import type { ProjectConfig } from '../../../runtime/config/project-config.js';
import { logDestination, placePaths, readConfig } from '../../../runtime/config/read-config.js';
import { type CliOptions, CommandFailure, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readAddress, readNumber } from '../terminal/option-values.js';
import { demoProject } from './demo-project.js';
import { drilledProject } from './drilled-project.js';

const openedByServer: ReadonlySet<string> = new Set([logDestination, 'server.store.file', 'server.runs.file']);

/**
 * Completes a command line from the environment and the project file: the sources in place of missing files, and `PORT`,
 * `HOST` and the settings in place of missing options. What the command line gives wins, then the environment.
 */
export async function completeCommand(command: Command, needsFiles: boolean, io: CliIo) {
  const { args: operands } = command;
  const given: CliOptions = command.opts();
  const found = given.config === false ? undefined : await readProject(given.config, io);
  // Paths are relative to the working directory, as on the command line; the server opens some files itself.
  const show = (path: string, setting: string) =>
    openedByServer.has(setting) ? path : relative(io.directory, path) || '.';
  const read = drilledProject(found === undefined ? undefined : placePaths(found, show), io.env);
  const placed = given.demo === true ? demoProject(read) : read;
  const completed = operands.length > 0 || !needsFiles ? operands : (placed?.sources ?? []);
  if (needsFiles && completed.length === 0) {
    const advice =
      found === undefined ? 'or write a gg-svc.config.json with "sources"' : 'or list “sources” in the project file';
    throw new UsageError(`missing required argument 'files'. Name the files of the topology, ${advice}.`);
  }
  const path = found && { projectPath: relative(io.directory, found.path) };
  const project = placed && { project: placed, ...path };
  const options: Record<string, unknown> = { ...given, ...project };
  const known = new Set(command.options.map((option) => option.attributeName()));
  const isOpen = (name: string) => known.has(name) && command.getOptionValueSource(name) !== 'cli';
  const settings = { ...(placed && settingsOf(placed, command.name())), ...readEnvironment(isOpen, io) };
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined && isOpen(name)) options[name] = value;
  }
  // A bundle of the command line comes with its policy.
  if (command.getOptionValueSource('federation') === 'cli') options.trust = given.trust;
  return { operands: completed, options };
}

/** The options that `PORT` and `HOST` give, if the command line does not. An empty variable counts as absent. */
function readEnvironment(isOpen: (option: string) => boolean, { env }: CliIo): CliOptions {
  const { PORT, HOST } = env;
  return {
    ...(PORT && isOpen('port') && { port: readNumber(PORT, 'The environment variable PORT', 65535) }),
    ...(HOST && isOpen('bind') && { bind: readAddress(HOST, 'The environment variable HOST') }),
  };
}

async function readProject(named: unknown, io: CliIo) {
  const path = typeof named === 'string' ? named : undefined;
  const { value, diagnostics, source } = await readConfig(io.directory, path);
  if (hasErrors(diagnostics)) throw new CommandFailure(diagnostics, source === undefined ? [] : [source]);
  return value;
}

function settingsOf(config: ProjectConfig, command: string): CliOptions {
  const { collection, federation, outputs, server, diff, scalars = {} } = config;
  const bundle = typeof federation === 'object' ? federation : undefined;
  const types = Object.entries(scalars).map(
    ([name, scalar]) => [name, typeof scalar === 'string' ? { type: scalar } : scalar] as const,
  );
  const pairs = (of: 'type' | 'restType') =>
    types.flatMap(([name, scalar]) => (scalar[of] === undefined ? [] : [`${name}=${scalar[of]}`]));
  return {
    name: collection?.name,
    federation: bundle?.bundle ?? (federation === false ? false : undefined),
    trust: bundle?.trust,
    resolvers: config.resolvers,
    channels: config.channels,
    context: server?.context,
    strict: config.strict,
    maxWarnings: config.maxWarnings,
    scalar: pairs('type').length === 0 ? undefined : pairs('type'),
    restScalar: pairs('restType').length === 0 ? undefined : pairs('restType'),
    types: command === 'dev' ? outputs?.types : undefined,
    strictNulls: outputs?.strictNulls,
    invalidation: outputs?.invalidation,
    openapi: outputs?.openapi,
    arazzo: outputs?.arazzo,
    out: command === 'build' ? outputs?.directory : command === 'types' ? outputs?.types : undefined,
    port: server?.port,
    bind: server?.bind,
    engine: server?.engine,
    host: server?.host,
    allowedHosts: command === 'dev' ? server?.allowedHosts?.join(',') : undefined,
    baseUrl: server?.baseUrl,
    waivers: diff?.waivers,
    failOn: diff?.failOn,
  };
}
