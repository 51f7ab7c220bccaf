import { error, quoted, warning } from './define.js';

/** `GG307x` and `GG308x`: access to the API, and paths by which guarded values leak. */
export const accessCodes = {
  GG3071: error(
    'invalid-scope',
    '“{scope}” cannot be a {what}: it {reason}.',
    ({ what }: { what: 'scope' | 'role' }) =>
      `A ${what} consists of printable ASCII characters without spaces, " and \\, such as '${what === 'scope' ? 'orders:write' : 'admin'}'.`,
  ),
  GG3072: error(
    'scopes-without-auth',
    '{owner} has scopes, roles or an owner, so “auth” cannot be optional.',
    'Only authenticated callers have them: remove “auth”, or the other requirements.',
  ),
  GG3073: warning(
    'edge-without-auth',
    ({ operations }: { operations: readonly string[] }) =>
      `${quoted(operations)} ${operations.length === 1 ? 'is' : 'are'} open to all callers: the edge has no access setting.`,
    "Write auth: 'optional' if that is intended, otherwise auth: 'required', scopes, roles or owner.",
  ),
  GG3074: warning(
    'access-of-internal-edge',
    '“{setting}” has no effect here: the edge is internal, so nothing runs its operation.',
    'Access is checked for operations that clients call: put it on the edges of those.',
  ),
  GG3075: warning('access-without-effect', '“{word}” protects nothing on {place}.', '{instead}'),
  GG3076: error(
    'unknown-owner',
    'The owner of {place} is “{owner}”, which is not {among}.',
    'Name a value of type ID, String or Int, which is compared with the id of the caller.',
  ),
  GG3080: error(
    'guarded-by-race',
    'Callers of {operation} without {lacking} get a value that requires it: {path}.',
    "Require the same for {operation}, or write open: 'reason' on {edge} edge if that is intended.",
  ),
  GG3081: error(
    'guarded-in-event',
    'Subscribers of {operation} without {lacking} get a value that requires it: {path}.',
    "Require the same on the FORK edge, or write open: 'reason' there if that is intended.",
  ),
  GG3082: error(
    'guarded-by-argument',
    'Callers of {operation} without {lacking} can infer {field} from the argument {argument}: {path}.',
    "Require the same for the argument, or write open: 'reason' on the edge if that is intended.",
  ),
  GG3083: error(
    'guarded-constant',
    '{field} requires {lacking}, but its value is a constant of the topology.',
    'Everyone with access to the API documents can read it. Declare the type instead, and write a resolver.',
  ),
  GG3084: error(
    'guarded-key',
    'Callers get {key} without {lacking}: {path}.',
    "Require the same there, or write open: 'reason' on the edge of the operation if that is intended.",
  ),
  GG3085: error(
    'guarded-in-error',
    'Callers of {operation} without {lacking} get a value that requires it in the error {problem}: {path}.',
    "Remove the field from the error, or write open: 'reason' on the edge if that is intended.",
  ),
  GG3086: error(
    'owner-not-named',
    '{place} returns {type} objects of different owners (“{owner}”), but has no owner setting: {path}.',
    "Write owner: '{owner}' and add that argument, or write open: 'reason' if that is intended.",
  ),
};
