import { define } from './define.js';

/** `GG5xxx`: the API is sound, but it cannot be run as asked. */
export const runtimeCodes = {
  GG5001: define<{ path: string; reason: string; advice: string | undefined }>({
    severity: 'error',
    name: 'resolvers-unloadable',
    message: ({ path, reason }) => `The resolvers in ${path} cannot be loaded: ${reason}.`,
    hint: ({ advice }) =>
      advice ?? 'The module exports an object: export default { Query: { readUser: (parent, args) => … } }.',
  }),
  GG5002: define<{ coordinate: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'resolver-without-field',
    message: ({ coordinate }) =>
      `There is a resolver for ${coordinate}, but the schema has no such field or type.`,
    hint: ({ suggestion }) => (suggestion === undefined ? undefined : `Did you mean ${suggestion}?`),
  }),
  GG5003: define<{ port: number; reason: string }>({
    severity: 'error',
    name: 'port-unavailable',
    message: ({ port, reason }) => `Cannot listen on port ${port}: ${reason}.`,
    hint: () => 'Pass another port with --port, or --port 0 for a free one.',
  }),
  GG5004: define<{ module: string; install: string }>({
    severity: 'error',
    name: 'peer-missing',
    message: ({ module }) => `The package ${module} is not installed.`,
    hint: ({ install }) => `Install it: ${install}`,
  }),
  GG5005: define<{ coordinate: string; expected: string }>({
    severity: 'error',
    name: 'resolver-of-wrong-kind',
    message: ({ coordinate, expected }) => `The resolver for ${coordinate} must be ${expected}.`,
  }),
  GG5006: define<{ node: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'channel-without-node',
    message: ({ node }) => `A channel names the unknown node ${node}.`,
    hint: ({ suggestion }) => (suggestion === undefined ? undefined : `Did you mean ${suggestion}?`),
  }),
  GG5007: define<{ node: string; direction: string; missing: string }>({
    severity: 'error',
    name: 'channel-without-operation',
    message: ({ node, direction, missing }) =>
      `The node ${node} has a channel with the direction '${direction}', but ${missing}.`,
    hint: () => 'Bind the node at the other end of the edge, or give the channel another direction.',
  }),
  GG5008: define<{ node: string; way: string }>({
    severity: 'error',
    name: 'channel-twice',
    message: ({ node, way }) => `The node ${node} has two channels for the direction '${way}'.`,
    hint: () => 'A node has at most one channel for each direction. Remove one of them.',
  }),
  GG5009: define<{ operation: string; nodes: string }>({
    severity: 'error',
    name: 'operation-with-two-channels',
    message: ({ operation, nodes }) => `${operation} has several channels: at ${nodes}.`,
    hint: () => 'Put the channel at the target of the edge, or at only one of its sources.',
  }),
  GG5010: define<{ node: string; problem: string }>({
    severity: 'error',
    name: 'channel-of-wrong-kind',
    message: ({ node, problem }) => `The channel of the node ${node} is invalid: ${problem}.`,
  }),
  GG5011: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-failed',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) failed: ${reason}.`,
  }),
  GG5012: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-timeout',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) timed out: ${reason}.`,
  }),
  GG5013: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-data-unreadable',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) returned an unusable value: ${reason}.`,
  }),
  GG5014: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-overrun',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) is overloaded: ${reason}.`,
  }),
  GG5015: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'event-not-written',
    message: ({ node, transport, reason }) =>
      `The change was made, but its event could not be written to the node ${node} (${transport}): ${reason}.`,
    hint: () => 'Do not repeat the mutation: the change was made.',
  }),
  GG5016: define<{ path: string; reason: string; advice: string | undefined }>({
    severity: 'error',
    name: 'channels-unloadable',
    message: ({ path, reason }) => `The channels in ${path} cannot be loaded: ${reason}.`,
    hint: ({ advice }) =>
      advice ??
      'Export a list of channels, or a function that returns one: export default [createTimerChannel({ … })];',
  }),
  GG5040: define<{ path: string; reason: string; advice?: string | undefined }>({
    severity: 'error',
    name: 'project-file-unreadable',
    message: ({ path, reason }) => `The project file ${path} cannot be read: ${reason}.`,
    hint: ({ advice }) => advice,
  }),
  GG5041: define<{ path: string; key: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'project-file-unknown-key',
    message: ({ path, key }) => `${path} has the unknown key “${key}”.`,
    hint: ({ suggestion }) => (suggestion === undefined ? undefined : `Did you mean ${suggestion}?`),
  }),
  GG5042: define<{ path: string; key: string; expected: string }>({
    severity: 'error',
    name: 'project-file-wrong-value',
    message: ({ path, key, expected }) =>
      key === '' ? `${path} must ${expected}.` : `In ${path}, “${key}” must ${expected}.`,
  }),
  GG5043: define<{ one: string; other: string }>({
    severity: 'error',
    name: 'project-file-twice',
    message: ({ one, other }) => `There are two project files: ${one} and ${other}.`,
    hint: () => 'Remove one of them, or choose one with --config.',
  }),
  GG5050: define<{ coordinate: string; setting: string }>({
    severity: 'error',
    name: 'authenticator-missing',
    message: ({ coordinate, setting }) =>
      `${coordinate} has ${setting}, but the server does not authenticate its callers.`,
    hint: () => 'Set server.auth in the project file, or pass the option authenticate.',
  }),
  GG5051: define<{ path: string; reason: string; advice: string | undefined }>({
    severity: 'error',
    name: 'context-unloadable',
    message: ({ path, reason }) => `The context module ${path} cannot be used: ${reason}.`,
    hint: ({ advice }) =>
      advice ??
      'The module exports a function: export default (request, caller) => ({ user: caller.principal });',
  }),
  GG5060: define({
    severity: 'error',
    name: 'studio-token-missing',
    message: () => 'The studio of a server in production needs a token.',
    hint: () => 'Set GG_SVC_STUDIO_TOKEN to a random string of at least 16 characters.',
  }),
  GG5061: define<{ length: number; minimum: number }>({
    severity: 'error',
    name: 'studio-token-short',
    message: ({ length, minimum }) =>
      `The token of the studio has ${length} characters; it must have at least ${minimum}.`,
    hint: () => 'Make one with: openssl rand -hex 16',
  }),
  GG5062: define<{ path: string }>({
    severity: 'warning',
    name: 'studio-hides-path',
    message: ({ path }) => `The studio answers all paths below /_gg, so ${path} is not served.`,
    hint: () => 'Change the path, or turn the studio off with --no-studio.',
  }),
  GG5064: define<{ path: string }>({
    severity: 'error',
    name: 'site-over-foreign-file',
    message: ({ path }) => `gg-svc docs would overwrite ${path}, which it did not write.`,
    hint: () => 'Choose another directory with -o, or remove the file.',
  }),
  GG5065: define<{ pattern: string; reason: string }>({
    severity: 'error',
    name: 'no-changelog',
    message: ({ pattern, reason }) => `Cannot write a changelog of the tags ${pattern}: ${reason}.`,
    hint: () => 'Pass another pattern with --tags, or --no-tags for a site without a changelog.',
  }),
  GG5066: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'picture-not-drawn',
    message: ({ path, reason }) => `The picture ${path} cannot be drawn: ${reason}.`,
    hint: () => 'An SVG needs no package and no fonts: use the extension .svg.',
  }),
};
