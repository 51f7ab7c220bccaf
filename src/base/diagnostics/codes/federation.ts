import { error, warning } from './define.js';

/** `GG6xxx`: a federation bundle, its trust policy or a path proof does not verify. */
export const federationCodes = {
  GG6001: error(
    'federation-too-large',
    'The bundle has {size} {what}; the limit is {limit}.',
    'Split the index into several.',
  ),
  GG6002: error('federation-not-json', 'Invalid JSON: {reason}.'),
  GG6003: error('federation-too-deep', 'The JSON is nested more than {limit} levels deep (at character {offset}).'),
  GG6004: error(
    'federation-duplicate-key',
    'Duplicate key {key} in one object (at character {offset}).',
    'Parsers disagree about which value counts. Remove one of them.',
  ),
  GG6005: error(
    'federation-unsafe-number',
    '{number} is not a safe integer (at character {offset}).',
    'Write integers from -(2^53 - 1) to 2^53 - 1 in digits, without -0, decimals or an exponent.',
  ),
  GG6006: error(
    'federation-not-canonical',
    'The bundle is not in canonical form (RFC 8785), from character {offset} on.',
    'Do not edit or format a bundle. Change the index and run gg-svc federation sign again.',
  ),
  GG6007: error('federation-shape', '{at} must be {expected}.'),
  GG6008: error(
    'federation-trust-policy',
    'In the trust policy, {at} must be {expected}.',
    'Run gg-svc federation keygen --trust <policy>: it writes valid entries for a new key.',
  ),
  GG6009: error(
    'federation-unsafe-key',
    'The public key of {issuer} is not safe: {reason}.',
    'Make a new key: gg-svc federation keygen.',
  ),
  GG6010: error(
    'federation-issuer-mismatch',
    'The issuer {issuer} does not match its key, which has the fingerprint {fingerprint}.',
    ({ issuer, fingerprint }: { issuer: string; fingerprint: string }) =>
      `If the key is right, name its issuer ${issuer.replace(/#.*$/, '')}#${fingerprint}.`,
  ),
  GG6011: error('federation-unknown-signer', '{at} is signed by {issuer}, which is not in the trust policy.'),
  GG6012: error(
    'federation-wrong-role',
    '{at} is signed by {issuer}, which does not have the role {role} in the trust policy.',
  ),
  GG6013: error('federation-bad-signature', 'The signature of {issuer} on {at} does not verify.'),
  GG6014: error(
    'federation-threshold',
    '{at} has {have} signatures for the role {role}; the trust policy requires {need}.',
  ),
  GG6015: error('federation-order', '{at} is out of order: {order}.'),
  GG6016: error('federation-count', 'The header says {claimed} {what}, but the bundle has {found}.'),
  GG6017: error(
    'federation-root-mismatch',
    'The digest in the header is {claimed}, but that of the content is {found}.',
  ),
  GG6018: error('federation-digest-mismatch', '{at} is not the digest of its content.'),
  GG6019: error('federation-revoked', '{at} uses {subject}, which is revoked.'),
  GG6020: error(
    'federation-expired',
    '{at} has expired: {time}.',
    'Sign the index again, with expiry times in the future.',
  ),
  GG6021: error(
    'federation-from-the-future',
    '{at} is in the future: {time}.',
    'Check the clock of this machine. The trust policy tolerates `freshness.skew` seconds.',
  ),
  GG6022: error('federation-hops', 'The hops of {at} do not connect its ends: expected {expected}.'),
  GG6023: error(
    'federation-rollback',
    '{what} has epoch {epoch}; expected at least {known}.',
    'The publisher serves an old state. The last known good one stays in use.',
  ),
  GG6024: error(
    'federation-forked-index',
    'Epoch {epoch} was signed twice, with different contents.',
    'The signer of the index published two states for one epoch. The first one stays in use.',
  ),
  GG6025: warning(
    'federation-forked-chain',
    'The chain {chain} is in quarantine: its epoch {epoch} has two different witnessed heads.',
    'Until the process restarts, the server serves neither the chain nor routes over it.',
  ),
  GG6026: error(
    'federation-index-shape',
    'In the index, {at} must be {expected}.',
    'See “The index” in docs/federation.md.',
  ),
  GG6027: error('federation-key-file', 'This is not a key file of gg-svc federation keygen: {reason}.'),
  GG6028: error(
    'federation-key-missing',
    'The index needs a signature for the role {role}, but no key for it was given.',
    'Add --key {role}=<file>, or --key <file> for all roles.',
  ),
  GG6029: error('federation-proof-mismatch', 'The path proof does not match the route: {at} differs.'),
};
