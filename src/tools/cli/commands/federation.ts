import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isWebUrl } from '../../../base/source/parse-url.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import {
  type FederationBundle,
  type FederationRole,
  federationRoles,
  federationShapes,
} from '../../../federation/bundle.js';
import { fromBase64Url, toBase64Url } from '../../../federation/encoding.js';
import { createSigner, generateKey, publicKeyOf, sha256 } from '../../../federation/node/node-crypto.js';
import {
  readFederationFile,
  readTrust,
  verifyFederationBundle,
} from '../../../federation/node/verify-federation-bundle.js';
import { readBundle } from '../../../federation/read-bundle.js';
import { checked } from '../../../federation/refusal.js';
import { type FederationSigner, readKey, signIndex } from '../../../federation/sign-index.js';
import { parseTime } from '../../../federation/time.js';
import { type FederationTrustPolicy, fingerprintOf } from '../../../federation/trust-policy.js';
import { createFiles, replaceFile } from '../files/write-files.js';
import { type CliCommand, CommandFailure, repeatable, required, UsageError } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { failure, orFail } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readChoice, readText } from '../terminal/option-values.js';

/** The commands of `gg-svc federation`. */
export const commands = {
  keygen: {
    options: {
      '--name <name>': required('name of the key owner, the first part of the issuer'),
      '-o, --out <file>': required('key file to create; existing files are not overwritten'),
      '--trust <policy>': 'trust policy to add the public key to',
      '--roles <roles>': 'comma-separated roles of the key in the policy (default: all)',
    },
    async run(_operands, options, io) {
      const name = String(options.name);
      if (federationShapes.issuer.accepts?.(`${name}#0000000000000000`) !== true)
        throw new UsageError(`--name must be up to 64 letters, digits and . _ -, not ${name}.`);
      const known: readonly string[] = federationRoles;
      const roles = readText(options, 'roles')?.split(',') ?? known;
      const unknown = roles.find((role) => !known.includes(role));
      if (unknown !== undefined)
        throw new UsageError(`--roles must be among ${federationRoles.join(', ')}, not ${unknown}.`);
      const key = formatKeyFile(name, generateKey());
      const out = String(options.out);
      const policy = readText(options, 'trust');
      // The new policy is validated before the key is written, so that an invalid policy creates no files.
      const text = policy === undefined ? undefined : await addKey(policy, key, roles as readonly FederationRole[], io);
      await createFiles(dirname(out), { [basename(out)]: key.text }, io, 0o600);
      io.stdout(`wrote ${out}\n`);
      if (policy !== undefined && text !== undefined) {
        await replaceFile(policy, text, io);
        io.stdout(`added to ${policy} for ${roles.join(', ')}\n`);
      }
      io.stdout(`issuer      ${key.issuer}\npublic key  ${key.publicKey}\n`);
      return exitCodes.fine;
    },
  },
  sign: {
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
  },
  verify: {
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
  },
  show: {
    options: { '--json': 'print indented JSON' },
    async run([name = ''], options, io) {
      const bytes = await readInput(name, io, true);
      const { bundle } = orFail(checked(() => readBundle(bytes, name)));
      io.stdout(options.json === true ? `${JSON.stringify(bundle, null, 2)}\n` : describeBundle(bundle));
      return exitCodes.fine;
    },
  },
} satisfies Readonly<Record<string, CliCommand>>;

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

/** Reads a file, or also a URL where `mayBeUrl` is set. Keys and trust policies never come from a URL. */
async function readInput(name: string, io: CliIo, mayBeUrl = false): Promise<Uint8Array> {
  const location = mayBeUrl && isWebUrl(name) ? name : resolve(io.directory, name);
  return orFail(await readFederationFile(location, name)).bytes;
}

/** The text of a key file, and the public part of it. */
function formatKeyFile(name: string, key: { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array }) {
  const issuer = `${name}#${fingerprintOf(key.publicKey, sha256)}`;
  const publicKey = `ed25519:${toBase64Url(key.publicKey)}`;
  const privateKey = `ed25519:${toBase64Url(key.privateKey)}`;
  const content = { format: 'gg-federation-key/v1', issuer, publicKey, privateKey };
  return { issuer, publicKey, text: `${JSON.stringify(content, null, 2)}\n` };
}

/** Reads a key file. @throws {CommandFailure} GG6027 when its parts do not belong together. */
async function readSigner(file: string, io: CliIo): Promise<FederationSigner> {
  const { issuer, publicKey, privateKey } = orFail(readKey(await readInput(file, io), file)).key;
  const refuse = (reason: string) => failure('GG6027', { reason }, file);
  const seed = fromBase64Url(privateKey.slice('ed25519:'.length));
  if (seed === undefined) throw refuse('its private key is not base64url of 32 bytes');
  const key = { privateKey: seed, publicKey: publicKeyOf(seed) };
  const expected = formatKeyFile(issuer.replace(/#.*$/, ''), key);
  if (expected.publicKey !== publicKey) throw refuse('its public key does not belong to its private key');
  if (expected.issuer !== issuer) throw refuse(`its issuer must be ${expected.issuer}`);
  return createSigner(issuer, seed);
}
