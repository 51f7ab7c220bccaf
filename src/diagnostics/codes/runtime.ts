import { define } from '../define.js';

/** `GG5xxx`: the API is sound, but it cannot be run as asked. */
export const runtimeCodes = {
  GG5001: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'resolvers-unloadable',
    message: ({ path, reason }) => `The resolvers in ${path} cannot be loaded: ${reason}.`,
    hint: () => 'The module exports an object: export default { Query: { readUser: (parent, args) => … } }.',
  }),
  GG5002: define<{ coordinate: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'resolver-without-field',
    message: ({ coordinate }) => `There is a resolver for ${coordinate}, but the schema has no such place.`,
    hint: ({ suggestion }) => (suggestion === undefined ? undefined : `Did you mean ${suggestion}?`),
  }),
  GG5003: define<{ port: number; reason: string }>({
    severity: 'error',
    name: 'port-unavailable',
    message: ({ port, reason }) => `Port ${port} cannot be listened on: ${reason}.`,
    hint: () => 'Choose another with --port, or --port 0 for any free one.',
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
    message: ({ node }) => `There is a channel for the node ${node}, but the topology has no such node.`,
    hint: ({ suggestion }) => (suggestion === undefined ? undefined : `Did you mean ${suggestion}?`),
  }),
  GG5007: define<{ node: string; direction: string; missing: string }>({
    severity: 'error',
    name: 'channel-without-operation',
    message: ({ node, direction, missing }) =>
      `The node ${node} has a channel of the direction '${direction}', but ${missing}.`,
    hint: () => 'Bind the node at the other end of the edge, or give the channel another direction.',
  }),
  GG5008: define<{ node: string; way: string }>({
    severity: 'error',
    name: 'channel-twice',
    message: ({ node, way }) => `The node ${node} has two channels whose records ${way}.`,
    hint: () => 'A node has one channel for each way; take one of them away.',
  }),
  GG5009: define<{ operation: string; nodes: string }>({
    severity: 'error',
    name: 'operation-with-two-channels',
    message: ({ operation, nodes }) => `${operation} would be served by the channels of ${nodes}.`,
    hint: () => 'Bind the node that its edge leads to, or only one of those where it begins.',
  }),
  GG5010: define<{ node: string; problem: string }>({
    severity: 'error',
    name: 'channel-of-wrong-kind',
    message: ({ node, problem }) => `The channel of the node ${node} cannot be used: ${problem}.`,
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
      `The channel of the node ${node} (${transport}) is too slow: ${reason}.`,
  }),
  GG5013: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-data-unreadable',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) gave what cannot be used: ${reason}.`,
  }),
  GG5014: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'channel-overrun',
    message: ({ node, transport, reason }) =>
      `The channel of the node ${node} (${transport}) cannot keep up: ${reason}.`,
  }),
  GG5015: define<{ node: string; transport: string; reason: string }>({
    severity: 'error',
    name: 'event-not-written',
    message: ({ node, transport, reason }) =>
      `The change was made, but the node ${node} (${transport}) did not take its event: ${reason}.`,
    hint: () => 'Do not repeat the change for this.',
  }),
  GG5016: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'channels-unloadable',
    message: ({ path, reason }) => `The channels in ${path} cannot be loaded: ${reason}.`,
    hint: () =>
      'The module exports a list of channels, or a function that gives one: export default [createTimerChannel({ … })];',
  }),
};
