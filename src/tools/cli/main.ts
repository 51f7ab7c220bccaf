import { Command, CommanderError } from 'commander';
import { commands } from './commands/registry.js';
import {
  type CliCommand,
  type CliCommandEntry,
  type CliCommandGroup,
  type CliOptions,
  CommandFailure,
  defineCommand,
  UsageError,
} from './terminal/command.js';
import { type CliIo, exitCodes, readPage, readVersion, usesColor } from './terminal/io.js';

const about =
  'Compiles .gg topologies to a GraphQL schema, an OpenAPI 3.1 document and a Postman collection, and serves them as an API.';

/** Runs the command line. @returns The exit code. The promise never rejects. */
export async function run(args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = exitCodes.fine;
  try {
    const program = await createProgram(args, io, (code) => {
      exitCode = code;
    });
    if (args[0] === '__complete') {
      const { candidatesFor } = await import('./commands/candidates.js');
      for (const candidate of candidatesFor(program, args.slice(1))) io.stdout(`${candidate}\n`);
    } else await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}

async function reportError(error: unknown, io: CliIo): Promise<number> {
  // Commander has printed its own errors already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
  if (error instanceof UsageError) {
    io.stderr(`error: ${error.message}\n`);
    return exitCodes.usage;
  }
  const [{ reportBug, reportFindings }, { PeerMissingError }] = await Promise.all([
    import('./terminal/report-findings.js'),
    import('../../runtime/load/load-peer.js'),
  ]);
  if (error instanceof CommandFailure) {
    reportFindings(error.diagnostics, error.sources, io);
    return exitCodes.findings;
  }
  if (error instanceof PeerMissingError) {
    reportFindings([error.diagnostic], [], io);
    return exitCodes.findings;
  }
  reportBug(error, io);
  return exitCodes.bug;
}

/** The parser of a command line. Only the commands that it names are loaded. */
async function createProgram(args: readonly string[], io: CliIo, onExit: (code: number) => void) {
  const { stdoutColumns } = io;
  const reflow = stdoutColumns === undefined ? undefined : (await import('./terminal/reflow.js')).reflow;
  const fit: Reflow = (text) => reflow?.(text, stdoutColumns) ?? text;
  const program = new Command('gg-svc')
    .description(about)
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      getOutHelpWidth: () => io.stdoutColumns ?? 80,
      getErrHelpWidth: () => io.stderrColumns ?? 80,
      getOutHasColors: () => usesColor(io.env, io.stdoutIsTerminal),
      getErrHasColors: () => usesColor(io.env, io.stderrIsTerminal),
    })
    // Descriptions of options also wrap where a narrow terminal leaves them little room.
    .configureHelp({ styleTitle: (text) => `\u001b[1m${text}\u001b[22m`, minWidthToWrap: 20 })
    .showHelpAfterError('Try gg-svc --help.')
    .addHelpText('after', () => helpPage('gg-svc', io, fit));
  // An event instead of `program.version()`, so that package.json is read only when the option is given.
  program.option('-V, --version', 'print the version');
  program.on('option:version', () => {
    io.stdout(`${readVersion(io.packageRoot)}\n`);
    throw new CommanderError(exitCodes.fine, 'commander.version', '');
  });
  const add = async (parent: Command, entry: CliCommandEntry | CliCommandGroup, path: string) => {
    const parser = parent.command(entry.usage).summary(entry.summary).description(entry.summary);
    const name = `${path} ${parser.name()}`;
    parser.showHelpAfterError(`Try ${name} --help.`);
    parser.addHelpText('after', () => helpPage(name.replace('gg-svc ', '').replace(' ', '-'), io, fit));
    if ('commands' in entry) {
      for (const inner of entry.commands) await add(parser, inner, name);
    } else if (args.includes(parser.name())) {
      const command = await entry.load();
      defineCommand(parser, command);
      parser.action(async () => {
        const { operands, options } = await completeCommand(parser, command, io);
        onExit(await runCommand(command, operands, options, io));
      });
    }
  };
  for (const entry of commands) await add(program, entry, 'gg-svc');
  return program;
}

async function runCommand(
  { doing, run: work }: CliCommand,
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): Promise<number> {
  if (doing === undefined || !io.stderrIsTerminal) return work(operands, options, io);
  const { withProgress } = await import('./terminal/progress.js');
  return withProgress(doing, io, (own) => work(operands, options, own));
}

/** The text that follows the options in the help of a command: a page of the package. */
function helpPage(name: string, { packageRoot }: CliIo, reflow: Reflow): string {
  return `\n${reflow(readPage('help.txt', name, packageRoot).trimEnd())}`;
}

type Reflow = (text: string) => string;

/** The operands and the options of a command, completed by the project file if it reads one. */
async function completeCommand(parser: Command, { project }: CliCommand, io: CliIo) {
  if (project === undefined) return { operands: parser.args, options: parser.opts() };
  const projectFile = await import('./files/project-file.js');
  return projectFile.completeCommand(parser, project === 'files', io);
}
