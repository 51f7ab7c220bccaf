import { error } from './define.js';

/** `GG4xxx`: a file cannot be read or written. */
export const inputCodes = {
  GG4001: error(
    'file-not-found',
    'Cannot find the file {path}.',
    'Check the path; put a glob such as topologies/*.gg in quotes.',
  ),
  GG4002: error(
    'file-unreadable',
    '{path} cannot be read: {reason}.',
    'Pass a file that can be read; for those of a directory, a glob in quotes, such as topologies/*.gg.',
  ),
  GG4003: error('file-not-utf8', '{path} is not UTF-8 text (byte {offset}).', 'Save the file as UTF-8.'),
  GG4004: error('file-too-large', '{path} has {size} bytes; the limit is {limit}.', 'Split it into several files.'),
  GG4005: error('pattern-matches-nothing', 'No file matches {pattern}.'),
  GG4006: error(
    'file-unwritable',
    '{path} cannot be written: {reason}.',
    'The file is unchanged. Choose a writable directory, or free disk space.',
  ),
  GG4007: error('url-unreadable', '{url} cannot be fetched: {reason}.'),
  GG4010: error(
    'import-not-allowed',
    '{path} cannot be imported: {reason}.',
    ({ remedy }: { remedy: string | undefined }) =>
      remedy === undefined ? undefined : `Allow it in the project file: ${remedy}`,
  ),
  GG4020: error('description-invalid', 'This is not valid {format}: {reason}.'),
  GG4021: error(
    'description-unknown',
    'This is neither an OpenAPI document nor a GraphQL schema nor a Postman collection.',
    'Pass a JSON file with “openapi”, a .graphql file, or a collection of format 2.0 or 2.1.',
  ),
  GG4022: error(
    'description-unsupported',
    '{format} cannot be imported.',
    ({ remedy }: { remedy: string | undefined }) => remedy,
  ),
  GG4023: error(
    'description-without-operations',
    'This description ({format}) has no operations to import{reason}.',
    'An operation needs a path and a method, a field of a root type, or a request.',
  ),
  GG4024: error('output-exists', '{path} already exists.', 'Pass --force to replace it, or another path.'),
};
