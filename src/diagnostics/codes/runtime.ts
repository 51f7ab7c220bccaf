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
};
