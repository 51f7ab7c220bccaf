import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainMissingImport } from '../../../src/runtime/load/explain-import.js';
import { directoryWith } from '../../tools/cli/stand-in-io.js';

const directory = directoryWith({
  'a.mjs': "import 'node:fs';\nimport './lib/db';\n",
  'lib/db.mjs': '',
  'lib/c.cjs': "require('pg');\n",
});
const importer = join(directory, 'a.mjs');

describe('a missing import', () => {
  test.each([
    [
      'a file without its extension',
      `Cannot find module '${join(directory, 'lib/db')}' imported from ${importer}`,
      'it imports lib/db, which does not exist (a.mjs, line 2)',
      'Write the import with the whole name of the file: lib/db.mjs.',
    ],
    [
      'a file behind the URL of a reload',
      `Cannot find module '${join(directory, 'no.mjs')}?gg-svc-generation=2' imported from ${importer}?x=2`,
      'it imports no.mjs, which does not exist (a.mjs)',
      'Create the file, or correct the import. The path is relative to the importing file.',
    ],
    [
      'a part of a package with a scope',
      `Cannot find package '@scope/name/part' imported from ${importer}`,
      'it imports the package @scope/name, which is not installed (a.mjs)',
      'Install it: npm install @scope/name',
    ],
    [
      'a file of an importer that is not there any more',
      `Cannot find module '${join(directory, 'no.mjs')}' imported from ${join(directory, 'gone.mjs')}`,
      'it imports no.mjs, which does not exist',
      'Create the file, or correct the import. The path is relative to the importing file.',
    ],
  ])('of %s is explained', (_, message, reason, advice) => {
    expect(explainMissingImport(new Error(message), directory)).toEqual({ reason, advice });
  });

  test('of a CommonJS module is explained', () => {
    const requireStack = [join(directory, 'lib/c.cjs'), importer];
    const error = Object.assign(new Error("Cannot find module 'pg'\nRequire stack:\n- …"), { requireStack });
    expect(explainMissingImport(error, directory)).toEqual({
      reason: 'it imports the package pg, which is not installed (lib/c.cjs, line 1)',
      advice: 'Install it: npm install pg',
    });
  });

  test.each([
    ['an error of the module', new Error('no database')],
    ['a text', 'no luck'],
    ['nothing', undefined],
  ])('is not %s', (_, error) => {
    expect(explainMissingImport(error, directory)).toBeUndefined();
  });
});
