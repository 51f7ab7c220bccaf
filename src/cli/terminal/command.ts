import type { Command } from 'commander';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import type { CliIo } from './io.js';

/**
 * One command. Its file imports little: the compiler and the server are imported inside `run`, so that
 * every other command starts without them.
 */
export interface CliCommand {
  /** The name and the arguments, as help prints them: `check <files...>`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Adds options and help text. */
  readonly define: (command: Command) => void;
  /** Runs the command and returns the exit code. */
  readonly run: (operands: readonly string[], options: CliOptions, io: CliIo) => Promise<number>;
}

/** A command with subcommands, such as `federation sign`. */
export interface CliCommandGroup extends Omit<CliCommand, 'run'> {
  readonly commands: readonly CliCommand[];
}

/** The parsed options of one command, keyed by their camel-case names. */
export type CliOptions = Readonly<Record<string, unknown>>;

/** A wrong command line that the option parser accepts, such as a number out of range. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The input is at fault: `main` reports the diagnostics and exits with code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  /** @param sources - The files that the diagnostics point into. */
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    readonly sources: readonly SourceFile[] = [],
  ) {
    super(diagnostics[0]?.message);
  }
}
