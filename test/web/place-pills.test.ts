import { expect, test } from 'vitest';
import { pillSize, placePills, tagSize } from '../../web/graph/place-pills.js';
import { structureOf } from '../../web/graph/structure.js';
import { drawingOf } from '../analysis/diagram/diagrams.js';

const topology = `
  (a { id: ID! })
  (b { id: ID! })
  (fast: Fast { text: String })
  (slow: Slow { text: String })
  (verdict: Verdict { text: String })
  (ask)-[:PROCESS { operation: 'one', id: ID! }]->(a)
  (ask)-[:PROCESS { operation: 'two', id: ID! }]->(a)
  (ask)-[:PROCESS { operation: 'verdict' }]->(verdict)
  (a)-[:FOLD { operation: 'three', id: ID! }]->(b)
  (fast | slow)-[:RACE]->(verdict)
`;

test('each edge has a place of its own, and each branch of a race, apart from boxes and each other', async () => {
  const structure = structureOf(await drawingOf(topology));
  const pills = placePills(structure);
  const names = pills.map(({ coordinate, branch }) => branch ?? coordinate);
  for (const name of ['Query.one', 'Query.two', 'Mutation.three', 'fast', 'slow']) expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
  const areas = [
    ...pills.map(({ x, y, branch }) => ({ x, y, ...(branch === undefined ? pillSize : tagSize) })),
    ...structure.boxes.values(),
  ];
  for (const [at, one] of areas.entries())
    for (const other of areas.slice(at + 1)) {
      const across = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
      const down = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
      if (at < pills.length) expect(Math.min(across, down)).toBeLessThanOrEqual(0);
    }
});

test('a place does not depend on what happens', async () => {
  const drawing = await drawingOf(topology);
  expect(placePills(structureOf(drawing)).map(({ x, y }) => [x, y])).toEqual(
    placePills(structureOf(drawing)).map(({ x, y }) => [x, y]),
  );
});
