import { describe, expect, it, vi } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { analyzeFlow } from '../../../src/compiler/schema/flow-rules/analyze-flow.js';
import { project } from './check.js';

const many = (count: number, write: (index: number) => string, separator = '\n') =>
  Array.from({ length: count }, (_, index) => write(index)).join(separator);

/** Texts that grow with a number, each in another direction; none may give more than its length. */
const directions: readonly [what: string, text: (size: number) => string][] = [
  ['sources of one edge', (n) => `(${many(n, (i) => `s${i} { f${i}: Int }`, '|')})-[:PROCESS]->(t)`],
  ['targets of one edge', (n) => `(s { x: Int })-[:PROCESS]->(${many(n, (i) => `t${i}`, '|')})`],
  ['sources and targets of one query', (n) => between(n, 'PROCESS')],
  ['sources and targets of one mutation', (n) => between(n, 'FOLD')],
  ['sources and targets of one subscription', (n) => between(n, 'FORK')],
  ['sources and targets of one race', (n) => between(n, 'RACE')],
  ['sources and targets of two races', (n) => `${between(n, 'RACE')}\n${between(n, 'RACE')}`],
  ['sources and targets of two folds', (n) => `${between(n, 'FOLD')}\n${between(n, 'FOLD')}`],
  ['scalars among the branches of one race', (n) => between(n, 'RACE', ': Scalar')],
  ['edges to one target', (n) => `${many(n, (i) => `(s${i} { f${i}: Int })-[:PROCESS]->(t)`)}`],
  ['folds into one target', (n) => many(n, (i) => `(s${i})-[:FOLD]->(t)`)],
  ['races to one target', (n) => many(n, (i) => `(s${i})-[:RACE]->(t)`)],
  ['races with a fold of many', (n) => `(x)-[:FOLD]->(${ids('f', n)})\n${many(n, raceOfFold)}`],
  ['fields of one node', (n) => `(a { ${many(n, (i) => `f${i}: Int`, ', ')} })`],
  ['declarations of one node', (n) => many(n, (i) => `(a: L { f${i}: Int })`)],
  ['labels of one node', (n) => many(n, (i) => `(a: L${i})`)],
  ['contradicting declarations of one node', (n) => many(n, (i) => `(a { f: ${i} })`)],
  ['contradicting lists', (n) => `(a { f: [${many(n, String, ',')}] })\n${many(n, (i) => `(a { f: [${i}] })`)}`],
  ['contradicting enums', (n) => `(a: Enum { values: [${ids('V', n, ',')}] })\n${many(n, otherEnum)}`],
  ['contradicting settings', (n) => `(a)-[:PROCESS { ${many(n, (i) => `k: ${i}`, ', ')} }]->(b)`],
  ['nodes of one type name', (n) => many(n, (i) => `(a${'_'.repeat(i % 40)}b${i >> 3})`)],
  ['targets of one name', (n) => `(a)-[:PROCESS { operation: 'x' }]->(${ids('t', n)})`],
  ['arguments of one edge', (n) => `(a)-[:PROCESS { ${many(n, (i) => `f${i}: Int`, ', ')} }]->(b)`],
  ['a chain behind a race', chainBehindRace],
  ['values of an enum and defaults', (n) => `(e: Enum { values: [${ids('V', n, ',')}] })\n${many(n, aDefault)}`],
  ['wrong defaults', (n) => `(e: Enum { values: [${ids('V', n, ',')}] })\n${many(n, wrongDefault)}`],
  ['unknown words among types', (n) => many(n, (i) => `(node_${i} { x: Nodee${i}x })`)],
];

function ids(prefix: string, count: number, separator = '|'): string {
  return many(count, (i) => `${prefix}${i}`, separator);
}

function between(n: number, type: string, label = ''): string {
  return `(${many(n, (i) => `s${i}${label}`, '|')})-[:${type}]->(${ids('t', n)})`;
}

function raceOfFold(index: number): string {
  return `(f${index} | g${index})-[:RACE]->(r${index})`;
}

function otherEnum(index: number): string {
  return `(a: Enum { values: [W${index}] })`;
}

function aDefault(index: number): string {
  return `(a${index} { x: E = V${index} })`;
}

function wrongDefault(index: number): string {
  return `(a${index} { x: E = W${index} })`;
}

function chainBehindRace(n: number): string {
  return `(x)-[:FOLD]->(n0)\n${many(n, (i) => `(n${i})-[:PROCESS]->(n${i + 1})`)}\n(n${n} | y)-[:RACE]->(z)`;
}

/**
 * How much a value holds: every object once, and the characters of its strings. Lists that several operations share
 * count once, as they take memory once.
 */
function sizeOf(value: unknown): number {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    size += typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const inner of next instanceof Map ? next.values() : Object.values(next)) waiting.push(inner);
  }
  return size;
}

describe('the topology, its schema and its findings', () => {
  it.each(directions)('grow no faster than the number of %s', (_, text) => {
    const sizes = [100, 800].map((n) => {
      const { ir, schema, diagnostics } = project(text(n));
      return sizeOf({ nodes: ir.nodes, edges: ir.edges, schema: { ...schema, sources: [] }, diagnostics });
    });
    const [small = 0, large = 0] = sizes;
    // Eight times the text, with longer numbers in it; a product instead of a sum would be 64 times as large.
    expect(large / small).toBeLessThan(8 * 1.5);
  });

  it.each(['PROCESS', 'FOLD', 'FORK', 'RACE'])('are rejected if %s edges would multiply in the documents', (type) => {
    const codes = (n: number) => analyze(between(n, type)).diagnostics.map(({ code }) => code);
    expect(codes(100)).not.toContain('GG3025');
    expect(codes(400)).toContain('GG3025');
  });

  it('are rejected if many edges repeat the fields of one node', () => {
    const text = (n: number) =>
      `(a { ${many(n, (i) => `f${i}: Int`, ', ')} })\n${many(n, (i) => `(a)-[:PROCESS]->(t${i})`)}`;
    expect(analyze(text(100)).diagnostics.map(({ code }) => code)).not.toContain('GG3025');
    expect(analyze(text(400)).diagnostics.map(({ code }) => code)).toContain('GG3025');
  });
});

const fold = '(form { name: String })-[:FOLD]->(saved { id: ID! })\n';

describe('the cost of the flow rules', () => {
  it.each<readonly [string, (size: number) => string]>([
    ['forks without a fold behind them', (n) => `${fold}${many(n, (i) => `(save${i})-[:FORK]->(t${i})`)}`],
    [
      'branches and readers of one race',
      (n) =>
        `(${many(n, (i) => `b${i} { f${i}: ID, v: Int }`, '|')})-[:RACE]->(t { v: Int })\n${many(n, (i) => `(t)-[:PROCESS { v: ID }]->(o${i})`)}`,
    ],
    [
      'inputs and results of one edge',
      (n) =>
        `/// A doc comment, as the sources would be listed for each target.\n(${many(n, (i) => `s${i} { f${i}: Int }`, '|')})-[:PROCESS]->(${many(n, (i) => `t${i} { f${i}: Boolean }`, '|')})`,
    ],
    [
      'arguments and sources of one edge',
      (n) => `(${many(n, (i) => `s${i} { f${i}: Int }`, '|')})-[:PROCESS { ${many(n, (i) => `f${i}: ID`, ',')} }]->(t)`,
    ],
    [
      'sources and targets of one fork',
      (n) => `${fold}/// A doc comment.\n(${many(n, (i) => `s${i}`, '|')})-[:FORK]->(${many(n, (i) => `t${i}`, '|')})`,
    ],
    [
      'a chain of types out of reach',
      (n) => `(r)-[:PROCESS]->(a)\n${many(n, (i) => `(n${i} { next: N${i + 1} })`)}\n(n${n})`,
    ],
    ['nodes out of reach', (n) => `(r)-[:PROCESS]->(a)\n${many(n, (i) => `(n${i})`)}`],
    ['deep arguments', (n) => `(p { x: [[Int]] })\n${many(n, (i) => `(p)-[:PROCESS { a: P }]->(t${i})`)}`],
  ])('grows no faster than the number of %s', (_, text) => {
    const small = lookups(text(100));
    const large = lookups(text(800));
    expect(small).toBeGreaterThan(0);
    // Eight times the text; a product instead of a sum would take 64 times as many.
    expect(large).toBeLessThan(small * 12);
  });
});

/** How many times the rules look something up in a map or a set: what they do with everything that they go through. */
function lookups(text: string): number {
  const { ir, schema } = project(text);
  const spies = [
    vi.spyOn(Map.prototype, 'get'),
    vi.spyOn(Map.prototype, 'has'),
    vi.spyOn(Set.prototype, 'has'),
    vi.spyOn(Set.prototype, 'add'),
  ];
  try {
    analyzeFlow({ ir, schema });
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
