import { Command, CommanderError } from 'commander';
import { commands } from './commands.js';
import { type CliCommand, type CliCommandGroup, UsageError } from './terminal/command.js';
import { describeBug } from './terminal/describe-bug.js';
import { type CliIo, exitCodes, usesColor } from './terminal/io.js';
import { readVersion } from './terminal/package-version.js';

const about = `One .gg topology in; a GraphQL schema, an OpenAPI 3.1 document, a Postman
collection and a running API out.`;

const teaching = `
Examples:
  $ gg-svc build service.gg -o out     write schema.graphql, openapi.json, collection.json
  $ gg-svc check topologies/*.gg       find mistakes, write nothing
  $ gg-svc serve service.gg            run the API at http://127.0.0.1:4000
  $ gg-svc explain GG3001              what a diagnostic means and what to do

Exit codes:
  0  all went well
  1  there are errors in the source, or a file or port cannot be used
  2  the command line makes no sense
  3  a bug in gg-svc itself

Environment:
  NO_COLOR, FORCE_COLOR   switch colours off or on
  GG_SVC_DEBUG=1          show the stack of a bug`;

/**
 * Runs the command line.
 *
 * @param args - The arguments after the program's name.
 * @param io - All that is touched of the world outside.
 * @returns The exit code: 0 fine, 1 findings, 2 wrong use, 3 a bug. It never rejects.
 */
export async function run(args: readonly string[], io: CliIo): Promise<number> {
  let exitCode: number = exitCodes.fine;
  const program = createProgram(io);
  const add = (parent: Command, command: CliCommand | CliCommandGroup, path: string): void => {
    const parser = parent.command(command.usage).summary(command.summary).description(command.summary);
    command.define(parser);
    const name = `${path} ${parser.name()}`;
    parser.showHelpAfterError(`Try ${name} --help.`);
    if ('commands' in command) {
      for (const inner of command.commands) add(parser, inner, name);
      return;
    }
    parser.action(async () => {
      exitCode = await command.run(parser.args, parser.opts(), io);
    });
  };
  for (const command of commands) add(program, command, 'gg-svc');
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
    if (error instanceof UsageError) {
      io.stderr(`error: ${error.message}\n`);
      return exitCodes.usage;
    }
    io.stderr(describeBug(error, io.env));
    return exitCodes.bug;
  }
  return exitCode;
}

function createProgram(io: CliIo): Command {
  const program = new Command('gg-svc')
    .description(about)
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      getOutHasColors: () => usesColor(io.env, io.stdoutIsTerminal),
      getErrHasColors: () => usesColor(io.env, io.stderrIsTerminal),
    })
    .configureHelp({ styleTitle: (text) => `\u001b[1m${text}\u001b[22m` })
    .showHelpAfterError('Try gg-svc --help.')
    .addHelpText('after', teaching);
  // The version costs a read of package.json, so it is read only by those who ask.
  program.option('-V, --version', 'print the version');
  program.on('option:version', () => {
    io.stdout(`${readVersion(io.packageRoot)}\n`);
    throw new CommanderError(exitCodes.fine, 'commander.version', '');
  });
  return program;
}
