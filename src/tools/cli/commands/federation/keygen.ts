import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type FederationRole, federationRoles, federationShapes } from '../../../../federation/bundle.js';
import { generateKey } from '../../../../federation/node/node-crypto.js';
import { readTrust } from '../../../../federation/node/verify-federation-bundle.js';
import type { FederationTrustPolicy } from '../../../../federation/trust-policy.js';
import { createFiles, replaceFile } from '../../files/write-files.js';
import { type CliCommand, required, UsageError } from '../../terminal/command.js';
import { orFail } from '../../terminal/failure.js';
import { type CliIo, exitCodes } from '../../terminal/io.js';
import { readText } from '../../terminal/option-values.js';
import { formatKeyFile, readInput } from './input-files.js';

export const command: CliCommand = {
  options: {
    '--name <name>': required('name of the key owner, the first part of the issuer'),
    '-o, --out <file>': required('key file to create; existing files are not overwritten'),
    '--trust <policy>': 'trust policy to add the public key to',
    '--roles <roles>': 'comma-separated roles of the key in the policy (default: all)',
  },
  async run(_operands, options, io) {
    const name = String(options.name);
    if (federationShapes.issuer.accepts?.(`${name}#0000000000000000`) !== true) {
      throw new UsageError(`--name must be up to 64 letters, digits and . _ -, not ${name}.`);
    }
    const roles = readText(options, 'roles')?.split(',') ?? [...federationRoles];
    const unknown = roles.find((role) => !federationRoles.some((known) => known === role));
    if (unknown !== undefined) {
      throw new UsageError(`--roles must be among ${federationRoles.join(', ')}, not ${unknown}.`);
    }
    const key = formatKeyFile(name, generateKey());
    const out = String(options.out);
    const policy = readText(options, 'trust');
    // The new policy is validated before the key is written, so that an invalid policy creates no files.
    const text = policy === undefined ? undefined : await addKey(policy, key, roles as FederationRole[], io);
    await createFiles(dirname(out), { [basename(out)]: key.text }, io, 0o600);
    io.stdout(`wrote ${out}\n`);
    if (policy !== undefined && text !== undefined) {
      await replaceFile(policy, text, io);
      io.stdout(`added to ${policy} for ${roles.join(', ')}\n`);
    }
    io.stdout(`issuer      ${key.issuer}\npublic key  ${key.publicKey}\n`);
    return exitCodes.fine;
  },
};

/**
 * The text of a trust policy after adding a key. Creates the policy if the file is missing; everything else in
 * an existing one stays.
 */
async function addKey(
  policy: string,
  { issuer, publicKey }: ReturnType<typeof formatKeyFile>,
  roles: readonly FederationRole[],
  io: CliIo,
): Promise<string> {
  const validate = async (bytes: Uint8Array) => orFail(await readTrust(bytes, policy));
  let before: FederationTrustPolicy | undefined;
  if (existsSync(resolve(io.directory, policy))) {
    const bytes = await readInput(policy, io);
    await validate(bytes);
    before = JSON.parse(Buffer.from(bytes).toString());
  }
  const entries = roles.map((role) => {
    const { issuers = [], threshold = 1 } = before?.roles[role] ?? {};
    return [role, { issuers: [...issuers, issuer], threshold }] as const;
  });
  const after: FederationTrustPolicy = {
    format: 'gg-federation-trust/v1',
    ...before,
    keys: [...(before?.keys ?? []), { issuer, publicKey }],
    roles: { ...before?.roles, ...Object.fromEntries(entries) },
  };
  const text = `${JSON.stringify(after, null, 2)}\n`;
  await validate(Buffer.from(text));
  return text;
}
