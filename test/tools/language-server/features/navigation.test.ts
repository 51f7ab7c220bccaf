import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { DocumentHighlight, Location } from 'vscode-languageserver';
import { type Client, startClient } from '../client.js';
import { files } from '../workspace-files.js';

/** Places as `file:line what stands there`, in no particular order. */
function placesOf(client: Client, locations: readonly Location[]): string[] {
  return locations
    .map(({ uri, range: { start, end } }) => {
      const name = uri.slice(client.uri('').length).replace(/^\//, '');
      const line = readFileSync(fileURLToPath(uri), 'utf8').split('\n')[start.line];
      return `${name}:${start.line + 1} ${line?.slice(start.character, end.character)}`;
    })
    .sort();
}

async function definitionOf(name: string, mark: number): Promise<string[]> {
  const client = await startClient(files);
  return placesOf(client, await client.request('textDocument/definition', client.at(name, mark)));
}

async function referencesOf(name: string, mark: number, includeDeclaration = true): Promise<string[]> {
  const client = await startClient(files);
  const params = { ...client.at(name, mark), context: { includeDeclaration } };
  return placesOf(client, await client.request('textDocument/references', params));
}

describe('go to definition', () => {
  test.each([
    ['of an import goes to its file', 'main.gg', 1, ['log.gg:1 ']],
    ['of a type goes to the declarations of its node', 'main.gg', 3, ['people.gg:11 user', 'people.gg:4 user']],
    ['of a node goes to its declaration in another file', 'main.gg', 6, ['log.gg:2 audit_log']],
    ['of a default goes to the value of the enum', 'main.gg', 4, ['people.gg:10 GOOD']],
    ['of an edge type goes nowhere', 'main.gg', 2, []],
  ])('%s', async (_, name, mark, places) => {
    expect(await definitionOf(name, mark)).toEqual(places);
  });

  test('of an import of a missing file has no result', async () => {
    const client = await startClient({ 'a.gg': "import './§1nowhere.gg'\n(a)\n" });
    expect(await client.request('textDocument/definition', client.at('a.gg', 1))).toEqual([]);
    expect(await client.request('textDocument/hover', client.at('a.gg', 1))).toBeNull();
  });

  test('of a node that is never declared goes to its first mention', async () => {
    const client = await startClient({ 'a.gg': '(root)-[:FORK]->(b)\n(b)-[:FORK]->(§1root)\n' });
    const found = await client.request<Location[]>('textDocument/definition', client.at('a.gg', 1));
    expect(placesOf(client, found)).toEqual(['a.gg:1 root']);
  });
});

describe('references', () => {
  test('of a node are found in all files of the topologies that share it, as id and as type', async () => {
    const all = [
      'log.gg:2 User',
      'main.gg:5 User',
      'main.gg:5 UserInput',
      'people.gg:11 user',
      'people.gg:4 user',
      'reports.gg:2 User',
      'reports.gg:2 user',
    ];
    expect(await referencesOf('people.gg', 1)).toEqual(all);
    expect(await referencesOf('reports.gg', 1)).toEqual(all);
  });

  test('omit the declarations on request', async () => {
    expect(await referencesOf('people.gg', 6, false)).toEqual([
      'log.gg:2 User',
      'main.gg:5 User',
      'main.gg:5 UserInput',
      'reports.gg:2 User',
      'reports.gg:2 user',
    ]);
  });

  test.each([
    ['of a field are those on its own node', 'people.gg', 3, ['people.gg:7 name']],
    [
      'of a value are its declaration and the defaults',
      'people.gg',
      5,
      ['main.gg:6 GOOD', 'people.gg:10 GOOD', 'people.gg:8 GOOD'],
    ],
    ['of a label are all nodes with it', 'people.gg', 2, ['people.gg:4 Person']],
    ['of an edge type are all edges of it', 'main.gg', 5, ['main.gg:6 FOLD']],
    [
      'of an exported name are found',
      'log.gg',
      1,
      ['log.gg:1 audit_log', 'log.gg:2 audit_log', 'main.gg:2 audit_log', 'main.gg:7 audit_log'],
    ],
  ])('%s', async (_, name, mark, places) => {
    expect(await referencesOf(name, mark)).toEqual(places);
  });

  test('are found in calls, in lists of defaults, and between quotes', async () => {
    const client = await startClient({
      'a.gg': [
        '(mood: Enum { values: [§1GOOD, BAD] })',
        "(§2x { m: [Mood!] = [GOOD, BAD], n: Mood = 'GOOD', o: Mood = 5 })",
        'x.f().g()',
        'h(f(x))',
      ].join('\n'),
    });
    const ask = async (mark: number) => {
      const params = { ...client.at('a.gg', mark), context: { includeDeclaration: true } };
      return placesOf(client, await client.request('textDocument/references', params));
    };
    expect(await ask(1)).toEqual(['a.gg:1 GOOD', 'a.gg:2 GOOD', 'a.gg:2 GOOD']);
    expect(await ask(2)).toEqual(['a.gg:2 x', 'a.gg:3 x', 'a.gg:4 x']);
  });

  test('are empty for a word that only looks like an enum value', async () => {
    const client = await startClient({ 'a.gg': '(mood { values: [§1GOOD] })\n(a { m: Mood = §2GOOD })\n' });
    for (const mark of [1, 2]) {
      const params = { ...client.at('a.gg', mark), context: { includeDeclaration: true } };
      expect(await client.request('textDocument/references', params)).toEqual([]);
    }
  });

  test('are empty where there is no name', async () => {
    const client = await startClient(files);
    const params = {
      textDocument: { uri: client.uri('main.gg') },
      position: { line: 2, character: 0 },
      context: { includeDeclaration: true },
    };
    expect(await client.request('textDocument/references', params)).toEqual([]);
    expect(await client.request('textDocument/definition', params)).toEqual([]);
    expect(await client.request('textDocument/documentHighlight', params)).toEqual([]);
  });

  test('use the text in the editor instead of the file on disk', async () => {
    const client = await startClient(files);
    client.open('log.gg', '(audit_log: Event { at: String! })\n');
    const params = { ...client.at('people.gg', 1), context: { includeDeclaration: true } };
    expect(placesOf(client, await client.request('textDocument/references', params))).not.toContain('log.gg:2 User');
  });
});

test('highlights are the references in the same file', async () => {
  const client = await startClient(files);
  const found = await client.request<DocumentHighlight[]>('textDocument/documentHighlight', client.at('people.gg', 1));
  expect(found.map(({ range: { start }, kind }) => [start.line, kind])).toEqual([
    [3, 3],
    [10, 3],
  ]);
});
