import { appendTo } from '../../../../compiler/graph/maps.js';
import { type FederationRole, federationRoles } from '../../../../federation/bundle.js';
import { sha256 } from '../../../../federation/node/node-crypto.js';
import { type FederationSigner, signIndex } from '../../../../federation/sign-index.js';
import { replaceFile } from '../../files/write-files.js';
import { type CliCommand, CommandFailure, UsageError } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { type CliIo, exitCodes } from '../../terminal/io.js';
import { collect } from '../../terminal/option-values.js';
import { readSigner } from './key-file.js';
import { readInput } from './read-input.js';

const help = `
The index is a JSON file; docs/federation.md has an example. Digests, counts, the record
order and the Merkle root are computed. The time is now unless the index has generatedAt.

A key without a role signs every record that has no key of its own. Several keys for one role
all sign; the first of them signs the witness heads.

Examples:
  $ gg-svc federation sign index.json --key alder.key.json -o index.bundle.json
  $ gg-svc federation sign index.json --key index.key.json --key witness=w.key.json -o index.bundle.json`;

export const command: CliCommand = {
  define: (command) => {
    command
      .requiredOption('-k, --key <key>', 'key file, or <role>=<file>; repeatable', collect)
      .requiredOption('-o, --out <file>', 'output file')
      .addHelpText('after', help);
  },
  async run([index = ''], options, io) {
    const signers = await readSigners(options.key as readonly string[], io);
    const bytes = await readInput(index, io);
    const signing = signIndex(bytes, { name: index, signers, now: Date.now(), sha256 });
    if (!signing.ok) throw new CommandFailure([signing.problem]);

    const out = String(options.out);
    await replaceFile(out, signing.text, io);
    const { chains, routes, revocations, snapshot } = signing.bundle;
    io.stdout(
      `wrote ${out}: epoch ${snapshot.epoch}, ${count(chains.length, 'chain')}, ` +
        `${count(routes.length, 'route')}, ${count(revocations.length, 'revocation')}\n${snapshot.digest}\n`,
    );
    return exitCodes.fine;
  },
};

/** Reads the key files. Keys without a role are used for the roles that have no key. */
async function readSigners(
  given: readonly string[],
  io: CliIo,
): Promise<ReadonlyMap<FederationRole, readonly FederationSigner[]>> {
  const byRole = new Map<FederationRole, FederationSigner[]>();
  const withoutRole: FederationSigner[] = [];
  for (const key of given) {
    const [, role, file] = /^(?:([a-z]+)=)?(.*)$/s.exec(key) ?? [];
    if (role !== undefined && !isRole(role)) {
      throw new UsageError(`The role of --key must be one of ${federationRoles.join(', ')}, not ${role}.`);
    }
    const signer = await readSigner(file ?? '', io);
    if (role === undefined) withoutRole.push(signer);
    else appendTo(byRole, role, signer);
  }
  for (const role of federationRoles) if (!byRole.has(role)) byRole.set(role, withoutRole);
  return byRole;
}

function isRole(text: string): text is FederationRole {
  return federationRoles.some((role) => role === text);
}
