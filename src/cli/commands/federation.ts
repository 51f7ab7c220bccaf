import type { CliCommandGroup } from '../terminal/command.js';

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
  help,
  commands: [
    {
      usage: 'keygen',
      summary: 'create a signing key',
      load: async () => (await import('./federation/keygen.js')).keygenCommand,
    },
    {
      usage: 'sign <index>',
      summary: 'sign an index, giving a bundle',
      load: async () => (await import('./federation/sign.js')).signCommand,
    },
    {
      usage: 'verify <bundle>',
      summary: 'verify a signed bundle, from a file or a URL',
      load: async () => (await import('./federation/verify.js')).verifyCommand,
    },
    {
      usage: 'show <bundle>',
      summary: 'print a signed bundle, without verifying it',
      load: async () => (await import('./federation/show.js')).showCommand,
    },
  ],
};
