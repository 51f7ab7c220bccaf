import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from '../../../diagnostics/diagnostic.js';
import type { FederationRole } from '../../../federation/bundle.js';
import { readFederationFile } from '../../../federation/node/read-federation-file.js';
import { readTrust } from '../../../federation/node/verify-federation-bundle.js';
import type { FederationTrustPolicy } from '../../../federation/trust-policy.js';
import { writeArtifacts } from '../../files/write-files.js';
import type { CliIo } from '../../terminal/io.js';
import type { KeyText } from './key-text.js';

/** A trust policy with one key more, not written yet; or why it cannot have it. */
export type EnteredKey =
  | {
      readonly ok: true;
      /** Writes the policy; gives what kept it from that. */
      readonly write: () => Promise<Diagnostic | undefined>;
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Enters a key into a trust policy, for some roles. A policy that is not there is begun; one that is there keeps
 * whatever it says. It has to be sound, before and after.
 */
export async function enterKey(
  policy: string,
  key: KeyText,
  roles: readonly FederationRole[],
  io: CliIo,
): Promise<EnteredKey> {
  const location = resolve(io.directory, policy);
  const reading = await readFederationFile(location, policy);
  if (!reading.ok && reading.problem.code !== 'GG4001') return reading;
  if (reading.ok) {
    const sound = await readTrust(reading.bytes, policy);
    if (!sound.ok) return sound;
  }
  const before: FederationTrustPolicy | undefined = reading.ok
    ? JSON.parse(Buffer.from(reading.bytes).toString())
    : undefined;
  const after = withKey(before, key, roles);
  const text = `${JSON.stringify(after, null, 2)}\n`;
  const sound = await readTrust(Buffer.from(text), policy);
  if (!sound.ok) return sound;
  return {
    ok: true,
    async write() {
      const outcome = await writeArtifacts(dirname(location), dirname(policy), { [basename(policy)]: text });
      return outcome.ok ? undefined : outcome.diagnostic;
    },
  };
}

function withKey(
  policy: FederationTrustPolicy | undefined,
  { issuer, publicKey }: KeyText,
  roles: readonly FederationRole[],
): FederationTrustPolicy {
  const entries = roles.map((role) => {
    const { issuers = [], threshold = 1 } = policy?.roles[role] ?? {};
    return [role, { issuers: [...issuers, issuer], threshold }] as const;
  });
  return {
    format: 'gg-federation-trust/v1',
    ...policy,
    keys: [...(policy?.keys ?? []), { issuer, publicKey }],
    roles: { ...policy?.roles, ...Object.fromEntries(entries) },
  };
}
