import type { CliCommand } from './command.js';
import { buildCommand } from './commands/build.js';
import { checkCommand } from './commands/check.js';
import { explainCommand } from './commands/explain.js';
import { serveCommand } from './commands/serve.js';

/** The registry of commands, in the order in which help lists them. */
export const commands: readonly CliCommand[] = [buildCommand, checkCommand, serveCommand, explainCommand];
