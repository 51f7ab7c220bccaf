import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Drawing, DrawnBox, DrawnLine } from '../../../src/analysis/diagram/drawing.js';
import { packDrawing } from '../../../src/analysis/diagram/pack-drawing.js';
import { runs } from '../../arbitraries/runs.js';
import { drawingOf } from './diagrams.js';

const pairs = (count: number) =>
  Array.from({ length: count }, (_, index) => `(source_${index})-[:PROCESS]->(target_${index} { id: ID! })`).join('\n');

function overlaps(a: DrawnBox, b: DrawnBox): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
}

/** The boxes, the ends of lines and the texts of a drawing, all as offsets from the box that a line comes from. */
function formOf({ boxes, lines }: Drawing, near: (value: number) => unknown): readonly object[] {
  return lines.map(({ from, to, path, tip, label }: DrawnLine) => {
    const origin = boxes.find(({ key }) => key === from) as DrawnBox;
    const end = boxes.find(({ key }) => key === to) as DrawnBox;
    const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [
      near(Number(x) - origin.x),
      near(Number(y) - origin.y),
    ]);
    const offset = (at: { x: number; y: number } | undefined) => at && [near(at.x - origin.x), near(at.y - origin.y)];
    return { points, end: offset(end), tip: offset(tip), label: offset(label) };
  });
}

describe('the unconnected parts of a drawing', () => {
  it('are placed in columns, in the order of the topology', async () => {
    const { width, height, boxes } = await drawingOf(pairs(60));
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.2);
    const sources = boxes.filter(({ node }) => node?.startsWith('source'));
    expect(sources.map(({ x, y }) => Math.round(x) * 1e6 + y)).toEqual(
      sources.map(({ x, y }) => Math.round(x) * 1e6 + y).sort((a, b) => a - b),
    );
  });

  it('form one column if it fits best', async () => {
    const { boxes } = packDrawing(await drawingOf(pairs(12)), 0.05);
    expect(new Set(boxes.map(({ x, width }) => Math.round(x - width / 2))).size).toBeLessThan(5);
  });

  it('keep their places if there is one part', async () => {
    const connected = await drawingOf('(a)-[:PROCESS]->(b { id: ID! })\n(b)-[:FORK]->(c { id: ID! })');
    expect(packDrawing(connected, 4 / 3)).toBe(connected);
    const empty = { width: 0, height: 0, boxes: [], lines: [] };
    expect(packDrawing(empty, 1)).toBe(empty);
  });

  it('keep their form and their order, do not overlap, and lie inside the drawing', async () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(edges, async (ends) => {
        const lines = ends.map(([from, to]) => `(s_${from})-[:MEASURE]->(t_${to} { id: ID! })`);
        const drawing = await drawingOf(['(root)-[:PROCESS]->(one { id: ID! })', ...new Set(lines)].join('\n'));
        const packed = packDrawing(drawing, 6);
        expect(packed.boxes.map(({ key }) => key)).toEqual(drawing.boxes.map(({ key }) => key));
        // Places are tenths, so offsets between them may differ by some.
        const form = formOf(drawing, (value) => expect.closeTo(value, 0));
        expect(formOf(packed, (value) => value)).toEqual(form);
        for (const [index, box] of packed.boxes.entries()) {
          expect(packed.boxes.slice(index + 1).filter((other) => overlaps(box, other))).toEqual([]);
          expect(box.x - box.width / 2).toBeGreaterThanOrEqual(-0.2);
          expect(box.y - box.height / 2).toBeGreaterThanOrEqual(-0.2);
          expect(box.x + box.width / 2).toBeLessThanOrEqual(packed.width + 0.2);
          expect(box.y + box.height / 2).toBeLessThanOrEqual(packed.height + 0.2);
        }
      }),
      { numRuns: runs(25) },
    );
  });
});

it('cuts texts of more than 40 characters, and keeps the ids', async () => {
  const long = `n${'x'.repeat(199)}`;
  const drawing = await drawingOf(`(root)-[:PROCESS]->(${long} { id: ID! })`);
  const box = drawing.boxes.find(({ node }) => node === long);
  expect(box?.text[0]).toBe(`n${'x'.repeat(38)}…`);
  expect(box?.width).toBeLessThan(500);
  expect(drawing.lines[0]?.text[1]).toHaveLength(40);
  expect(drawing.lines[0]?.coordinate).toBe(`Query.${long}`);
});
