import { describe, expect, test } from 'vitest';
import { analyze } from '../../../../src/compiler/analyze.js';

const told = (text: string) =>
  analyze(text).diagnostics.flatMap(({ code, message }) => (code === 'GG3114' ? [message] : []));

describe('several edges of one operation', () => {
  test('are reported if no edge gives all arguments', () => {
    expect(
      told(`(one { a: Int })-[:PROCESS]->(it { id: ID! })
(two { b: Int })-[:PROCESS]->(it)
(three { b: Int })-[:PROCESS]->(it)`),
    ).toEqual(['The edges of it form one operation: it has the arguments a, b, which no edge gives alone.']);
  });

  test.each([
    ['one edge gives all', '(one { a: Int, b: Int })-[:PROCESS]->(it) (two { b: Int })-[:PROCESS]->(it)'],
    ['all give the same', '(one { a: Int })-[:PROCESS]->(it) (root)-[:PROCESS { a: Int }]->(it)'],
    ['one edge has several sources', '(one { a: Int } | two { b: Int })-[:PROCESS]->(it)'],
    [
      'they are separate operations',
      "(one { a: Int })-[:PROCESS { operation: 'x' }]->(it) (two { b: Int })-[:PROCESS]->(it)",
    ],
    ['a source of a FORK gives no arguments', '(one { a: Int })-[:FORK]->(it) (two { b: Int })-[:FORK]->(it)'],
  ])('are not reported if %s', (_, edges) => {
    expect(told(`(it { id: ID! }) ${edges}`)).toEqual([]);
  });

  test('compares the sources of a FOLD as wholes, and internal ones by their fields', () => {
    const form = (words: string) =>
      told(`(form { ${words}a: Int })-[:FOLD]->(it { id: ID! }) (root)-[:FOLD { a: Int, form: Int }]->(it)`);
    expect(form('')).toHaveLength(0);
    expect(form('internal: true, ')).toHaveLength(0);
    expect(form('internal: true, c: Int, ')).toHaveLength(1);
  });
});
