import { buildCommand } from './commands/build.js';
import { checkCommand } from './commands/check.js';
import { devCommand } from './commands/dev.js';
import { diffCommand } from './commands/diff.js';
import { explainCommand } from './commands/explain.js';
import { federationCommand } from './commands/federation.js';
import { fmtCommand } from './commands/fmt.js';
import { graphCommand } from './commands/graph.js';
import { initCommand } from './commands/init.js';
import { lspCommand } from './commands/lsp.js';
import { serveCommand } from './commands/serve.js';
import { typesCommand } from './commands/types.js';
import type { CliCommand, CliCommandGroup } from './terminal/command.js';

/** The registry of commands, in the order in which help lists them. */
export const commands: readonly (CliCommand | CliCommandGroup)[] = [
  initCommand,
  buildCommand,
  checkCommand,
  serveCommand,
  devCommand,
  typesCommand,
  fmtCommand,
  graphCommand,
  diffCommand,
  federationCommand,
  lspCommand,
  explainCommand,
];
