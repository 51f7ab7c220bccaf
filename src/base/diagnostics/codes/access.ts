import { define } from './define.js';
import { quoted } from './quoted.js';

/** `GG307x` and `GG308x`: access to the API, and paths by which guarded values leak. */
export const accessCodes = {
  GG3071: define<{ what: 'scope' | 'role'; scope: string; reason: string }>({
    severity: 'error',
    name: 'invalid-scope',
    message: ({ what, scope, reason }) => `“${scope}” cannot be a ${what}: it ${reason}.`,
    hint: ({ what }) =>
      `A ${what} consists of printable ASCII characters without spaces, " and \\, such as '${what === 'scope' ? 'orders:write' : 'admin'}'.`,
  }),
  GG3072: define<{ owner: string }>({
    severity: 'error',
    name: 'scopes-without-auth',
    message: ({ owner }) => `${owner} has scopes, roles or an owner, so “auth” cannot be optional.`,
    hint: () => 'Only authenticated callers have them: remove “auth”, or the other requirements.',
  }),
  GG3073: define<{ operations: readonly string[] }>({
    severity: 'warning',
    name: 'edge-without-auth',
    message: ({ operations }) =>
      `${quoted(operations)} ${operations.length === 1 ? 'is' : 'are'} open to all callers: the edge has no access setting.`,
    hint: () =>
      "Write auth: 'optional' if that is intended, otherwise auth: 'required', scopes, roles or owner.",
  }),
  GG3074: define<{ setting: string }>({
    severity: 'warning',
    name: 'access-of-internal-edge',
    message: ({ setting }) =>
      `“${setting}” has no effect here: the edge is internal, so nothing runs its operation.`,
    hint: () => 'Access is checked for operations that clients call: put it on the edges of those.',
  }),
  GG3075: define<{ word: string; place: string; instead: string }>({
    severity: 'warning',
    name: 'access-without-effect',
    message: ({ word, place }) => `“${word}” protects nothing on ${place}.`,
    hint: ({ instead }) => instead,
  }),
  GG3076: define<{ place: string; owner: string; among: string }>({
    severity: 'error',
    name: 'unknown-owner',
    message: ({ place, owner, among }) => `The owner of ${place} is “${owner}”, which is not ${among}.`,
    hint: () => 'Name a value of type ID, String or Int, which is compared with the id of the caller.',
  }),
  GG3080: define<{ operation: string; lacking: string; path: string }>({
    severity: 'error',
    name: 'guarded-by-race',
    message: ({ operation, lacking, path }) =>
      `Callers of ${operation} without ${lacking} get a value that requires it: ${path}.`,
    hint: ({ operation }) =>
      `Require the same for ${operation}, or write open: 'reason' on the RACE edge if that is intended.`,
  }),
  GG3081: define<{ operation: string; lacking: string; path: string }>({
    severity: 'error',
    name: 'guarded-in-event',
    message: ({ operation, lacking, path }) =>
      `Subscribers of ${operation} without ${lacking} get a value that requires it: ${path}.`,
    hint: () => "Require the same on the FORK edge, or write open: 'reason' there if that is intended.",
  }),
  GG3082: define<{ operation: string; argument: string; field: string; lacking: string; path: string }>({
    severity: 'error',
    name: 'guarded-by-argument',
    message: ({ operation, argument, field, lacking, path }) =>
      `Callers of ${operation} without ${lacking} can infer ${field} from the argument ${argument}: ${path}.`,
    hint: () => "Require the same for the argument, or write open: 'reason' on the edge if that is intended.",
  }),
  GG3083: define<{ field: string; lacking: string }>({
    severity: 'error',
    name: 'guarded-constant',
    message: ({ field, lacking }) =>
      `${field} requires ${lacking}, but its value is a constant of the topology.`,
    hint: () =>
      'Everyone with access to the API documents can read it. Declare the type instead, and write a resolver.',
  }),
  GG3084: define<{ key: string; lacking: string; path: string }>({
    severity: 'error',
    name: 'guarded-key',
    message: ({ key, lacking, path }) => `Callers get ${key} without ${lacking}: ${path}.`,
    hint: () =>
      "Require the same there, or write open: 'reason' on the edge of the operation if that is intended.",
  }),
  GG3085: define<{ problem: string; operation: string; lacking: string; path: string }>({
    severity: 'error',
    name: 'guarded-in-error',
    message: ({ problem, operation, lacking, path }) =>
      `Callers of ${operation} without ${lacking} get a value that requires it in the error ${problem}: ${path}.`,
    hint: () => "Remove the field from the error, or write open: 'reason' on the edge if that is intended.",
  }),
  GG3086: define<{ place: string; type: string; owner: string; path: string }>({
    severity: 'error',
    name: 'owner-not-named',
    message: ({ place, type, owner, path }) =>
      `${place} returns ${type} objects of different owners (“${owner}”), but has no owner setting: ${path}.`,
    hint: ({ owner }) =>
      `Write owner: '${owner}' and add that argument, or write open: 'reason' if that is intended.`,
  }),
};
