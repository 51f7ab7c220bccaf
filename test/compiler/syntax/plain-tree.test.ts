import { deepStrictEqual } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { parseTopology } from './parse-topology.js';

/** Whether a value is plain data all the way down: own values in plain objects and arrays, no getter. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  const properties = Object.values(Object.getOwnPropertyDescriptors(value));
  return properties.every((property) => 'value' in property && isPlain(property.value));
}

describe('the tree is plain data', () => {
  const golden = join(import.meta.dirname, '../../../golden');
  const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gg'));

  it('has golden inputs to check', () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it.each(files)('that a structured clone equals: %s', (name) => {
    const { ast } = compile(readFileSync(join(golden, name), 'utf8'));
    expect(isPlain(ast)).toBe(true);
    deepStrictEqual(structuredClone(ast), ast);
  });

  it('that a structured clone equals, for 10 000 random topologies', () => {
    fc.assert(
      fc.property(topologies({ maxNodes: 3, maxPipelines: 2 }), ({ text }) => {
        const { value } = parseTopology([createSourceFile('t.gg', text)]);
        deepStrictEqual(structuredClone(value), value);
      }),
      { numRuns: runs(10_000) },
    );
  });

  it('that `compile` returns unchanged from the parser', () => {
    fc.assert(
      fc.property(topologies({ maxNodes: 4 }), ({ text }) => {
        const { ast } = compile(text);
        const [document] = ast.documents;
        expect(isPlain(ast)).toBe(true);
        deepStrictEqual(structuredClone(ast), ast);
        deepStrictEqual(ast, parseTopology([document?.file ?? { name: '', text }]).value);
      }),
      { numRuns: runs(200) },
    );
  });

  it('whose parts are the same objects on every access', () => {
    const text = '(a: X { k: 1 })-[:FOLD { m: [2] }]->(b)';
    const [statement] = parseTopology([createSourceFile('t.gg', text)]).value.documents[0]?.statements ?? [];
    if (statement?.kind !== 'Pipeline') throw new Error('expected a pipeline');
    expect(statement.hops).toBe(statement.hops);
    expect(statement.head.nodes[0]).toBe(statement.head.nodes[0]);
    expect({ ...statement }).toEqual(statement);
  });

  it('that does not share state with the parser: another parse does not change it', () => {
    const read = (text: string) => parseTopology([createSourceFile('t.gg', text)]).value;
    const kept = read('/// Why.\n(a)-[:FOLD]->(b)');
    const copy = structuredClone(kept);
    read('(other: Thing { x: 1 })-[:RACE { y: 2 }]->(z)');
    deepStrictEqual(kept, copy);
  });
});
