import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSourceFile } from '../../src/base/source/source-file.js';
import type { NodeGroup, Property, Statement, Value } from '../../src/compiler/syntax/ast.js';
import { parse } from '../../src/compiler/syntax/parse.js';
import { topologies } from '../arbitraries/topology.js';
import { type Command, unpackDebian } from '../editors/programs.js';
import { readGrammar } from './ebnf.js';
import { sentences } from './sentences.js';

// The grammar for tree-sitter is held against the parser: both accept the same texts, and find the same statements,
// edges, ids, labels, keys and values in them.

const source = 'editors/tree-sitter-gg';
let treeSitter: Command = [''];
let folder = '';
let grammar = '';

beforeAll(() => {
  treeSitter = unpackDebian('forky', ['tree-sitter-cli']).command('tree-sitter');
  folder = mkdtempSync(join(tmpdir(), 'gg-svc-tree-sitter-'));
  grammar = join(folder, 'tree-sitter-gg');
  cpSync(source, grammar, { recursive: true });
  // As in the package, whose modules are ES modules.
  writeFileSync(join(grammar, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs tree-sitter in the folder of the grammar; its caches and settings are in the folder of the test. */
function run(...args: readonly string[]): string {
  const [program, ...before] = treeSitter;
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_CONFIG_HOME: folder,
    NO_COLOR: '1',
  };
  const { status, stdout, stderr, error } = spawnSync(program, [...before, ...args], {
    cwd: grammar,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  // `parse` ends with 1 if a text has errors.
  if (error !== undefined || (status !== 0 && args[0] !== 'parse')) throw new Error(`${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** What is in a text: the kind and the range of each part; `undefined` for a text with syntax errors. */
type Parts = readonly string[] | undefined;

const kinds: Readonly<Record<string, string>> = {
  import: 'Import',
  export: 'Export',
  pipeline: 'Pipeline',
  call_chain: 'CallChain',
  edge_type: 'type',
  label: 'label',
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  null: 'Null',
  word: 'Word',
  list: 'List',
};
const fields: Readonly<Record<string, string>> = { id: 'id', head: 'id', target: 'id', key: 'key' };

/** The parts of each text that tree-sitter finds. */
function partsByTreeSitter(texts: readonly string[]): Parts[] {
  const paths = texts.map((text, index) => {
    const path = join(folder, `${index}.gg`);
    writeFileSync(path, text);
    return path;
  });
  writeFileSync(join(folder, 'paths'), paths.join('\n'));
  const output = run('parse', '--paths', join(folder, 'paths'));
  const trees = output.split(/^(?=\()/m).filter((tree) => tree.startsWith('('));
  expect(trees).toHaveLength(texts.length);
  return trees.map((tree, index) => {
    if (/\((?:ERROR|MISSING)/.test(tree)) return undefined;
    const offsetAt = offsetsOf(texts[index] as string);
    const parts: string[] = [];
    const line = /(?:(\w+): )?\((\w+) \[(\d+), (\d+)\] - \[(\d+), (\d+)\]/g;
    for (const [, field = '', kind = '', row, column, endRow, endColumn] of tree.matchAll(line)) {
      const name = kind === 'name' ? fields[field] : kinds[kind];
      if (name === undefined) continue;
      const start = offsetAt(Number(row), Number(column));
      parts.push(`${name} ${start}-${offsetAt(Number(endRow), Number(endColumn))}`);
    }
    return parts.sort();
  });
}

/** UTF-16 offsets of places in rows and columns of UTF-8. */
function offsetsOf(text: string): (row: number, column: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (row, column) => {
    const start = starts[row] ?? text.length;
    return (
      start +
      Buffer.from(text.slice(start, starts[row + 1]))
        .subarray(0, column)
        .toString().length
    );
  };
}

/** The parts of a text that the parser finds. */
function partsByParser(text: string): Parts {
  const { value, diagnostics } = parse(createSourceFile('test.gg', text));
  // Nesting and the emptiness of a file are not a matter of grammar.
  const isSyntax = (code: string) => code.startsWith('GG1') && code !== 'GG1006' && code !== 'GG1017';
  if (diagnostics.some(({ code, severity }) => severity === 'error' && isSyntax(code))) return undefined;
  return value.statements.flatMap(partsOfStatement).sort();
}

function partsOfStatement(statement: Statement): string[] {
  const { kind, start, end } = statement;
  const own = `${kind} ${start}-${end}`;
  if (statement.kind === 'Import') {
    return [own, `String ${statement.specifierStart}-${statement.specifierEnd}`];
  }
  if (statement.kind !== 'Pipeline') return [own];
  const { head, hops } = statement;
  return [
    own,
    ...partsOfGroup(head),
    ...hops.flatMap(({ type, typeStart, properties, target }) => [
      `type ${typeStart}-${typeStart + type.length}`,
      ...properties.flatMap(partsOfProperty),
      ...partsOfGroup(target),
    ]),
  ];
}

function partsOfGroup({ nodes }: NodeGroup): string[] {
  return nodes.flatMap(({ id, start, labels, properties }) => [
    `id ${start}-${start + id.length}`,
    ...labels.map((label) => `label ${label.start}-${label.end}`),
    ...properties.flatMap(partsOfProperty),
  ]);
}

function partsOfProperty({ key, start, args = [], value, fallback }: Property): string[] {
  return [
    `key ${start}-${start + key.length}`,
    ...args.flatMap(partsOfProperty),
    ...partsOfValue(value),
    ...(fallback === undefined ? [] : partsOfValue(fallback)),
  ];
}

function partsOfValue(value: Value): string[] {
  const items = value.kind === 'List' ? value.items.flatMap(partsOfValue) : [];
  return [`${value.kind} ${value.start}-${value.end}`, ...items];
}

/**
 * Expects the same parts of each text. The lexer of tree-sitter cannot tell NUL from the end of a text, and the parser
 * counts its offsets from behind a byte order mark.
 */
function expectAgreement(all: readonly string[]): void {
  const texts = all.filter((text) => !text.includes('\0')).map((text) => text.replace(/^\ufeff+/, ''));
  expect(texts.length).toBeGreaterThan(100);
  const found = partsByTreeSitter(texts);
  const differences = texts.flatMap((text, index) => {
    // The parser reads nested lists up to a limit, which is not a matter of grammar.
    if (text.includes('['.repeat(60))) return [];
    const [one, other] = [found[index], partsByParser(text)];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ text, treeSitter: one, parser: other }];
  });
  differences.sort((one, other) => one.text.length - other.text.length);
  expect(differences.slice(0, 3)).toEqual([]);
}

const ebnf = readGrammar(readFileSync('grammar/gg.ebnf', 'utf8'));

describe('the grammar for tree-sitter', () => {
  test('is the source of its generated parser', () => {
    const files = () =>
      readdirSync(join(grammar, 'src'))
        .filter((name) => /\.(?:c|json)$/.test(name))
        .map((name) => [name, readFileSync(join(grammar, 'src', name), 'utf8')]);
    const committed = files();
    run('generate', '--abi', '14');
    // Another release of tree-sitter may write other C for the same grammar.
    const comparable = (all: string[][]) => all.filter(([name]) => name !== 'parser.c');
    expect(comparable(files())).toEqual(comparable(committed));
    cpSync(join(source, 'src'), join(grammar, 'src'), { recursive: true });
  });

  test('parses its corpus', () => {
    expect(run('test')).toContain('failed parses: 0');
  });

  test.each(globSync(['editors/tree-sitter-gg/queries/*.scm', 'editors/zed/languages/gg/*.scm']))(
    'has parts with the names in %s',
    (path) => {
      const file = join(folder, 'query.gg');
      writeFileSync(file, '/// A note.\nimport { a } from "./x.gg"\n(a: B { k: [C!] })-[:P]->b\nf(x).g()\n');
      expect(run('query', join(process.cwd(), path), file)).toContain('capture');
    },
  );

  test('agrees with the parser on every golden and every example', () => {
    const files = globSync(['golden/**/*.gg', 'docs/examples/**/*.gg']);
    expectAgreement(files.map((file) => readFileSync(file, 'utf8')));
  });

  test('agrees with the parser on random topologies', () => {
    expectAgreement(fc.sample(topologies(), { numRuns: 500, seed: 5 }).map(({ text }) => text));
  });

  test('agrees with the parser on sentences of the grammar', () => {
    expectAgreement(fc.sample(sentences(ebnf, 'File'), { numRuns: 1500, seed: 6 }));
  });

  test('agrees with the parser on sentences with a character removed or added', () => {
    const mark = fc.constantFrom(...'(){}[]|,:=!.;', '-[', ']->', 'x', '7', "'", '\n', ' ');
    const damaged = fc
      .tuple(sentences(ebnf, 'Statement'), fc.nat(), fc.nat({ max: 1 }), fc.option(mark))
      .map(([text, at, drop, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + (insert ?? '') + text.slice(place + drop);
      });
    expectAgreement(fc.sample(damaged, { numRuns: 1500, seed: 8 }));
  });
});
