import type { CliCommandGroup } from '../terminal/command.js';
import { keygenCommand } from './federation/keygen.js';
import { showCommand } from './federation/show.js';
import { signCommand } from './federation/sign.js';
import { verifyCommand } from './federation/verify.js';

const help = `
A federation index lists chains and the routes between them. Its owner writes it as JSON and
signs it. Servers answer from the signed bundle, and clients can verify it.

Examples:
  $ gg-svc federation keygen --name alder -o alder.key.json --trust trust.json
  $ gg-svc federation sign index.json --key alder.key.json -o index.bundle.json
  $ gg-svc federation verify index.bundle.json --trust trust.json
  $ gg-svc federation show index.bundle.json
  $ gg-svc serve service.gg --federation index.bundle.json --trust trust.json`;

/** `gg-svc federation`: creates and verifies signed bundles. */
export const federationCommand: CliCommandGroup = {
  usage: 'federation',
  summary: 'create and verify signed federation bundles',
  define: (command) => {
    command.addHelpText('after', help);
  },
  commands: [keygenCommand, signCommand, verifyCommand, showCommand],
};
