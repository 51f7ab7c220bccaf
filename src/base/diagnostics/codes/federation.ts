import { define } from './define.js';

/** `GG6xxx`: a federation bundle, its trust policy or a path proof does not verify. */
export const federationCodes = {
  GG6001: define<{ what: string; size: number; limit: number }>({
    severity: 'error',
    name: 'federation-too-large',
    message: ({ what, size, limit }) => `The bundle has ${size} ${what}; the limit is ${limit}.`,
    hint: () => 'Split the index into several.',
  }),
  GG6002: define<{ reason: string }>({
    severity: 'error',
    name: 'federation-not-json',
    message: ({ reason }) => `Invalid JSON: ${reason}.`,
  }),
  GG6003: define<{ limit: number; offset: number }>({
    severity: 'error',
    name: 'federation-too-deep',
    message: ({ limit, offset }) =>
      `The JSON is nested more than ${limit} levels deep (at character ${offset}).`,
  }),
  GG6004: define<{ key: string; offset: number }>({
    severity: 'error',
    name: 'federation-duplicate-key',
    message: ({ key, offset }) => `Duplicate key ${key} in one object (at character ${offset}).`,
    hint: () => 'Parsers disagree about which value counts. Remove one of them.',
  }),
  GG6005: define<{ number: string; offset: number }>({
    severity: 'error',
    name: 'federation-unsafe-number',
    message: ({ number, offset }) => `${number} is not a safe integer (at character ${offset}).`,
    hint: () => 'Write integers from -(2^53 - 1) to 2^53 - 1 in digits, without -0, decimals or an exponent.',
  }),
  GG6006: define<{ offset: number }>({
    severity: 'error',
    name: 'federation-not-canonical',
    message: ({ offset }) => `The bundle is not in canonical form (RFC 8785), from character ${offset} on.`,
    hint: () => 'Do not edit or format a bundle. Change the index and run gg-svc federation sign again.',
  }),
  GG6007: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-shape',
    message: ({ at, expected }) => `${at} must be ${expected}.`,
  }),
  GG6008: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-trust-policy',
    message: ({ at, expected }) => `In the trust policy, ${at} must be ${expected}.`,
    hint: () => 'Run gg-svc federation keygen --trust <policy>: it writes valid entries for a new key.',
  }),
  GG6009: define<{ issuer: string; reason: string }>({
    severity: 'error',
    name: 'federation-unsafe-key',
    message: ({ issuer, reason }) => `The public key of ${issuer} is not safe: ${reason}.`,
    hint: () => 'Make a new key: gg-svc federation keygen.',
  }),
  GG6010: define<{ issuer: string; fingerprint: string }>({
    severity: 'error',
    name: 'federation-issuer-mismatch',
    message: ({ issuer, fingerprint }) =>
      `The issuer ${issuer} does not match its key, which has the fingerprint ${fingerprint}.`,
    hint: ({ issuer, fingerprint }) =>
      `If the key is right, name its issuer ${issuer.replace(/#.*$/, '')}#${fingerprint}.`,
  }),
  GG6011: define<{ at: string; issuer: string }>({
    severity: 'error',
    name: 'federation-unknown-signer',
    message: ({ at, issuer }) => `${at} is signed by ${issuer}, which is not in the trust policy.`,
  }),
  GG6012: define<{ at: string; issuer: string; role: string }>({
    severity: 'error',
    name: 'federation-wrong-role',
    message: ({ at, issuer, role }) =>
      `${at} is signed by ${issuer}, which does not have the role ${role} in the trust policy.`,
  }),
  GG6013: define<{ at: string; issuer: string }>({
    severity: 'error',
    name: 'federation-bad-signature',
    message: ({ at, issuer }) => `The signature of ${issuer} on ${at} does not verify.`,
  }),
  GG6014: define<{ at: string; role: string; have: number; need: number }>({
    severity: 'error',
    name: 'federation-threshold',
    message: ({ at, role, have, need }) =>
      `${at} has ${have} signatures for the role ${role}; the trust policy requires ${need}.`,
  }),
  GG6015: define<{ at: string; order: string }>({
    severity: 'error',
    name: 'federation-order',
    message: ({ at, order }) => `${at} is out of order: ${order}.`,
  }),
  GG6016: define<{ what: string; claimed: number; found: number }>({
    severity: 'error',
    name: 'federation-count',
    message: ({ what, claimed, found }) => `The header says ${claimed} ${what}, but the bundle has ${found}.`,
  }),
  GG6017: define<{ claimed: string; found: string }>({
    severity: 'error',
    name: 'federation-root-mismatch',
    message: ({ claimed, found }) =>
      `The digest in the header is ${claimed}, but that of the content is ${found}.`,
  }),
  GG6018: define<{ at: string }>({
    severity: 'error',
    name: 'federation-digest-mismatch',
    message: ({ at }) => `${at} is not the digest of its content.`,
  }),
  GG6019: define<{ at: string; subject: string }>({
    severity: 'error',
    name: 'federation-revoked',
    message: ({ at, subject }) => `${at} uses ${subject}, which is revoked.`,
  }),
  GG6020: define<{ at: string; time: string }>({
    severity: 'error',
    name: 'federation-expired',
    message: ({ at, time }) => `${at} has expired: ${time}.`,
    hint: () => 'Sign the index again, with expiry times in the future.',
  }),
  GG6021: define<{ at: string; time: string }>({
    severity: 'error',
    name: 'federation-from-the-future',
    message: ({ at, time }) => `${at} is in the future: ${time}.`,
    hint: () => 'Check the clock of this machine. The trust policy tolerates `freshness.skew` seconds.',
  }),
  GG6022: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-hops',
    message: ({ at, expected }) => `The hops of ${at} do not connect its ends: expected ${expected}.`,
  }),
  GG6023: define<{ what: string; epoch: number; known: number }>({
    severity: 'error',
    name: 'federation-rollback',
    message: ({ what, epoch, known }) => `${what} has epoch ${epoch}; expected at least ${known}.`,
    hint: () => 'The publisher serves an old state. The last known good one stays in use.',
  }),
  GG6024: define<{ epoch: number }>({
    severity: 'error',
    name: 'federation-forked-index',
    message: ({ epoch }) => `Epoch ${epoch} was signed twice, with different contents.`,
    hint: () => 'The signer of the index published two states for one epoch. The first one stays in use.',
  }),
  GG6025: define<{ chain: string; epoch: number }>({
    severity: 'warning',
    name: 'federation-forked-chain',
    message: ({ chain, epoch }) =>
      `The chain ${chain} is in quarantine: its epoch ${epoch} has two different witnessed heads.`,
    hint: () => 'Until the process restarts, the server serves neither the chain nor routes over it.',
  }),
  GG6026: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-index-shape',
    message: ({ at, expected }) => `In the index, ${at} must be ${expected}.`,
    hint: () => 'See “The index” in docs/federation.md.',
  }),
  GG6027: define<{ reason: string }>({
    severity: 'error',
    name: 'federation-key-file',
    message: ({ reason }) => `This is not a key file of gg-svc federation keygen: ${reason}.`,
  }),
  GG6028: define<{ role: string }>({
    severity: 'error',
    name: 'federation-key-missing',
    message: ({ role }) => `The index needs a signature for the role ${role}, but no key for it was given.`,
    hint: ({ role }) => `Add --key ${role}=<file>, or --key <file> for all roles.`,
  }),
  GG6029: define<{ at: string }>({
    severity: 'error',
    name: 'federation-proof-mismatch',
    message: ({ at }) => `The path proof does not match the route: ${at} differs.`,
  }),
};
