import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { ProjectConfig } from '../../../runtime/config/project-config.js';
import type { CliIo } from './io.js';

/**
 * A command in the registry. Its file is loaded when the command is named, so every other command starts without it.
 */
export interface CliCommandEntry {
  /** The name and the arguments, as help prints them: `check <files...>`. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

/** Lists commands by their names: the arguments of each, its summary, and its module. */
export function listEntries(
  table: Readonly<Record<string, [usage: string, summary: string, load: () => Promise<{ command: CliCommand }>]>>,
): readonly CliCommandEntry[] {
  return Object.entries(table).map(([name, [usage, summary, load]]) => ({
    usage: `${name} ${usage}`.trim(),
    summary,
    load: async () => (await load()).command,
  }));
}

/** A command with subcommands, such as `federation sign`. */
export interface CliCommandGroup extends Omit<CliCommandEntry, 'load'> {
  readonly commands: readonly CliCommandEntry[];
}

export interface CliCommand {
  /** Whether the project file completes its options, and its files as well; absent if it reads none. */
  readonly project?: 'options' | 'files';
  /** The options by their flags, such as `-o, --out <file>`. */
  readonly options?: CliOptionTable;
  /** The work in a few words, for the progress line after a second; absent if it serves or asks. */
  readonly doing?: string;
  /** Sets up what options cannot say. */
  readonly define?: (command: Command) => void;
  readonly run: (operands: readonly string[], options: CliOptions, io: CliIo) => Promise<number>;
}

/** The input of a command. */
export interface Invocation {
  readonly operands: readonly string[];
  readonly options: CliOptions;
  readonly io: CliIo;
}

/** The parsed options of one command, keyed by their camel-case names. */
export type CliOptions = Readonly<Record<string, unknown>> & {
  /** The project file, with paths relative to the working directory; absent without one. */
  readonly project?: ProjectConfig;
  /** The path of the project file, relative to the working directory. */
  readonly projectPath?: string;
};

type MakeOption = (flags: string) => Option;

/** Options by their flags: the text in the help, or how the option is made. */
export type CliOptionTable = Readonly<Record<string, string | MakeOption>>;

/** An option with one of several values; the first one is the default, unless `hasDefault` is false. */
export function choice(text: string, values: readonly string[], hasDefault = true): MakeOption {
  return (flags) => new Option(flags, text).choices(values).default(hasDefault ? values[0] : undefined);
}

/** An option that collects a list. A variadic option of commander would also take the files after it. */
export function repeatable(text: string): MakeOption {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  return (flags) => new Option(flags, text).argParser(collect);
}

export function withDefault(text: string, value: string): MakeOption {
  return (flags) => new Option(flags, text).default(value);
}

export function required(text: string): MakeOption {
  return (flags) => new Option(flags, text).makeOptionMandatory();
}

const projectOptions: CliOptionTable = {
  '--config <file>': 'project file (default: the nearest gg-svc.config.ts, .mjs or .json)',
  '--no-config': 'ignore the project file',
};

/** Adds the options of a command to its parser. */
export function defineCommand(parser: Command, { options, define, project }: CliCommand): void {
  for (const [flags, given] of Object.entries({ ...options, ...(project && projectOptions) }))
    parser.addOption(typeof given === 'string' ? new Option(flags, given) : given(flags));
  define?.(parser);
}

/** A wrong command line that the option parser accepts, such as a number out of range. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The input is at fault: `main` reports the diagnostics and exits with code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    readonly diagnostics: readonly Diagnostic[],
    readonly sources: readonly SourceFile[] = [],
  ) {
    super(diagnostics[0]?.message);
  }
}
