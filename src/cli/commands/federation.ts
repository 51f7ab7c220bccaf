import type { CliCommandGroup } from '../terminal/command.js';
import { keygenCommand } from './federation/keygen.js';
import { showCommand } from './federation/show.js';
import { signCommand } from './federation/sign.js';
import { verifyCommand } from './federation/verify.js';

const help = `
A federation index is a list of chains and of the routes between them. Its owner writes it
as plain JSON and signs it; servers answer from the signed bundle, and anybody can verify it.

Examples:
  $ gg-svc federation keygen --name alder -o alder.key.json --trust trust.json
  $ gg-svc federation sign index.json --key alder.key.json -o index.bundle.json
  $ gg-svc federation verify index.bundle.json --trust trust.json
  $ gg-svc federation show index.bundle.json
  $ gg-svc serve service.gg --federation index.bundle.json --trust trust.json`;

/** `gg-svc federation`: makes and checks signed bundles. */
export const federationCommand: CliCommandGroup = {
  usage: 'federation',
  summary: 'make and check signed bundles of a federation',
  define: (command) => {
    command.addHelpText('after', help);
  },
  commands: [keygenCommand, signCommand, verifyCommand, showCommand],
};
