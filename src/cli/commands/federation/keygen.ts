import { resolve } from 'node:path';
import type { FederationRole } from '../../../federation/bundle.js';
import { type CliCommand, UsageError } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';

const help = `
The file holds the private key; keep it where nobody else reads it. What others need is the
line with the public key. With --trust it is entered into a trust policy, which is made when
it is not there.

Roles are snapshot, chain, witness, route and revocation: what the key may sign.

Examples:
  $ gg-svc federation keygen --name alder -o alder.key.json
  $ gg-svc federation keygen --name index -o index.key.json --trust trust.json
  $ gg-svc federation keygen --name alder -o alder.key.json --trust trust.json --roles chain,route`;

/** `gg-svc federation keygen`: makes a key. */
export const keygenCommand: CliCommand = {
  usage: 'keygen',
  summary: 'make a key to sign with',
  define: (command) => {
    command
      .requiredOption('--name <name>', 'the name of its owner, the first part of its issuer')
      .requiredOption('-o, --out <file>', 'where to write the key; a file that is there stays')
      .option('--trust <policy>', 'the trust policy that the public key is entered into')
      .option('--roles <roles>', 'what it may sign there, separated by commas; everything unless given')
      .addHelpText('after', help);
  },
  async run(_operands, options, io) {
    const { federationRoles, federationShapes } = await import('../../../federation/bundle.js');
    const { formatKeyFile } = await import('./key-text.js');
    const name = String(options.name);
    if (federationShapes.issuer(`${name}#0000000000000000`) !== undefined) {
      throw new UsageError(`--name takes up to 64 letters, digits and . _ -, not ${name}.`);
    }
    const roles = readText(options, 'roles')?.split(',') ?? [...federationRoles];
    const unknown = roles.find((role) => !federationRoles.some((known) => known === role));
    if (unknown !== undefined) {
      throw new UsageError(`--roles takes ${federationRoles.join(', ')}, not ${unknown}.`);
    }
    const { writeNewFile } = await import('./files.js');
    const { generateKey } = await import('../../../federation/node/node-crypto.js');
    const { reportFindings } = await import('../../terminal/report-findings.js');
    const key = formatKeyFile(name, generateKey());
    const out = String(options.out);
    const policy = readText(options, 'trust');
    const entered =
      policy === undefined
        ? undefined
        : await (await import('./enter-key.js')).enterKey(policy, key, roles as FederationRole[], io);
    if (entered?.ok === false) {
      reportFindings([entered.problem], [], io);
      return exitCodes.findings;
    }
    const problem = await writeNewFile(resolve(io.directory, out), out, key.text);
    if (problem !== undefined) {
      reportFindings([problem], [], io);
      return exitCodes.findings;
    }
    io.stdout(`wrote ${out}\n`);
    const left = await entered?.write();
    if (left !== undefined) {
      reportFindings([left], [], io);
      return exitCodes.findings;
    }
    if (policy !== undefined) io.stdout(`entered into ${policy} as ${roles.join(', ')}\n`);
    io.stdout(`issuer      ${key.issuer}\npublic key  ${key.publicKey}\n`);
    return exitCodes.fine;
  },
};
