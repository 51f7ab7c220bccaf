import { describe, expect, it } from 'vitest';
import type { Drawing, Point } from '../../../src/analysis/diagram/drawing.js';
import { drawingOf } from './diagrams.js';

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const topologies: Readonly<Record<string, string>> = {
  'a hub of queries': many(60, (at) => `(root)-[:PROCESS]->(thing_${at}: Record { id: ID! })`),
  'a hub of mutations': many(
    60,
    (at) => `(form_${at}: Form)-[:FOLD { operation: 'put${at}' }]->(all: Record { id: ID! })`,
  ),
  'a race of many': `(${Array.from({ length: 13 }, (_, at) => `quote_${at}`).join(' | ')})-[:RACE]->(best)`,
  'hubs, pairs and chains': [
    many(30, (at) => `(root)-[:PROCESS]->(read_${at}: Record { id: ID! })`),
    many(12, (at) => `(root)-[:MEASURE]->(a_rather_long_name_of_a_node_${at})`),
    many(30, (at) => `(input_${at}: Input { name: String! })-[:FOLD]->(saved_${at}: Record { id: ID! })`),
    many(5, (at) => `(saved_${at})-[:FORK]->(event_${at}: Event { id: ID! })`),
    '(read_1)-[:PROCESS]->(read_2)',
  ].join('\n'),
  '200 nodes': many(191, (at) => `(hub_${at % 9})-[:PROCESS]->(target_${at}: Record { id: ID! })`),
};

type Area = Point & Readonly<Record<'width' | 'height', number>>;

/** The pairs of boxes and texts that overlap. */
function overlaps({ boxes, lines }: Drawing): readonly string[] {
  const areas: [string, Area][] = [
    ...boxes.map((box): [string, Area] => [box.text.join(' '), box]),
    ...lines.flatMap(({ text, label }): [string, Area][] => (label ? [[text.join(' '), label]] : [])),
  ];
  return areas.flatMap(([name, one], at) =>
    areas.slice(at + 1).flatMap(([other, { x, y, width, height }]) => {
      const across = (one.width + width) / 2 - Math.abs(one.x - x);
      const down = (one.height + height) / 2 - Math.abs(one.y - y);
      return Math.min(across, down) > 1 ? [`${name} / ${other}`] : [];
    }),
  );
}

describe('a drawing of many nodes', () => {
  it.each(Object.entries(topologies))('of %s has no texts and boxes that overlap', async (_, topology) => {
    expect(overlaps(await drawingOf(topology))).toEqual([]);
  });

  it.each(['a hub of queries', 'a hub of mutations', 'hubs, pairs and chains', '200 nodes'])(
    'of %s is about as wide as a screen',
    async (name) => {
      const { width, height } = await drawingOf(topologies[name] as string);
      expect(width / height).toBeGreaterThan(1);
      expect(width / height).toBeLessThan(2.2);
    },
  );

  it('ends each line at its boxes', async () => {
    for (const topology of Object.values(topologies)) {
      const { boxes, lines } = await drawingOf(topology);
      const byKey = new Map(boxes.map((box) => [box.key, box]));
      const isAt = (key: string, { x, y }: Point) => {
        const box = byKey.get(key) as Area;
        return Math.abs(x - box.x) <= box.width / 2 + 3 && Math.abs(y - box.y) <= box.height / 2 + 3;
      };
      for (const { from, to, path, tip } of lines) {
        const points = [...path.matchAll(/([-\d.]+),([-\d.]+)/g)].map(([, x, y]) => ({
          x: Number(x),
          y: Number(y),
        }));
        expect((points.length - 1) % 3).toBe(0);
        expect(isAt(from, points[0] as Point)).toBe(true);
        expect(isAt(to, tip ?? (points.at(-1) as Point))).toBe(true);
      }
    }
  });
});
