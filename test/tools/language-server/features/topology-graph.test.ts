import { describe, expect, test } from 'vitest';
import type { TopologyGraph } from '../../../../src/tools/language-server/features/topology-graph.js';
import { startClient } from '../client.js';
import { files } from '../workspace-files.js';

type Drawn = Extract<TopologyGraph, { drawing: unknown }>;

describe('gg/graph', () => {
  test('draws the topology of a file, with the place of each box and line', async () => {
    const client = await startClient(files);
    await client.open('main.gg');
    const { drawing, boxes, lines } = await client.request<Drawn>('gg/graph', {
      textDocument: { uri: client.uri('main.gg') },
    });
    expect(boxes).toHaveLength(drawing.boxes.length);
    expect(lines).toHaveLength(drawing.lines.length);
    const placeOf = (id: string) => boxes[drawing.boxes.findIndex(({ node }) => node === id)];
    // The node is declared in another file, which is not open.
    expect(placeOf('audit_log')).toEqual({
      uri: client.uri('log.gg'),
      range: { start: { line: 1, character: 1 }, end: { line: 1, character: 10 } },
    });
    const line = drawing.lines.findIndex(({ coordinate }) => coordinate === 'Query.readUser');
    expect(lines[line]?.uri).toBe(client.uri('main.gg'));
    expect(lines[line]?.range.start).toEqual({ line: 4, character: 0 });
  });

  test('follows edits', async () => {
    const client = await startClient(files);
    await client.open('alone.gg');
    const nodes = async () => {
      const { drawing } = await client.request<Drawn>('gg/graph', {
        textDocument: { uri: client.uri('alone.gg') },
      });
      return drawing.boxes.map(({ node }) => node);
    };
    expect(await nodes()).toEqual(['user', 'root']);
    await client.change('alone.gg', '(start)-[:PROCESS]->(user { id: ID! })\n');
    expect(await nodes()).toEqual(['start', 'user']);
  });

  test('has the reason for a missing drawing', async () => {
    const many = Array.from({ length: 1001 }, (_, at) => `(n${at})-[:PROCESS]->(user)\n`).join('');
    const client = await startClient({ ...files, 'broken.gg': '(a-[:PROCESS]->(b)\n', 'large.gg': many });
    const ask = (name: string) =>
      client.request<TopologyGraph>('gg/graph', { textDocument: { uri: client.uri(name) } });
    expect(await ask('broken.gg')).toEqual({ problem: 'The topology has errors: 1.' });
    expect(await ask('nosuch.gg')).toEqual({ problem: 'The file cannot be read.' });
    expect(await ask('large.gg')).toEqual({ problem: expect.stringContaining('Cannot lay out') });
  });
});
