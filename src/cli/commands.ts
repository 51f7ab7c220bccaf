import type { CliCommand } from './command.js';
import { buildCommand } from './commands/build.js';
import { checkCommand } from './commands/check.js';
import { diffCommand } from './commands/diff.js';
import { explainCommand } from './commands/explain.js';
import { fmtCommand } from './commands/fmt.js';
import { serveCommand } from './commands/serve.js';
import { typesCommand } from './commands/types.js';

/** The registry of commands, in the order in which help lists them. */
export const commands: readonly CliCommand[] = [
  buildCommand,
  checkCommand,
  serveCommand,
  typesCommand,
  fmtCommand,
  diffCommand,
  explainCommand,
];
