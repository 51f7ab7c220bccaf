import { describe, expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver';
import { startClient } from '../client.js';
import { files } from '../workspace-files.js';

const capabilities = { experimental: { runRequest: true } };

describe('code lenses', () => {
  test('offer the example request of each query and mutation, at the type of its edge', async () => {
    const client = await startClient(files, { capabilities });
    const { textDocument, position } = client.at('main.gg', 2);
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    expect(lenses.map(({ command }) => command?.title)).toEqual([
      'Run request: GET /api/readUser',
      'Run request: POST /api/saveUser',
    ]);
    expect(lenses[0]).toEqual({
      range: { start: position, end: { ...position, character: position.character + 'PROCESS'.length } },
      command: {
        title: 'Run request: GET /api/readUser',
        command: 'gg.runRequest',
        arguments: [{ method: 'GET', target: expect.stringMatching(/^\/api\/readUser\?id=1&/) }],
      },
    });
    expect(lenses[1]?.command?.arguments).toEqual([
      { method: 'POST', target: '/api/saveUser', body: { input: { name: 'Ada Lovelace', mood: 'GOOD' } } },
    ]);
  });

  test('offer to follow the stream of each subscription, to clients that support it', async () => {
    const client = await startClient(
      { 'main.gg': '(a { x: Int })-[:FOLD]->(b)\n(b)-[:FORK { room: ID! }]->(c: Event { room: ID! })\n' },
      { capabilities: { experimental: { followStream: true } } },
    );
    const textDocument = { uri: client.uri('main.gg') };
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    expect(lenses.map(({ command }) => command)).toEqual([
      {
        title: 'Follow stream: GET /api/c',
        command: 'gg.followStream',
        arguments: [{ method: 'GET', target: '/api/c?room=1' }],
      },
    ]);
    expect(lenses[0]?.range.start).toEqual({ line: 1, character: 6 });
  });

  test('are only on the edges of the file, even if only some of its statements can be parsed', async () => {
    const client = await startClient({ ...files, 'people.gg': '(user-[:\n(a)-[:PROCESS]->(user)\n' }, { capabilities });
    const titles = async (name: string) => {
      const { uri } = client.at(name, 1).textDocument;
      const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      return lenses.map(({ command }) => command?.title);
    };
    expect(await titles('log.gg')).toEqual([]);
    expect(await titles('reports.gg')).toEqual(['Run request: GET /api/user']);
  });

  test('are offered only to clients that can run requests', async () => {
    const client = await startClient(files);
    const { textDocument } = client.at('main.gg', 2);
    expect(await client.request('textDocument/codeLens', { textDocument })).toEqual([]);
  });
});
