import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documented } from './project.js';

// Zed itself is not run. The tables are what its sources read: `crates/extension/src/extension_manifest.rs`,
// `crates/language_core/src/language_config.rs` and `grammar.rs`.

const language = 'editors/zed/languages/gg';
const read = (name: string) => readFileSync(join(language, name), 'utf8');

/** Keys of a TOML text, those of tables without their names. */
const keysOf = (text: string) => [...text.matchAll(/^(\w+) = /gm)].map(([, key]) => key);
const capturesOf = (text: string) => new Set([...text.matchAll(/@([\w.]+)/g)].map(([, name = '']) => name));

describe('the extension for Zed', () => {
  test('has the keys that the manifest requires, and no key that Zed ignores', () => {
    const keys = keysOf(readFileSync('editors/zed/extension.toml', 'utf8'));
    expect(keys).toEqual(expect.arrayContaining(['id', 'name', 'version', 'schema_version']));
    const known = ['id', 'name', 'version', 'schema_version', 'description', 'repository', 'authors'];
    expect(keys.filter((key) => !known.includes(key ?? ''))).toEqual([]);
  });

  test('has only language keys that Zed reads; each bracket has the required keys', () => {
    const text = read('config.toml');
    const known = [
      ...['name', 'grammar', 'path_suffixes', 'line_comments', 'block_comment', 'brackets'],
      ...['tab_size', 'hard_tabs', 'autoclose_before', 'word_characters', 'overrides'],
    ];
    expect(keysOf(text).filter((key) => !known.includes(key ?? ''))).toEqual([]);
    const brackets = text.match(/^ {2}\{.*\},$/gm) ?? [];
    expect(brackets.length).toBeGreaterThan(0);
    for (const bracket of brackets) {
      expect(bracket).toMatch(/^ {2}\{ start = .+, end = .+, close = (true|false), newline = (true|false)/);
    }
  });

  test('has only queries that Zed loads, each of which resolves to a file', () => {
    const known = ['highlights', 'brackets', 'outline', 'indents', 'injections', 'overrides', 'redactions'];
    const queries = readdirSync(language).filter((name) => name.endsWith('.scm'));
    expect(queries.filter((name) => !known.includes(name.replace('.scm', '')))).toEqual([]);
    expect(read('highlights.scm')).toBe(readFileSync('editors/tree-sitter-gg/queries/highlights.scm', 'utf8'));
  });

  test.each([
    { query: 'brackets.scm', required: ['open', 'close'], optional: [] },
    { query: 'outline.scm', required: ['item', 'name'], optional: ['context', 'annotation'] },
    { query: 'indents.scm', required: ['indent'], optional: ['start', 'end', 'outdent'] },
  ])('$query has the captures that Zed requires, and no others', ({ query, required, optional }) => {
    const captures = capturesOf(read(query));
    expect([...captures]).toEqual(expect.arrayContaining(required));
    expect([...captures].filter((name) => ![...required, ...optional].includes(name))).toEqual([]);
  });

  test('has an override for each scope in which a bracket is not closed, as Zed requires', () => {
    const scopes = [...read('config.toml').matchAll(/not_in = \[(.*?)\]/g)].flatMap(([, list = '']) =>
      list.split(',').map((scope) => scope.trim().slice(1, -1)),
    );
    expect(scopes.length).toBeGreaterThan(0);
    const overrides = [...capturesOf(read('overrides.scm'))].map((name) => name.replace(/\.inclusive$/, ''));
    expect(overrides).toEqual(expect.arrayContaining(scopes));
  });

  test('uses captures that themes of Zed define', () => {
    const themes = [
      ...['boolean', 'comment', 'constant', 'function', 'keyword', 'number', 'operator', 'property'],
      ...['punctuation.bracket', 'punctuation.delimiter', 'string', 'type', 'variable'],
    ];
    const unknown = [...capturesOf(read('highlights.scm'))].filter(
      (name) => !themes.some((known) => name === known || name.startsWith(`${known}.`)),
    );
    expect(unknown).toEqual([]);
  });

  test('names the grammar of a clone with the documented commands; git fetches the parser from it as Zed does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gg-svc-zed-'));
    try {
      const clone = join(folder, 'two words');
      for (const part of ['tree-sitter-gg/src', 'zed']) {
        cpSync(join('editors', part), join(clone, 'editors', part), {
          recursive: true,
          filter: (path) => !path.includes('grammars'),
        });
      }
      const git = (cwd: string, ...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' });
      git(clone, 'init', '-q');
      git(clone, 'add', '-A');
      git(clone, 'commit', '-q', '-m', 'all');
      const [commands = ''] = documented('Zed', 'console');
      execFileSync('bash', ['-ec', commands.replace(/^\$ /gm, '')], { cwd: clone });
      const manifest = readFileSync(join(clone, 'editors/zed/extension.toml'), 'utf8');
      const value = (key: string) => new RegExp(`^\\[grammars.gg\\]$[^]*^${key} = "(.*)"$`, 'm').exec(manifest)?.[1];
      const checkout = join(clone, 'editors/zed/grammars/gg');
      mkdirSync(checkout, { recursive: true });
      git(checkout, 'init', '-q');
      git(checkout, 'remote', 'add', 'origin', value('repository') ?? '');
      git(checkout, 'fetch', '-q', '--depth', '1', 'origin', value('rev') ?? '');
      git(checkout, 'checkout', '-q', value('rev') ?? '');
      expect(readFileSync(join(checkout, value('path') ?? '', 'src/parser.c'), 'utf8')).toBe(
        readFileSync('editors/tree-sitter-gg/src/parser.c', 'utf8'),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
