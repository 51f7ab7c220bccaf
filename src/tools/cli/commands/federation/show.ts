import type { FederationBundle } from '../../../../federation/bundle.js';
import { readBundle } from '../../../../federation/read-bundle.js';
import { checked } from '../../../../federation/refusal.js';
import type { CliCommand } from '../../terminal/command.js';
import { count } from '../../terminal/count.js';
import { orFail } from '../../terminal/failure.js';
import { exitCodes } from '../../terminal/io.js';
import { readInput } from './input-files.js';

export const command: CliCommand = {
  options: { '--json': 'print indented JSON' },
  async run([name = ''], options, io) {
    const bytes = await readInput(name, io, true);
    const { bundle } = orFail(checked(() => readBundle(bytes, name)));
    io.stdout(options.json === true ? `${JSON.stringify(bundle, null, 2)}\n` : describeBundle(bundle));
    return exitCodes.fine;
  },
};

function describeBundle({ snapshot, chains, routes, revocations }: FederationBundle): string {
  const signers = (signatures: readonly { readonly issuer: string }[]): string =>
    signatures.map(({ issuer }) => issuer).join(', ');
  return [
    `epoch ${snapshot.epoch}, index ${snapshot.index}, generated at ${snapshot.generatedAt}`,
    `  digest ${snapshot.digest}`,
    `  signed by ${signers(snapshot.signatures)}; ${count(snapshot.mirrors.length, 'mirror')}`,
    ...chains.flatMap(({ chainId, expiresAt, ingressEndpoints, witnessHead, signatures }) => [
      `chain ${chainId}, expires at ${expiresAt}, signed by ${signers(signatures)}`,
      ...ingressEndpoints.map(({ url, region, priority }) => `  ${url} (${region}, priority ${priority})`),
      `  head ${witnessHead.head}, epoch ${witnessHead.epoch}, witnessed by ${witnessHead.issuer} at ${witnessHead.issuedAt}`,
    ]),
    ...routes.map(
      ({ hops, expiresAt, signatures }) =>
        `route ${hops.map(({ chainId }) => chainId).join(' → ')}, expires at ${expiresAt}, signed by ${signers(signatures)}`,
    ),
    ...revocations.map(
      ({ kind, subject, reason, revokedAt }) => `revoked ${kind} ${subject} at ${revokedAt}: ${reason}`,
    ),
    '',
  ].join('\n');
}
