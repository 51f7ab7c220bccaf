import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from '../../../diagnostics/diagnostic.js';
import { type FederationRole, federationRoles } from '../../../federation/bundle.js';
import type { FederationSigner } from '../../../federation/sign-index.js';
import { type CliCommand, UsageError } from '../../terminal/command.js';
import { type CliIo, exitCodes } from '../../terminal/io.js';

const help = `
The index is plain JSON; docs/federation.md shows one. Digests, counts, the order of the
records and the Merkle root are computed. The time is now unless the index says generatedAt.

A key without a role signs everything. Where a role has several keys, all of them sign; a
witness head is signed by the first of them.

Examples:
  $ gg-svc federation sign index.json --key alder.key.json -o index.bundle.json
  $ gg-svc federation sign index.json --key index.key.json --key witness=w.key.json -o index.bundle.json`;

/** `gg-svc federation sign`: makes a signed bundle of a plain index. */
export const signCommand: CliCommand = {
  usage: 'sign <index>',
  summary: 'make a signed bundle of a plain index',
  define: (command) => {
    command
      .requiredOption(
        '-k, --key <key>',
        'a key file, or <role>=<file>; may be given several times',
        (value: string, before: readonly string[] = []) => [...before, value],
      )
      .requiredOption('-o, --out <file>', 'where to write the bundle')
      .addHelpText('after', help);
  },
  async run([index = ''], options, io) {
    const { readFederationFile } = await import('../../../federation/node/read-federation-file.js');
    const { reportFindings } = await import('../../terminal/report-findings.js');
    const { signIndex } = await import('../../../federation/sign-index.js');
    const { sha256 } = await import('../../../federation/node/node-crypto.js');
    const { writeArtifacts } = await import('../../files/write-files.js');
    const { count } = await import('../../terminal/count.js');
    const fail = (problem: Diagnostic): number => {
      reportFindings([problem], [], io);
      return exitCodes.findings;
    };

    const signers = await readSigners(options.key as readonly string[], io);
    if (!signers.ok) return fail(signers.problem);
    const reading = await readFederationFile(resolve(io.directory, index), index);
    if (!reading.ok) return fail(reading.problem);
    const signing = signIndex(reading.bytes, {
      name: index,
      signers: signers.byRole,
      now: Date.now(),
      sha256,
    });
    if (!signing.ok) return fail(signing.problem);

    const out = String(options.out);
    const location = resolve(io.directory, out);
    const outcome = await writeArtifacts(dirname(location), dirname(out), { [basename(out)]: signing.text });
    if (!outcome.ok) return fail(outcome.diagnostic);
    const { chains, routes, revocations, snapshot } = signing.bundle;
    io.stdout(
      `wrote ${out}: epoch ${snapshot.epoch}, ${count(chains.length, 'chain')}, ` +
        `${count(routes.length, 'route')}, ${count(revocations.length, 'revocation')}\n${snapshot.digest}\n`,
    );
    return exitCodes.fine;
  },
};

type Signers =
  | { readonly ok: true; readonly byRole: ReadonlyMap<FederationRole, readonly FederationSigner[]> }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Reads the keys. One with a role signs that; one without signs what no other key was given for. */
async function readSigners(given: readonly string[], io: CliIo): Promise<Signers> {
  const { readSigner } = await import('./read-signer.js');
  const byRole = new Map<FederationRole, FederationSigner[]>();
  const forAll: FederationSigner[] = [];
  for (const key of given) {
    const [, role, file] = /^(?:([a-z]+)=)?(.*)$/s.exec(key) ?? [];
    if (role !== undefined && !isRole(role)) {
      throw new UsageError(`--key takes a role of ${federationRoles.join(', ')}, not ${role}.`);
    }
    const reading = await readSigner(file ?? '', io);
    if (!reading.ok) return reading;
    if (role === undefined) forAll.push(reading.signer);
    else byRole.set(role, [...(byRole.get(role) ?? []), reading.signer]);
  }
  for (const role of federationRoles) if (!byRole.has(role)) byRole.set(role, forAll);
  return { ok: true, byRole };
}

function isRole(text: string): text is FederationRole {
  return federationRoles.some((role) => role === text);
}
