import { describe, expect, test } from 'vitest';
import { markOfBox } from '../../web/graph/change-mark.js';
import {
  nameOfBox,
  nameOfPart,
  neighbourhoodIn,
  nextPart,
  partOfName,
  structureOf,
  titleOfBox,
} from '../../web/graph/structure.js';
import { drawingOf } from '../analysis/diagram/diagrams.js';

const topology = `
(root)-[:PROCESS]->(user { id: ID! })
(draft | other)-[:FOLD]->(saved { id: ID! })
(saved)-[:FORK]->(news { id: ID! })
(news)-[:MEASURE]->(load { id: ID! })
(far)-[:PROCESS]->(away { id: ID! })
`;
const structure = structureOf(await drawingOf(topology));

test.each([
  [{ kind: 'node', id: 'read_user' }, '(read_user)'],
  [{ kind: 'edge', coordinate: 'Query.readUser' }, 'Query.readUser'],
  [{ kind: 'edge', coordinate: 'VerdictRace' }, 'VerdictRace'],
] as const)('%o is printed as %s, and parsed back', (part, name) => {
  expect(nameOfPart(part)).toBe(name);
  expect(partOfName(name)).toEqual(part);
});

describe('the structure of a drawing', () => {
  test('leads through meeting points, from each source to the edge and on to its target', () => {
    expect([...(structure.before.get('Mutation.saved') ?? [])]).toEqual(['(draft)', '(other)']);
    expect([...(structure.after.get('Mutation.saved') ?? [])]).toEqual(['(saved)']);
    const stems = [...structure.edges].filter(([line]) => !line.hasHead).map(([, edges]) => edges);
    expect(stems).toEqual([['Mutation.saved'], ['Mutation.saved']]);
  });

  test('leads from node to node along edges that are not part of the API', () => {
    expect([...(structure.after.get('(news)') ?? [])]).toEqual(['(load)']);
  });

  test('has a neighbourhood of each part, which includes it and leaves out what is unconnected', () => {
    expect([...neighbourhoodIn(structure, 'Mutation.saved')].sort()).toEqual(
      ['(draft)', '(news)', '(other)', '(saved)', 'Mutation.saved', 'Subscription.news'].sort(),
    );
    expect([...neighbourhoodIn(structure, '(user)')].sort()).toEqual(['(root)', '(user)', 'Query.user'].sort());
  });
});

describe('the keyboard', () => {
  test('moves along the edges and back', () => {
    expect(nextPart(structure, '(root)', 'right')).toBe('Query.user');
    expect(nextPart(structure, 'Query.user', 'right')).toBe('(user)');
    expect(nextPart(structure, '(user)', 'right')).toBeUndefined();
    expect(nextPart(structure, '(user)', 'left')).toBe('Query.user');
    expect(nextPart(structure, '(load)', 'left')).toBe('(news)');
  });

  test('moves up and down, between nodes or between edges, and back to the same place', () => {
    const start = '(draft)';
    const below = nextPart(structure, start, 'down') ?? nextPart(structure, start, 'up');
    expect(below).toMatch(/^\(/);
    const edges = [...structure.lines.keys()];
    const reached = edges.flatMap((edge) => [nextPart(structure, edge, 'up'), nextPart(structure, edge, 'down')]);
    expect(reached.filter((name) => name !== undefined && !edges.includes(name))).toEqual([]);
    expect(new Set(reached.filter((name) => name !== undefined)).size).toBeGreaterThan(1);
  });

  test('reaches every connected part from every other one', async () => {
    const drawing = await drawingOf(
      '(a)-[:PROCESS]->(b { id: ID! })\n(b)-[:FOLD]->(c { id: ID! })\n(a)-[:PROCESS]->(c)',
    );
    const all = structureOf(drawing);
    const parts = [...all.boxes.keys(), ...all.lines.keys()];
    for (const start of parts) {
      const found = new Set([start]);
      for (const part of found) {
        for (const direction of ['left', 'right', 'up', 'down'] as const) {
          const next = nextPart(all, part, direction);
          if (next !== undefined) found.add(next);
        }
      }
      expect([...found].sort()).toEqual([...parts].sort());
    }
  });

  test('stays where it is at a part that is not drawn', () => {
    expect(nextPart(structure, '(gone)', 'right')).toBeUndefined();
  });
});

describe('a hub', () => {
  const many = Array.from({ length: 20 }, (_, at) => `(hub)-[:FORK]->(event_${at}: Event { id: ID! })\n`).join('');

  test('has a neighbourhood, and is no reason for what surrounds it to be near', async () => {
    const star = structureOf(await drawingOf(many));
    expect(neighbourhoodIn(star, '(hub)').size).toBe(41);
    expect([...neighbourhoodIn(star, '(event_3)')].sort()).toEqual(['(event_3)', '(hub)', 'Subscription.event3']);
  });
});

describe('a group of nodes', () => {
  const place = { x: 0, y: 0, width: 60, height: 36, span: { file: 'a.gg', start: 0, end: 1 } };
  const group = {
    ...place,
    key: 'g0',
    kind: 'group',
    group: '/hub',
    members: ['a', 'b'],
    text: ['2 events', 'around hub'],
  } as const;
  const node = { ...place, key: 'n0', kind: 'object', node: 'a', text: ['a'] } as const;

  test('is known by its id, and read as its texts', () => {
    const known = structureOf({ width: 60, height: 36, boxes: [group, node], lines: [] });
    expect([nameOfBox(group), nameOfBox(node)]).toEqual(['/hub', '(a)']);
    expect(['/hub', '(a)', '(gone)'].map((name) => titleOfBox(known, name))).toEqual(['2 events around hub', 'a', '']);
  });

  test('has the worst mark of its nodes', () => {
    const marks = new Map([
      ['(a)', { level: 'safe', title: '1 change, safe' }],
      ['(b)', { level: 'breaking', title: '1 change, breaking' }],
    ] as const);
    expect(markOfBox(group, marks)).toEqual({ level: 'breaking', title: '2 of its nodes, breaking' });
    expect(markOfBox(node, marks)).toEqual({ level: 'safe', title: '1 change, safe' });
    expect(markOfBox(group, new Map())).toBeUndefined();
  });
});
