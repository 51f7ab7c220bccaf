import { describe, expect, test } from 'vitest';
import type {
  DocumentSymbol,
  FoldingRange,
  SemanticTokens,
  SemanticTokensDelta,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { generateTopology } from '../../bench/generate.js';
import { type Client, startClient } from './client.js';
import { files } from './workspace-files.js';

const text = `import './b.gg'
import './c.gg'

// One thing.
// And another.

/* A block
   of two lines */
/// Documented.
(user: Record {
  id: ID!,
  status: Status = GOOD,
})
(status: Enum { values: [GOOD] })
(day: Scalar)
(user)-[:PROCESS { limit: Int = 5, done: true, name: 'x' }]->(
  read_user
  | other_user: Record {
      id: ID!,
    }
)
`;

describe('the outline', () => {
  test('contains the declared nodes with their properties, and the edges, in source order', async () => {
    const client = await startClient({ 'a.gg': text });
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri: client.uri('a.gg') },
    });
    const outline = symbols.map(({ name, detail, kind, children = [] }) => [
      name,
      detail,
      kind,
      children.map((child) => child.name),
    ]);
    expect(outline).toEqual([
      ['user', 'Record', 5, ['id', 'status']],
      ['status', 'Enum', 10, ['values']],
      ['day', 'Scalar', 26, []],
      ['user → read_user | other_user', 'PROCESS', 12, []],
      ['other_user', 'Record', 5, ['id']],
    ]);
    expect(symbols[0]?.range).toEqual({ start: { line: 9, character: 1 }, end: { line: 12, character: 1 } });
  });

  test('omits undeclared nodes, calls, and edges without a type', async () => {
    const client = await startClient({
      'a.gg': 'f(x)\n(a)\n(b)-[]->(c)\nexport { a }\n(d)-[:FORK]->(e)-[:RACE]->(f)\n',
    });
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri: client.uri('a.gg') },
    });
    expect(symbols.map(({ name }) => name)).toEqual(['b → c', 'd → e', 'e → f']);
  });

  test('of all files is searched by a part of the id', async () => {
    const client = await startClient(files);
    const found = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'USER_' });
    expect(found.map(({ name }) => name)).toEqual(['user_mood']);
    const all = await client.request<WorkspaceSymbol[]>('workspace/symbol', { query: '' });
    expect(new Set(all.map(({ location }) => location.uri)).size).toBe(4);
  });
});

test('folds statements, maps, comments and imports of several lines', async () => {
  const client = await startClient({ 'a.gg': text });
  const folds = await client.request<FoldingRange[]>('textDocument/foldingRange', {
    textDocument: { uri: client.uri('a.gg') },
  });
  expect(folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind])).toEqual([
    [0, 1, 'imports'],
    [3, 4, 'comment'],
    [6, 7, 'comment'],
    [9, 12, undefined],
    [15, 20, undefined],
    [17, 19, undefined],
  ]);
});

/** The tokens as `text:type`, decoded as an editor would. */
function decode(client: Client, source: string, { data }: SemanticTokens): string[] {
  const { legend } = client.initialized.capabilities.semanticTokensProvider ?? { legend: undefined };
  const document = TextDocument.create('', '', 0, source);
  const tokens: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines, characters, length, type, modifiers] = data.slice(at, at + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    line += lines;
    character = lines === 0 ? character + characters : characters;
    const start = document.offsetAt({ line, character });
    const bits = (legend?.tokenModifiers ?? []).filter((_, bit) => (modifiers >> bit) % 2 === 1);
    tokens.push([source.slice(start, start + length), legend?.tokenTypes[type], ...bits].join(':'));
  }
  return tokens;
}

describe('semantic tokens', () => {
  const full = (client: Client, name: string) =>
    client.request<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument: { uri: client.uri(name) },
    });

  test('have a type for each word', async () => {
    const client = await startClient({ 'a.gg': text });
    expect(decode(client, text, await full(client, 'a.gg'))).toEqual([
      'import:keyword',
      "'./b.gg':string",
      'import:keyword',
      "'./c.gg':string",
      '// One thing.:comment',
      '// And another.:comment',
      '/* A block:comment',
      '   of two lines */:comment',
      '/// Documented.:comment:documentation',
      'user:class:declaration',
      'Record:interface',
      'id:property:declaration',
      'ID:type',
      'status:property:declaration',
      'Status:type',
      'GOOD:enumMember',
      'status:class:declaration',
      'Enum:interface',
      'values:property:declaration',
      'GOOD:enumMember:declaration',
      'day:class:declaration',
      'Scalar:interface',
      'user:class',
      'PROCESS:event',
      'limit:parameter:declaration',
      'Int:type',
      '5:number',
      'done:parameter:declaration',
      'true:keyword',
      'name:parameter:declaration',
      "'x':string",
      'read_user:class',
      'other_user:class:declaration',
      'Record:interface',
      'id:property:declaration',
      'ID:type',
    ]);
  });

  test('are the same with CRLF line breaks', async () => {
    const windows = text.replaceAll('\n', '\r\n');
    const client = await startClient({ 'a.gg': text, 'b.gg': windows });
    expect((await full(client, 'b.gg')).data).toEqual((await full(client, 'a.gg')).data);
  });

  test('after an edit are reported as the difference', async () => {
    const long = generateTopology({ edges: 100 });
    const client = await startClient({ 'a.gg': long });
    client.open('a.gg');
    const before = await full(client, 'a.gg');
    const start = { line: 40, character: 0 };
    client.change('a.gg', '(new: Thing)\n', { start, end: start });
    const delta = await client.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
      textDocument: { uri: client.uri('a.gg') },
      previousResultId: before.resultId,
    });
    const data = [...before.data];
    for (const edit of delta.edits) data.splice(edit.start, edit.deleteCount, ...(edit.data ?? []));
    expect(delta.edits[0]?.data?.length).toBeLessThan(30);
    expect(data).toEqual((await full(client, 'a.gg')).data);
    const same = await client.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
      textDocument: { uri: client.uri('a.gg') },
      previousResultId: String(Number(delta.resultId) + 1),
    });
    expect(same.edits).toEqual([]);
    const unknown = await client.request<SemanticTokens>('textDocument/semanticTokens/full/delta', {
      textDocument: { uri: client.uri('a.gg') },
      previousResultId: 'x',
    });
    expect(unknown.data).toEqual(data);
  });

  test('of a range are part of those of the whole', async () => {
    const long = generateTopology({ edges: 200 });
    const client = await startClient({ 'a.gg': long });
    const part = await client.request<SemanticTokens>('textDocument/semanticTokens/range', {
      textDocument: { uri: client.uri('a.gg') },
      range: { start: { line: 150, character: 0 }, end: { line: 160, character: 0 } },
    });
    const all = decode(client, long, await full(client, 'a.gg'));
    const some = decode(client, long, part);
    expect(some.length).toBeLessThan(all.length / 2);
    expect(all.join('\n')).toContain(some.join('\n'));
  });
});
