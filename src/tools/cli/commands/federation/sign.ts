import { appendTo } from '../../../../compiler/graph/maps.js';
import { type FederationRole, federationRoles } from '../../../../federation/bundle.js';
import { sha256 } from '../../../../federation/node/node-crypto.js';
import { type FederationSigner, signIndex } from '../../../../federation/sign-index.js';
import { replaceFile } from '../../files/write-files.js';
import { type CliCommand, repeatable, required } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { orFail } from '../../terminal/failure.js';
import { type CliIo, exitCodes } from '../../terminal/io.js';
import { readChoice } from '../../terminal/option-values.js';
import { readInput, readSigner } from './input-files.js';

export const command: CliCommand = {
  options: {
    '-k, --key <key>': (flags) => repeatable('key file, or <role>=<file>; repeatable')(flags).makeOptionMandatory(),
    '-o, --out <file>': required('output file'),
  },
  async run([index = ''], options, io) {
    const signers = await readSigners(options.key as readonly string[], io);
    const bytes = await readInput(index, io);
    const { text, bundle } = orFail(signIndex(bytes, { name: index, signers, now: Date.now(), sha256 }));

    const out = String(options.out);
    await replaceFile(out, text, io);
    const { chains, routes, revocations, snapshot } = bundle;
    io.stdout(
      `wrote ${out}: epoch ${snapshot.epoch}, ${count(chains.length, 'chain')}, ` +
        `${count(routes.length, 'route')}, ${count(revocations.length, 'revocation')}\n${snapshot.digest}\n`,
    );
    return exitCodes.fine;
  },
};

/** Reads the key files. Keys without a role are used for the roles that have no key. */
async function readSigners(given: readonly string[], io: CliIo) {
  const byRole = new Map<FederationRole, FederationSigner[]>();
  const withoutRole: FederationSigner[] = [];
  for (const key of given) {
    const [, role, file] = /^(?:([a-z]+)=)?(.*)$/s.exec(key) ?? [];
    const known = role && readChoice(role, 'The role of --key', federationRoles);
    const signer = await readSigner(file ?? '', io);
    if (!known) withoutRole.push(signer);
    else appendTo(byRole, known, signer);
  }
  for (const role of federationRoles) if (!byRole.has(role)) byRole.set(role, withoutRole);
  return byRole;
}
