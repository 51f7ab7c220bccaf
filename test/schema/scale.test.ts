import { describe, expect, it } from 'vitest';
import { project } from './check.js';

/** How long a projection takes, in milliseconds: the best of three, since others use the machine too. */
function timeOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    project(text);
    return performance.now() - start;
  });
  return Math.min(...times);
}

const many = (count: number, write: (index: number) => string, separator = '\n') =>
  Array.from({ length: count }, (_, index) => write(index)).join(separator);

/** Texts that grow with a number, each in another direction; none may cost more than its length. */
const directions: readonly [what: string, text: (size: number) => string][] = [
  ['sources of one edge', (n) => `(${many(n, (i) => `s${i} { f${i}: Int }`, '|')})-[:PROCESS]->(t)`],
  ['targets of one edge', (n) => `(s { x: Int })-[:PROCESS]->(${many(n, (i) => `t${i}`, '|')})`],
  ['edges to one target', (n) => `${many(n, (i) => `(s${i} { f${i}: Int })-[:PROCESS]->(t)`)}`],
  ['folds into one target', (n) => many(n, (i) => `(s${i})-[:FOLD]->(t)`)],
  ['races to one target', (n) => many(n, (i) => `(s${i})-[:RACE]->(t)`)],
  ['fields of one node', (n) => `(a { ${many(n, (i) => `f${i}: Int`, ', ')} })`],
  ['declarations of one node', (n) => many(n, (i) => `(a: L { f${i}: Int })`)],
  ['arguments of one edge', (n) => `(a)-[:PROCESS { ${many(n, (i) => `f${i}: Int`, ', ')} }]->(b)`],
  [
    'a chain behind a race',
    (n) =>
      `(x)-[:FOLD]->(n0)\n${many(n, (i) => `(n${i})-[:PROCESS]->(n${i + 1})`)}\n(n${n} | y)-[:RACE]->(z)`,
  ],
  [
    'values of an enum and defaults',
    (n) =>
      `(e: Enum { values: [${many(n, (i) => `V${i}`, ', ')}] })\n${many(n, (i) => `(a${i} { x: E = V${i} })`)}`,
  ],
  ['unknown words among types', (n) => many(n, (i) => `(node_${i} { x: Nodee${i}x })`)],
];

describe('the cost of a topology', () => {
  it.each(directions)('grows no faster than the number of %s', (_, text) => {
    project(text(500));
    const small = timeOf(text(1000));
    const large = timeOf(text(8000));
    // Eight times the text; a product instead of a sum would take 64 times as long.
    expect(large).toBeLessThan(Math.max(small, 3) * 8 * 5);
  });

  it('in memory is one reference for each type that is written', () => {
    const { ir } = project(many(100, (i) => `(n${i} { a: [String!]!, b: ID! })`));
    const types = [...ir.nodes.values()].flatMap(({ fields }) => fields.map(({ type }) => type));
    expect(types).toHaveLength(200);
    expect(new Set(types).size).toBe(2);
  });
});
