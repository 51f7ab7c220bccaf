import { type Argument, Command, type Option } from 'commander';
import { defineProjectOptions } from '../../files/project-file.js';
import type { CliCommandEntry, CliCommandGroup } from '../../terminal/command.js';

/** The command line as shells complete it. */
export interface CompletedProgram {
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
}

/** A command, or a command with subcommands. */
export interface CompletedCommand {
  /** `check`, or `federation sign`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
  /** What its arguments are; absent without arguments. */
  readonly operands?: CompletedValue;
}

/** An option. */
export interface CompletedOption {
  /** `-f` and `--format`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent for an option without a value. */
  readonly value?: CompletedValue;
}

/** What stands in a place: a topology, any file, a directory, one of a list, or anything. */
export type CompletedValue = 'topology' | 'file' | 'directory' | 'text' | readonly string[];

/** Describes the program from the definitions of its commands. */
export async function describeProgram(
  commands: readonly (CliCommandEntry | CliCommandGroup)[],
): Promise<CompletedProgram> {
  return {
    commands: await Promise.all(commands.map((entry) => describeCommand(entry, ''))),
    options: [{ flags: ['-V', '--version'], description: 'print the version' }, helpOption],
  };
}

async function describeCommand(
  entry: CliCommandEntry | CliCommandGroup,
  parent: string,
): Promise<CompletedCommand> {
  const parser = new Command().command(entry.usage);
  const name = parser.name();
  const path = `${parent}${name}`;
  const base = { path, name, summary: entry.summary, commands: [], options: [helpOption] };
  if ('commands' in entry) {
    const inner = entry.commands.map((each) => describeCommand(each, `${path} `));
    return { ...base, commands: await Promise.all(inner) };
  }
  const command = await entry.load();
  command.define(parser);
  if (command.project !== undefined) defineProjectOptions(parser);
  const [operand] = parser.registeredArguments;
  return {
    ...base,
    options: [...parser.options.filter(({ hidden }) => !hidden).map(describeOption), helpOption],
    ...(operand === undefined ? {} : { operands: valueAt(operand, operand.name()) }),
  };
}

const helpOption: CompletedOption = { flags: ['-h', '--help'], description: 'display help for command' };

function describeOption(option: Option): CompletedOption {
  const { flags, short, long, description } = option;
  const [, placeholder] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    ...(placeholder === undefined ? {} : { value: valueAt(option, placeholder) }),
  };
}

function valueAt({ argChoices }: Pick<Argument | Option, 'argChoices'>, placeholder: string): CompletedValue {
  return argChoices ?? places.get(placeholder) ?? 'text';
}

/** What the placeholders of arguments and options stand for. */
const places: ReadonlyMap<string, CompletedValue> = new Map([
  ['files', 'topology'],
  ['operands', 'topology'],
  ['what', 'topology'],
  ['file', 'file'],
  ['bundle', 'file'],
  ['index', 'file'],
  ['key', 'file'],
  ['policy', 'file'],
  ['directory', 'directory'],
]);

/** All commands, each before its subcommands. */
export function listCommands(commands: readonly CompletedCommand[]): readonly CompletedCommand[] {
  return commands.flatMap((command) => [command, ...listCommands(command.commands)]);
}

/** A word for a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
