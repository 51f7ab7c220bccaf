import { describe, expect, it } from 'vitest';
import { importsIn } from '../../../src/compiler/analyze.js';
import { normalizePath, resolveImportPath } from '../../../src/compiler/graph/import-path.js';

describe('the file that an import names', () => {
  it.each([
    ['main.gg', './other.gg', 'other.gg'],
    ['main.gg', 'other.gg', 'other.gg'],
    ['./a/main.gg', './other.gg', 'a/other.gg'],
    ['a/main.gg', '../other.gg', 'other.gg'],
    ['a/b/main.gg', '../../c/./d//other.gg', 'c/d/other.gg'],
    ['main.gg', '../other.gg', '../other.gg'],
    ['../main.gg', '../other.gg', '../../other.gg'],
    ['/srv/main.gg', './other.gg', '/srv/other.gg'],
    ['/main.gg', '../../other.gg', '/other.gg'],
    ['a/main.gg', '/etc/other.gg', '/etc/other.gg'],
    ['a\\b\\main.gg', '..\\other.gg', 'a/other.gg'],
    ['C:\\a\\main.gg', './other.gg', 'C:/a/other.gg'],
    ['https://example.com/a/main.gg', './other.gg', 'https://example.com/a/other.gg'],
    ['https://example.com/a/main.gg', '/other.gg', 'https://example.com/other.gg'],
    ['a/main.gg', 'https://example.com/x/../other.gg', 'https://example.com/other.gg'],
    ['https://example.com/main.gg', 'https://[', 'https://['],
    ['a topology', './other.gg', 'other.gg'],
  ])('is resolved from %s: %s is %s', (from, specifier, path) => {
    expect(resolveImportPath(from, specifier)).toBe(path);
  });
});

it.each([
  ["import './b.gg'\n(a)\nimport { c } from '../c.gg'", ['x/b.gg', 'c.gg']],
  ["(a { text: 'import' })", []],
  ['(a)', []],
])('the topology x/a.gg with the text %j imports the files %j', (text, paths) => {
  expect(importsIn({ name: 'x/a.gg', source: text })).toEqual(paths);
});

describe('two spellings of one path', () => {
  it.each([
    ['./a.gg', 'a.gg'],
    ['x/../a.gg', 'a.gg'],
    ['/x//./a.gg', '/x/a.gg'],
    ['C:\\x\\http:a.gg', 'C:/x/http:a.gg'],
    ['https://EXAMPLE.com/a.gg', 'https://example.com/a.gg'],
  ])('give the same name: %s is %s', (one, other) => {
    expect(normalizePath(one)).toBe(normalizePath(other));
  });
});
