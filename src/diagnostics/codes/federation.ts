import { define } from '../define.js';

/** `GG6xxx`: a federation bundle, its trust policy, or a proof does not hold. */
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
    message: ({ reason }) => `This is not JSON in UTF-8: ${reason}.`,
  }),
  GG6003: define<{ limit: number; offset: number }>({
    severity: 'error',
    name: 'federation-too-deep',
    message: ({ limit, offset }) => `This is nested more than ${limit} levels deep (at character ${offset}).`,
  }),
  GG6004: define<{ key: string; offset: number }>({
    severity: 'error',
    name: 'federation-duplicate-key',
    message: ({ key, offset }) => `The key ${key} stands twice in one object (at character ${offset}).`,
    hint: () => 'Two readers could see two values. Keep one of them.',
  }),
  GG6005: define<{ number: string; offset: number }>({
    severity: 'error',
    name: 'federation-unsafe-number',
    message: ({ number, offset }) => `${number} is not a safe integer (at character ${offset}).`,
    hint: () =>
      'Numbers are whole, from -(2^53 - 1) to 2^53 - 1, without sign of zero, decimals or exponent.',
  }),
  GG6006: define<{ offset: number }>({
    severity: 'error',
    name: 'federation-not-canonical',
    message: ({ offset }) => `The bundle is not in canonical form (RFC 8785) from character ${offset} on.`,
    hint: () => 'Do not edit or format a bundle; gg-svc federation sign writes it.',
  }),
  GG6007: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-shape',
    message: ({ at, expected }) => `${at} must be ${expected}.`,
  }),
  GG6008: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-trust-policy',
    message: ({ at, expected }) => `In the trust policy ${at} must be ${expected}.`,
    hint: () => 'gg-svc federation keygen --trust <policy> writes the entries of a key.',
  }),
  GG6009: define<{ issuer: string; reason: string }>({
    severity: 'error',
    name: 'federation-unsafe-key',
    message: ({ issuer, reason }) => `The public key of ${issuer} is refused: ${reason}.`,
    hint: () => 'Make a new key with gg-svc federation keygen.',
  }),
  GG6010: define<{ issuer: string; fingerprint: string }>({
    severity: 'error',
    name: 'federation-issuer-mismatch',
    message: ({ issuer, fingerprint }) => `The key of ${issuer} has the fingerprint ${fingerprint}.`,
    hint: ({ issuer, fingerprint }) =>
      `If it is the right key, its issuer is ${issuer.replace(/#.*$/, '')}#${fingerprint}.`,
  }),
  GG6011: define<{ at: string; issuer: string }>({
    severity: 'error',
    name: 'federation-unknown-signer',
    message: ({ at, issuer }) => `${at} is signed by ${issuer}, a key that the trust policy does not have.`,
  }),
  GG6012: define<{ at: string; issuer: string; role: string }>({
    severity: 'error',
    name: 'federation-wrong-role',
    message: ({ at, issuer, role }) =>
      `${at} is signed by ${issuer}, which the trust policy does not let sign as ${role}.`,
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
      `${at} has ${have} signatures as ${role}, where the trust policy asks for ${need}.`,
  }),
  GG6015: define<{ at: string; order: string }>({
    severity: 'error',
    name: 'federation-order',
    message: ({ at, order }) => `${at} is out of order: ${order}.`,
  }),
  GG6016: define<{ what: string; claimed: number; found: number }>({
    severity: 'error',
    name: 'federation-count',
    message: ({ what, claimed, found }) =>
      `The header counts ${claimed} ${what}, and there are ${found} of them.`,
  }),
  GG6017: define<{ claimed: string; found: string }>({
    severity: 'error',
    name: 'federation-root-mismatch',
    message: ({ claimed, found }) =>
      `The header has the digest ${claimed}, and what is in the bundle has ${found}.`,
  }),
  GG6018: define<{ at: string }>({
    severity: 'error',
    name: 'federation-digest-mismatch',
    message: ({ at }) => `${at} is not the digest of what it stands for.`,
  }),
  GG6019: define<{ at: string; subject: string }>({
    severity: 'error',
    name: 'federation-revoked',
    message: ({ at, subject }) => `${at} rests on ${subject}, which is revoked.`,
  }),
  GG6020: define<{ at: string; time: string }>({
    severity: 'error',
    name: 'federation-expired',
    message: ({ at, time }) => `${at} has expired: ${time}.`,
    hint: () => 'Sign the index anew, with times that lie ahead.',
  }),
  GG6021: define<{ at: string; time: string }>({
    severity: 'error',
    name: 'federation-from-the-future',
    message: ({ at, time }) => `${at} lies in the future: ${time}.`,
    hint: () => 'Is the clock of this machine right? The trust policy allows for `skew` seconds.',
  }),
  GG6022: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-hops',
    message: ({ at, expected }) =>
      `${at} does not lead from its first chain to its last: expected ${expected}.`,
  }),
  GG6023: define<{ what: string; epoch: number; known: number }>({
    severity: 'error',
    name: 'federation-rollback',
    message: ({ what, epoch, known }) => `${what} has epoch ${epoch}, where at least ${known} is expected.`,
    hint: () => 'Somebody serves an old state. The last good one stays in use.',
  }),
  GG6024: define<{ epoch: number }>({
    severity: 'error',
    name: 'federation-forked-index',
    message: ({ epoch }) => `Epoch ${epoch} was signed twice, with two contents.`,
    hint: () => 'The signer of the index equivocates. The state that came first stays in use.',
  }),
  GG6025: define<{ chain: string; epoch: number }>({
    severity: 'warning',
    name: 'federation-forked-chain',
    message: ({ chain, epoch }) =>
      `The chain ${chain} is quarantined: two heads were witnessed for its epoch ${epoch}.`,
    hint: () => 'It is not answered any more, and no route over it is, until this process starts anew.',
  }),
  GG6026: define<{ at: string; expected: string }>({
    severity: 'error',
    name: 'federation-index-shape',
    message: ({ at, expected }) => `In the index ${at} must be ${expected}.`,
    hint: () => 'docs/federation.md shows how an index is written before it is signed.',
  }),
  GG6027: define<{ reason: string }>({
    severity: 'error',
    name: 'federation-key-file',
    message: ({ reason }) => `This is not a key of gg-svc federation keygen: ${reason}.`,
  }),
  GG6028: define<{ role: string }>({
    severity: 'error',
    name: 'federation-key-missing',
    message: ({ role }) => `There is something to sign as ${role}, and no key for it was given.`,
    hint: ({ role }) => `Add --key ${role}=<file>, or --key <file> for every role.`,
  }),
  GG6029: define<{ at: string }>({
    severity: 'error',
    name: 'federation-proof-mismatch',
    message: ({ at }) => `The path proof is not one of this route: ${at} differs.`,
  }),
};
