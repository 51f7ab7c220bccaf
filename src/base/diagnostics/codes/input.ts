import { define } from './define.js';

/** `GG4xxx`: a file cannot be read or written. */
export const inputCodes = {
  GG4001: define<{ path: string }>({
    severity: 'error',
    name: 'file-not-found',
    message: ({ path }) => `Cannot find the file ${path}.`,
    hint: () => 'Check the path; put a glob such as topologies/*.gg in quotes.',
  }),
  GG4002: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'file-unreadable',
    message: ({ path, reason }) => `${path} cannot be read: ${reason}.`,
  }),
  GG4003: define<{ path: string; offset: number }>({
    severity: 'error',
    name: 'file-not-utf8',
    message: ({ path, offset }) => `${path} is not UTF-8 text (byte ${offset}).`,
    hint: () => 'Save the file as UTF-8.',
  }),
  GG4004: define<{ path: string; size: number; limit: number }>({
    severity: 'error',
    name: 'file-too-large',
    message: ({ path, size, limit }) => `${path} has ${size} bytes; the limit is ${limit}.`,
    hint: () => 'Split it into several files.',
  }),
  GG4005: define<{ pattern: string }>({
    severity: 'error',
    name: 'pattern-matches-nothing',
    message: ({ pattern }) => `No file matches ${pattern}.`,
  }),
  GG4006: define<{ path: string; reason: string }>({
    severity: 'error',
    name: 'file-unwritable',
    message: ({ path, reason }) => `${path} cannot be written: ${reason}.`,
    hint: () => 'The file is unchanged. Choose a writable directory, or free disk space.',
  }),
  GG4007: define<{ url: string; reason: string }>({
    severity: 'error',
    name: 'url-unreadable',
    message: ({ url, reason }) => `${url} cannot be fetched: ${reason}.`,
  }),
  GG4010: define<{ path: string; reason: string; remedy: string | undefined }>({
    severity: 'error',
    name: 'import-not-allowed',
    message: ({ path, reason }) => `${path} cannot be imported: ${reason}.`,
    hint: ({ remedy }) => (remedy === undefined ? undefined : `Allow it in the project file: ${remedy}`),
  }),
  GG4020: define<{ format: string; reason: string }>({
    severity: 'error',
    name: 'description-invalid',
    message: ({ format, reason }) => `This is not valid ${format}: ${reason}.`,
  }),
  GG4021: define({
    severity: 'error',
    name: 'description-unknown',
    message: () => 'This is neither an OpenAPI document nor a GraphQL schema nor a Postman collection.',
    hint: () => 'Pass a JSON file with “openapi”, a .graphql file, or a collection of format 2.0 or 2.1.',
  }),
  GG4022: define<{ format: string; remedy: string | undefined }>({
    severity: 'error',
    name: 'description-unsupported',
    message: ({ format }) => `${format} cannot be imported.`,
    hint: ({ remedy }) => remedy,
  }),
  GG4023: define<{ format: string }>({
    severity: 'error',
    name: 'description-without-operations',
    message: ({ format }) => `This description (${format}) has no operations to import.`,
    hint: () => 'An operation needs a path and a method, a field of a root type, or a request.',
  }),
  GG4024: define<{ path: string }>({
    severity: 'error',
    name: 'output-exists',
    message: ({ path }) => `${path} already exists.`,
    hint: () => 'Pass --force to replace it, or another path.',
  }),
};
