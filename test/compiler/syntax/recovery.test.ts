import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.js';
import { createSourceFile, lineMapOf, positionAt } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { endOf, tokenize } from '../../../src/compiler/syntax/lexer.js';
import { parse } from '../../../src/compiler/syntax/parse.js';

const example = readFileSync('docs/examples/service.gg', 'utf8');

describe('one mistake gives one error', () => {
  const tokens = tokenize(createSourceFile('example.gg', example)).tokens.map((token) => ({
    start: token.startOffset,
    end: endOf(token),
  }));

  it('the example itself has no findings', () => {
    expect(tokens.length).toBeGreaterThan(150);
    expect(analyze(example).diagnostics).toEqual([]);
  });

  it('without any one token, the example has at most three errors, the first on the line of the token', () => {
    for (const { start, end } of tokens) {
      const text = example.slice(0, start) + example.slice(end);
      const { diagnostics } = analyze(text);
      const around = `${text.slice(Math.max(0, start - 20), start)}⟦${example.slice(start, end)}⟧`;
      expect(diagnostics.length, around).toBeLessThanOrEqual(3);
      const first = diagnostics[0];
      if (first !== undefined) expect(lineIn(text, first), around).toBe(lineAt(example, start));
    }
  });

  it('without any one bracket, the example still yields every other statement', () => {
    const all = statementsOf(example);
    for (const { start, end } of tokens) {
      if (!'(){}[]'.includes(example.slice(start, end))) continue;
      const rest = statementsOf(example.slice(0, start) + example.slice(end));
      expect(rest, example.slice(start - 20, end + 20)).toBeGreaterThanOrEqual(all - 1);
    }
  });

  it('with any one token twice, the example has at most three errors, the first on the line of the token', () => {
    for (const { start, end } of tokens) {
      const text = `${example.slice(0, end)} ${example.slice(start)}`;
      const { diagnostics } = analyze(text);
      expect(diagnostics.length, example.slice(start - 20, end)).toBeLessThanOrEqual(3);
      const first = diagnostics[0];
      if (first !== undefined) expect(lineIn(text, first)).toBe(lineAt(example, start));
    }
  });
});

describe('a mistake affects only itself', () => {
  it('a broken property does not affect the others', () => {
    const { value, codes } = read('(a { one Int, two: , three: 3 })');
    expect(codes).toEqual(['GG1001', 'GG1001']);
    expect(JSON.stringify(value.statements)).toContain('"key":"one"');
  });

  it('a broken statement does not affect the next line', () => {
    const { value } = read('(a)-[:FORK]->\n(b | )\n(c)-[:FOLD]->(d)');
    expect(JSON.stringify(value.statements)).toContain('"id":"d"');
  });

  it('a statement after a broken one on the same line is found', () => {
    const { value, codes } = read('(a b) (c)');
    expect(codes).toEqual(['GG1001']);
    expect(JSON.stringify(value.statements)).toContain('"id":"c"');
  });

  it('a name on a separate line is a mistake, not the beginning of a call', () => {
    const { value, codes } = read('(a) oops\n(b)');
    expect(codes).toEqual(['GG1001']);
    expect(value.statements.map(({ kind }) => kind)).toEqual(['Pipeline', 'Pipeline']);
  });

  it('a missing bracket is reported at the end of its line', () => {
    const text = '(a: Record { id: ID! }\n(b)';
    const { diagnostics } = parse(createSourceFile('t.gg', text));
    expect(diagnostics.map(({ message }) => message)).toEqual(['Expected “)”, found the end of the line.']);
    expect(lineIn(text, diagnostics[0] as Diagnostic)).toBe(1);
  });

  it('a lexical error silences the syntax errors that follow from it', () => {
    expect(read("(a { k: 'x })\n(b)").codes).toEqual(['GG1002']);
  });

  it('two broken statements are two errors', () => {
    expect(read('(a\n(b\n(c)').codes).toEqual(['GG1001', 'GG1001']);
  });

  it('the parser gives up a file in another format after a hundred errors', () => {
    const { codes } = read('(a b)\n'.repeat(500));
    expect(codes).toHaveLength(101);
    expect(codes.at(-1)).toBe('GG1020');
  });

  it('the parser gives up a hundred thousand unknown characters as well', () => {
    const { codes } = read('% & '.repeat(50_000));
    expect(codes).toHaveLength(101);
    expect(codes.at(-1)).toBe('GG1020');
  });
});

function read(text: string) {
  const { value, diagnostics } = parse(createSourceFile('t.gg', text));
  return { value, codes: diagnostics.map(({ code }) => code) };
}

function statementsOf(text: string): number {
  return parse(createSourceFile('t.gg', text)).value.statements.length;
}

function lineIn(text: string, { span }: Diagnostic): number {
  return lineAt(text, span.start);
}

function lineAt(text: string, offset: number): number {
  return positionAt(lineMapOf(createSourceFile('t.gg', text)), offset).line;
}
