import { verifyFederationBundle } from '../../../../federation/node/verify-federation-bundle.js';
import { parseTime } from '../../../../federation/time.js';
import { type CliCommand, CommandFailure, required, UsageError } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';
import { readInput } from './input-files.js';

export const command: CliCommand = {
  options: {
    '--trust <policy>': required('trust policy: the issuers whose signatures are accepted'),
    '--at <time>': 'time of the verification (default: now)',
  },
  async run([bundle = ''], options, io) {
    const at = readText(options, 'at');
    const now = at === undefined ? Date.now() : parseTime(at);
    if (now === undefined) throw new UsageError(`--at must be a time such as 2026-03-01T12:00:00Z, not ${at}.`);

    const trust = String(options.trust);
    const policy = await readInput(trust, io);
    const found = await verifyFederationBundle(await readInput(bundle, io, true), policy, {
      name: bundle,
      policyName: trust,
      now: new Date(now),
    });
    if (!found.ok) throw new CommandFailure(found.diagnostics);
    const { snapshot, chains, routes } = found;
    io.stdout(
      `${bundle} is valid: epoch ${snapshot.epoch} of ${snapshot.generatedAt}, signed by ${snapshot.signer}; ` +
        `${count(chains.length, 'chain')}, ${count(routes.length, 'route')}, ` +
        `${count(snapshot.revocationCount, 'revocation')}\n`,
    );
    return exitCodes.fine;
  },
};
