import { createPublicKey, type KeyObject } from 'node:crypto';
import type { FederationBundle, FederationRole } from '../../../src/federation/bundle.js';
import { fromBase64Url, preimage, toBase64Url } from '../../../src/federation/encoding.js';
import { createSigner, importKey, publicKeyOf, sha256 } from '../../../src/federation/node/node-crypto.js';
import { signIndex } from '../../../src/federation/sign-index.js';
import { fingerprintOf, readTrustPolicy, type Trust } from '../../../src/federation/trust-policy.js';

/** One signature, as a program that knows nothing else would verify it. */
export interface BareSignature {
  readonly message: Uint8Array;
  readonly key: KeyObject;
  readonly signature: Uint8Array;
}

/** A bundle with what it takes to verify it, in full and bare. */
export interface BenchInputs {
  readonly bytes: Uint8Array;
  readonly trust: Trust;
  readonly now: number;
  readonly signatures: readonly BareSignature[];
  /** The ends of every route. */
  readonly ways: readonly (readonly [string, string])[];
}

/** Makes a bundle: half of the records are chains, half are routes over three of them. */
export function makeInputs(records: number): BenchInputs {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const seed = new Uint8Array(32).fill(7);
  const publicKey = publicKeyOf(seed);
  const issuer = `bench#${fingerprintOf(publicKey, sha256)}`;
  const roles: readonly FederationRole[] = ['snapshot', 'chain', 'witness', 'route', 'revocation'];
  const policy = {
    format: 'gg-federation-trust/v1',
    keys: [{ issuer, publicKey: `ed25519:${toBase64Url(publicKey)}` }],
    roles: Object.fromEntries(roles.map((role) => [role, { issuers: [issuer], threshold: 1 }])),
  };
  const reading = readTrustPolicy(Buffer.from(JSON.stringify(policy)), 'policy', { sha256, importKey });
  if (!reading.ok) throw new Error(reading.problem.message);
  const signers = new Map(roles.map((role) => [role, [createSigner(issuer, seed)]]));
  const index = JSON.stringify(makeIndex(records / 2));
  const signing = signIndex(Buffer.from(index), { name: 'index', signers, now, sha256 });
  if (!signing.ok) throw new Error(signing.problem.message);
  const { bundle, text } = signing;
  return {
    bytes: Buffer.from(text),
    trust: reading.trust,
    now,
    signatures: bareSignatures(bundle, publicKey),
    ways: bundle.routes.map(({ fromChainId, toChainId }) => [fromChainId, toChainId]),
  };
}

function makeIndex(chains: number): unknown {
  const id = (at: number): string => `chain-${String(at % chains).padStart(6, '0')}`;
  const hop = (at: number) => ({ chainId: id(at), endpoint: `https://${id(at)}.example/ingress` });
  const numbers = Array.from({ length: chains }, (_, at) => at);
  return {
    epoch: 1,
    chains: numbers.map((at) => ({
      chainId: id(at),
      ingressEndpoints: [
        { transport: 'https', url: `https://${id(at)}.example/ingress`, priority: 0, region: 'eu-west' },
      ],
      capabilities: ['read', 'write'],
      expiresAt: '2026-04-01T00:00:00Z',
      witnessHead: { witnessId: 'witness', head: `head-${at}`, epoch: at },
    })),
    routes: numbers.map((at) => ({
      expiresAt: '2026-04-01T00:00:00Z',
      hops: [hop(at), hop(at + 1), hop(at + 2)],
    })),
  };
}

/** Every signature of a bundle with the bytes that it covers. */
function bareSignatures(bundle: FederationBundle, publicKey: Uint8Array): BareSignature[] {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) },
    format: 'jwk',
  });
  const bare = (message: Uint8Array, text: string): BareSignature => ({
    message,
    key,
    signature: fromBase64Url(text.slice('ed25519:'.length)) as Uint8Array,
  });
  const { signatures, ...header } = bundle.snapshot;
  return [
    ...signatures.map(({ signature }) => bare(preimage('snapshot', header), signature)),
    ...bundle.chains.flatMap(({ witnessHead, signatures: list, ...content }) => {
      const { digest: _, signature, ...witness } = witnessHead;
      return [
        ...list.map((one) => bare(preimage('chain', content), one.signature)),
        bare(preimage('witness-head', { ...witness, chainId: content.chainId }), signature),
      ];
    }),
    ...bundle.routes.flatMap(({ digest: _, signatures: list, ...content }) =>
      list.map((one) => bare(preimage('route', content), one.signature)),
    ),
  ];
}
