import { resolve } from 'node:path';
import { type CliCommand, UsageError } from '../../terminal/command.js';
import { exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';

const help = `
Everything is verified: the form, every signature and every digest, the Merkle root,
revocations and times. The policy says whose signatures count; it never comes from where
the bundle comes from.

Examples:
  $ gg-svc federation verify index.bundle.json --trust trust.json
  $ gg-svc federation verify https://api.example.com/federation/bundle --trust trust.json
  $ gg-svc federation verify old.bundle.json --trust trust.json --at 2026-03-01T12:00:00Z`;

/** `gg-svc federation verify`: verifies a signed bundle. */
export const verifyCommand: CliCommand = {
  usage: 'verify <bundle>',
  summary: 'verify a signed bundle, from a file or a URL',
  define: (command) => {
    command
      .requiredOption('--trust <policy>', 'the file that says whose signatures count')
      .option('--at <time>', 'the time as of which it is verified; now unless given')
      .addHelpText('after', help);
  },
  async run([bundle = ''], options, io) {
    const { parseTime } = await import('../../../federation/time.js');
    const { readFederationFile } = await import('../../../federation/node/read-federation-file.js');
    const { verifyFederationBundle } = await import('../../../federation/node/verify-federation-bundle.js');
    const { reportFindings } = await import('../../terminal/report-findings.js');
    const { count } = await import('../../terminal/count.js');
    const at = readText(options, 'at');
    const now = at === undefined ? Date.now() : parseTime(at);
    if (now === undefined) throw new UsageError(`--at takes a time such as 2026-03-01T12:00:00Z, not ${at}.`);

    const trust = String(options.trust);
    const locationOf = (path: string) => (/^https?:/i.test(path) ? path : resolve(io.directory, path));
    const policy = await readFederationFile(resolve(io.directory, trust), trust);
    const reading = await readFederationFile(locationOf(bundle), bundle);
    if (!policy.ok || !reading.ok) {
      reportFindings(
        [policy, reading].flatMap((read) => (read.ok ? [] : [read.problem])).slice(0, 1),
        [],
        io,
      );
      return exitCodes.findings;
    }
    const found = await verifyFederationBundle(reading.bytes, policy.bytes, {
      name: bundle,
      policyName: trust,
      now: new Date(now),
    });
    if (!found.ok) {
      reportFindings(found.diagnostics, [], io);
      return exitCodes.findings;
    }
    const { snapshot, chains, routes } = found;
    io.stdout(
      `${bundle} holds: epoch ${snapshot.epoch} of ${snapshot.generatedAt}, signed by ${snapshot.signer}; ` +
        `${count(chains.length, 'chain')}, ${count(routes.length, 'route')}, ` +
        `${count(snapshot.revocationCount, 'revocation')}\n`,
    );
    return exitCodes.fine;
  },
};
