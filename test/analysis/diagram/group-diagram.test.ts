import { instance } from '@viz-js/viz';
import { describe, expect, it } from 'vitest';
import { createDiagram, type Diagram } from '../../../src/analysis/diagram/diagram.js';
import { groupDiagram } from '../../../src/analysis/diagram/group-diagram.js';
import { hubOfBoxes } from '../../../src/analysis/diagram/hubs.js';
import { drawDiagram } from '../../../src/analysis/diagram/layout.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { type Files, pages, proofs, shop } from './large-topologies.js';

function diagramOfFiles(files: Files): Diagram {
  const { ir, schema, diagnostics } = analyze(
    Object.entries(files).map(([name, source]) => ({ name, source })),
    { readImport: (path) => files[path.replace(/^.*\//, '')] },
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return createDiagram(ir, schema) as Diagram;
}

const [shopDiagram, pagesDiagram, proofsDiagram] = [shop, pages, proofs].map(diagramOfFiles) as [
  Diagram,
  Diagram,
  Diagram,
];
const textsOf = ({ boxes }: Diagram) => boxes.map(({ text }) => text.join(', '));
const nodesOf = ({ boxes }: Diagram) => boxes.flatMap(({ node, members = [] }) => node ?? members);

describe('the groups of a large diagram', () => {
  it.each([
    ['hubs and chains', shopDiagram, 217],
    ['tests', pagesDiagram, 517],
    ['proofs', proofsDiagram, 100],
  ])('of %s have every node once, in at most 42 boxes, and lines between boxes that exist', (_, diagram, count) => {
    const grouped = groupDiagram(diagram);
    const nodes = nodesOf(grouped);
    expect([nodes.length, new Set(nodes).size]).toEqual([count, count]);
    const boxes = grouped.boxes.filter(({ kind }) => kind !== 'meeting');
    expect(boxes.length).toBeLessThanOrEqual(42);
    expect([...grouped.boxes, ...grouped.lines].flatMap(({ text }) => text).length).toBeGreaterThanOrEqual(30);
    const keys = new Set(grouped.boxes.map(({ key }) => key));
    expect(keys.size).toBe(grouped.boxes.length);
    for (const { from, to } of grouped.lines)
      expect([from, keys.has(from), to, keys.has(to)]).toEqual([from, true, to, true]);
  });

  it('are those of files, hubs and kinds, with their number and their place', async () => {
    expect(textsOf(groupDiagram(pagesDiagram))).toEqual(
      expect.arrayContaining([
        '36 checks, around page_0',
        '36 results, around verdict_0',
        '34 results, around verdict_6',
      ]),
    );
    expect(textsOf(groupDiagram(shopDiagram))).toEqual(
      expect.arrayContaining([
        'bus',
        '22 events, event_0 – event_21',
        'store',
        '20 records, order_0 – order_19',
        '22 steps, step_1 – step_22',
      ]),
    );
    const { width } = drawDiagram(groupDiagram(shopDiagram), await instance());
    expect(width).toBeGreaterThan(0);
  });

  it('share one line for all their edges of a type, with the number of the edges', () => {
    const { boxes, lines } = groupDiagram(pagesDiagram);
    const keyOf = (text: string) => boxes.find((box) => box.text.join(', ') === text)?.key;
    const between = (from: string, to: string) =>
      lines
        .filter((line) => line.from === keyOf(from) && line.to === keyOf(to))
        .map(({ text, coordinate }) => [text, coordinate]);
    expect(between('36 checks, around page_0', '36 results, around verdict_0')).toEqual([[['RACE', '×36'], undefined]]);
    expect(between('36 results, around verdict_0', 'verdict_0, Verdict')).toEqual([
      [['FOLD', 'verdict0'], 'Mutation.verdict0'],
    ]);
  });

  it('are opened by their ids, and leave out the nodes and the ends of edges that are named', () => {
    const closed = groupDiagram(pagesDiagram);
    const group = closed.boxes.find(({ text }) => text[0] === '36 checks')?.group as string;
    const opened = groupDiagram(pagesDiagram, [group]);
    expect(textsOf(opened)).toContain('18 checks, check_0 – check_17');
    const range = opened.boxes.find(({ text }) => text[1] === 'check_0 – check_17')?.group as string;
    expect(textsOf(groupDiagram(pagesDiagram, [group, range, 'gone']))).toContain('check_17, Check');
    expect(textsOf(groupDiagram(pagesDiagram, ['(result_3)']))).toEqual(
      expect.arrayContaining(['result_3, Result', '35 results, around verdict_0']),
    );
    const edge = textsOf(groupDiagram(pagesDiagram, ['Result3Race']));
    expect(edge).toEqual(expect.arrayContaining(['check_3, Check', 'result_3, Result']));
    expect(textsOf(groupDiagram(pagesDiagram, ['Mutation.verdict0']))).toContain('result_35, Result');
  });

  it('do not exist in a diagram of up to 60 nodes', () => {
    const small = diagramOfFiles({ 'a.gg': shop['steps.gg'] as string });
    expect(groupDiagram(small)).toBe(small);
  });

  it('name nodes without labels, count fields, and divide even thousands of unconnected nodes', () => {
    const text = Array.from({ length: 3000 }, (_, at) => `(n${at} { id: ID!, next: N${(at * 7) % 3000} })\n`).join('');
    const grouped = groupDiagram(diagramOfFiles({ 'a.gg': text }));
    expect(grouped.boxes.length).toBeLessThanOrEqual(40);
    expect(textsOf(grouped)).toContain('125 nodes, n0 – n124');
    expect(grouped.lines[0]?.text[0]).toMatch(/^\d+ fields$/);
  });

  it('have plural nouns', () => {
    const many = (label: string) =>
      Array.from({ length: 30 }, (_, at) => `(hub_${label})-[:MEASURE]->(${label}_${at}: ${label} { id: ID! })\n`).join(
        '',
      );
    const files = { 'a.gg': ['Entity', 'Address', 'OrderLine'].map(many).join('') };
    expect(textsOf(groupDiagram(diagramOfFiles(files))).join()).toMatch(/entities.*addresses.*order lines/);
  });
});

describe('hubs', () => {
  it('own the nodes nearest to them; sources of one edge are not neighbours of each other', () => {
    const hubs = hubOfBoxes(pagesDiagram);
    const hubOf = (id: string) => hubs.get(pagesDiagram.boxes.find(({ node }) => node === id)?.key ?? '');
    expect(['page_0', 'check_0', 'result_0', 'verdict_0', 'result_200'].map(hubOf)).toEqual([
      'page_0',
      'page_0',
      'verdict_0',
      'verdict_0',
      'verdict_5',
    ]);
    expect(new Set(hubs.values()).size).toBe(14);
  });
});
