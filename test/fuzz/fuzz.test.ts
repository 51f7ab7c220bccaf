import { expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.js';
import { fuzz } from './fuzz.js';
import { readSeeds } from './seeds.js';
import { subjects } from './subjects.js';

test('5,000 mutated texts give findings, but no exceptions', async () => {
  const seeds = readSeeds();
  expect(seeds.topologies.length).toBeGreaterThan(100);
  expect(seeds.descriptions.length).toBeGreaterThan(100);
  const { counts, finds } = await fuzz(seeds, 0, 5_000);
  expect(finds).toEqual([]);
  expect([...counts.keys()]).toEqual(subjects.map(({ name }) => name));
});

test.each(['(a { x(b: [A!): A })', '(a { x(first: Int =[ 10): A })'])('gives findings for %s', async (text) => {
  for (const { takes, run } of subjects) if (takes === 'topologies') await run(text, () => 0.5);
  expect(compile(text).ok).toBe(false);
});
