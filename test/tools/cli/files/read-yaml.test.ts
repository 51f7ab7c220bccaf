import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';
import { readYaml } from '../../../../src/tools/cli/files/read-yaml.js';

const importOf = (text: string) => importDescription(createSourceFile('api', text), readYaml);

describe('a description in YAML', () => {
  test.each(['3.0/petstore', '3.0/parameters-style', '3.0/schema-circular', '3.1/train-travel', '3.1/schema-types'])(
    'becomes the same topology with the same report as in JSON: %s',
    (name) => {
      const [version, file] = name.split('/');
      const read = (format: string) =>
        importOf(readFileSync(`node_modules/@readme/oas-examples/${version}/${format}/${file}.${format}`, 'utf8'));
      const json = read('json');
      expect(json.value?.operations).toBeGreaterThan(0);
      expect(read('yaml')).toEqual(json);
    },
  );

  test.each([
    ['a fault in its form', 'openapi: 3.1.0\npaths: {\n', 'is not valid YAML'],
    ['a name that is used twice', 'openapi: 3.1.0\nopenapi: 3.1.0\n', 'unique'],
    ['an alias without an anchor', 'openapi: 3.1.0\npaths: *none\n', 'none'],
    [
      'an alias that is part of its anchor',
      'openapi: 3.1.0\npaths: &a { b: *a }\n',
      'an alias is part of what it stands for',
    ],
    [
      'aliases that expand to many nodes',
      `openapi: 3.1.0\na0: &a0 [1, 2]\n${Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`,
      'alias',
    ],
  ])('is refused for %s', (_, text, message) => {
    const { value, diagnostics } = importOf(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'GG4020', message: expect.stringContaining(message) }]);
  });
});
