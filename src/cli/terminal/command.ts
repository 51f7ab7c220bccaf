import type { Command } from 'commander';
import type { CliIo } from './io.js';

/**
 * One command of the command line. Its file stays light: what is costly to load (the compiler, the
 * server) is imported inside `run`, so that every other command starts without it.
 */
export interface CliCommand {
  /** The name and the arguments, as help writes them: `check <files...>`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Adds options and help. */
  readonly define: (command: Command) => void;
  /** Does the work; the result is the exit code. */
  readonly run: (operands: readonly string[], options: CliOptions, io: CliIo) => Promise<number>;
}

/** Commands that go together, below one name: `federation sign`. */
export interface CliCommandGroup extends Omit<CliCommand, 'run'> {
  readonly commands: readonly CliCommand[];
}

/** The options of one command, as parsed: by their names in camel case. */
export type CliOptions = Readonly<Record<string, unknown>>;

/** A mistake in the command line that the parser of options cannot see; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
