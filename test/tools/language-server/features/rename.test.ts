import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Range, TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { compile } from '../../../../src/compiler/compile.js';
import { type Client, startClient } from '../client.js';
import { files } from '../workspace-files.js';

/** The workspace after a rename: the texts of the files that it changes. */
async function renamed(name: string, mark: number, newName: string): Promise<Record<string, string>> {
  const client = await startClient(files);
  const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
    ...client.at(name, mark),
    newName,
  });
  return apply(client, edit.changes ?? {});
}

function apply(client: Client, changes: Readonly<Record<string, TextEdit[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(changes).map(([uri, edits]) => {
      const name = uri.slice(client.uri('').length).replace(/^\//, '');
      const document = TextDocument.create(uri, 'gg', 0, readFileSync(join(client.folder, name), 'utf8'));
      return [name, TextDocument.applyEdits(document, edits)];
    }),
  );
}

async function refusal(name: string, mark: number, newName: string): Promise<string> {
  const client = await startClient(files);
  return client.request('textDocument/rename', { ...client.at(name, mark), newName }).then(
    (edit) => `no refusal but ${JSON.stringify(edit)}`,
    (error: Error) => error.message,
  );
}

describe('a rename', () => {
  test('of a node changes its ids and its types in every topology that shares them', async () => {
    const after = await renamed('people.gg', 1, 'person');
    expect(Object.keys(after).sort()).toEqual(['log.gg', 'main.gg', 'people.gg', 'reports.gg']);
    expect(after['log.gg']).toContain('by: Person })');
    expect(after['main.gg']).toContain('owner: Person!');
    expect(after['main.gg']).toContain('input: PersonInput');
    expect(after['people.gg']).toContain('(person: Entity:Person {');
    expect(after['people.gg']).toContain('(person { nick: String })');
    expect(after['people.gg']).toContain('(user_mood: Enum');
    expect(after['reports.gg']).toContain('returns: [Person!]! }]->(person)');
  });

  test('and its reverse restore the text', async () => {
    const there = await renamed('people.gg', 1, 'person');
    const client = await startClient({ ...files, ...there });
    const params = { textDocument: { uri: client.uri('people.gg') }, position: { line: 3, character: 2 } };
    const back = await client.request<WorkspaceEdit>('textDocument/rename', { ...params, newName: 'user' });
    const after = apply(client, back.changes ?? {});
    for (const [name, text] of Object.entries(after)) expect(text).toBe(files[name]?.replace(/§\d/g, ''));
  });

  test('does not break a topology that compiled', async () => {
    const after = await renamed('main.gg', 6, 'protocol');
    const texts = {
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace(/§\d/g, '')])),
      ...after,
    };
    const result = compile(
      { name: 'main.gg', source: texts['main.gg'] as string },
      { readImport: (path) => texts[path] },
    );
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.schema.subscriptions.map(({ name }) => name)).toEqual(['protocol']);
    expect(after['log.gg']).toContain('export { protocol }');
    expect(after['main.gg']).toContain("import { protocol } from './log.gg'");
  });

  test('checks a topology without references that shares a file', async () => {
    const client = await startClient({
      'main.gg': "import './a.gg'\nimport './lib.gg'\n(root)-[:PROCESS]->(b)\n",
      'a.gg': '(§1thing { x: Int })\n',
      'lib.gg': '(lib { y: Int })\n',
      'other.gg': "import './lib.gg'\n(thing { z: Int })\n",
    });
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at('a.gg', 1),
      newName: 'object',
    });
    expect(Object.keys(edit.changes ?? {})).toEqual([client.uri('a.gg')]);
  });

  test('ignores errors that existed before the rename', async () => {
    const client = await startClient({ 'a.gg': '(§1a { x: Nowhere! })\n(b { y: A })\n' });
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at('a.gg', 1),
      newName: 'aa',
    });
    expect(apply(client, edit.changes ?? {})['a.gg']).toBe('(aa { x: Nowhere! })\n(b { y: Aa })\n');
  });

  test('names a file outside of all folders by its full path', async () => {
    const client = await startClient({});
    const uri = 'untitled:Untitled-1';
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'gg', version: 1, text: '(a)\n(b { x: )\n' },
    });
    const params = { textDocument: { uri }, position: { line: 0, character: 1 }, newName: 'c' };
    await expect(client.request('textDocument/rename', params)).rejects.toThrow('untitled:Untitled-1 has errors');
  });

  test('of the target of a race changes the name of its union', async () => {
    const client = await startClient({
      'a.gg': '(x | y)-[:RACE]->(§1fast)\n(root)-[:PROCESS { returns: FastRace }]->(z)\n',
    });
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at('a.gg', 1),
      newName: 'quick',
    });
    expect(apply(client, edit.changes ?? {})['a.gg']).toContain('returns: QuickRace');
  });

  test('of a type renames its node', async () => {
    expect(await renamed('main.gg', 3, 'person')).toEqual(await renamed('people.gg', 1, 'person'));
  });

  test('of a field changes all declarations of its node, and no other node', async () => {
    expect(Object.keys(await renamed('people.gg', 3, 'full_name'))).toEqual(['people.gg']);
    expect((await renamed('people.gg', 3, 'full_name'))['people.gg']).toContain('  full_name: String!,');
  });

  test('of a value changes the enum and the defaults', async () => {
    const after = await renamed('main.gg', 4, 'FINE');
    expect(after['main.gg']).toContain('mood: UserMood = FINE');
    expect(after['people.gg']).toContain('mood: UserMood! = FINE');
    expect(after['people.gg']).toContain('values: [FINE, BAD]');
  });

  test('of a label changes all nodes with it', async () => {
    expect((await renamed('people.gg', 2, 'Human'))['people.gg']).toContain('(user: Entity:Human {');
  });

  test('to the same name has no effect', async () => {
    expect(await renamed('people.gg', 1, 'user')).toEqual({});
  });

  test('includes the versions of open files for clients that support them', async () => {
    const client = await startClient(files, {
      capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
    });
    client.open('log.gg');
    client.change('log.gg', `// new\n${(files['log.gg'] ?? '').replace(/§\d/g, '')}`);
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      ...client.at('people.gg', 1),
      newName: 'person',
    });
    const changes = (edit.documentChanges ?? []) as TextDocumentEdit[];
    expect(changes.find(({ textDocument: { uri } }) => uri === client.uri('log.gg'))).toMatchObject({
      textDocument: { version: 2 },
      edits: [{ range: { start: { line: 2 } } }],
    });
    const closed = changes.find(({ textDocument: { uri } }) => uri === client.uri('main.gg'));
    expect(closed?.textDocument.version).toBeNull();
  });
});

describe('a rename is rejected', () => {
  test.each([
    [
      'when two nodes would become one',
      'people.gg',
      1,
      'audit_log',
      'A node “audit_log” exists already; the two would become one.',
    ],
    [
      'when two nodes would become one type',
      'people.gg',
      1,
      'auditLog',
      '“auditLog” would become the type AuditLog, like the node “audit_log”.',
    ],
    [
      'when the name is none',
      'people.gg',
      1,
      'a person',
      '“a person” is not a name: names use letters A–Z, digits and _.',
    ],
    [
      'when GraphQL keeps the name for itself',
      'people.gg',
      1,
      'query',
      'Cannot rename to “query”: Node “query” would become the type Query, a name that GraphQL reserves.',
    ],
    [
      'when the type would be that of an input',
      'people.gg',
      1,
      'audit_log_input',
      'Cannot rename to “audit_log_input”: Node “audit_log_input” would become the type AuditLogInput, which is already derived from “audit_log”.',
    ],
    ['when the node has such a field', 'people.gg', 3, 'nick', 'Node “user” has a field “nick” already.'],
    [
      'when a field would begin with a digit',
      'people.gg',
      3,
      '1st',
      '“1st” cannot be used here: it begins with a digit.',
    ],
    ['when the enum has such a value', 'people.gg', 5, 'BAD', 'The enum “user_mood” has a value BAD already.'],
    [
      'when two labels would become one',
      'people.gg',
      2,
      'Record',
      'A label “Record” exists already; the two would become one.',
    ],
    ['when a label would get a meaning', 'people.gg', 2, 'Enum', 'The label Enum would change the kind of the nodes.'],
    ['when a label has one', 'people.gg', 4, 'Choice', 'The label Enum is built in and cannot be renamed.'],
    [
      'for an edge type',
      'main.gg',
      2,
      'FOLD',
      'An edge type cannot be renamed: it selects the projection of the edge.',
    ],
    ['for a file', 'main.gg', 1, 'other.gg', 'A file cannot be renamed here. Rename it in the file system.'],
  ])('%s', async (_, name, mark, newName, message) => {
    expect(await refusal(name, mark, newName)).toBe(message);
  });

  test('while a file has errors, because references in it could be missed', async () => {
    const client = await startClient({ ...files, 'sub/broken.gg': "import '../people.gg'\n(user { x: )\n" });
    const asked = client.request('textDocument/rename', { ...client.at('people.gg', 1), newName: 'person' });
    await expect(asked).rejects.toThrow(
      'sub/broken.gg has errors, so references in it could be missed. Fix them first.',
    );
  });

  test('where there is no name, and for a name without references', async () => {
    const client = await startClient({ 'a.gg': '(a)-[:PROCESS { §1limit: §2Int }]->(b)\n// nothing\n' });
    const ask = (position: Range['start']) =>
      client.request('textDocument/prepareRename', { textDocument: { uri: client.uri('a.gg') }, position });
    await expect(ask({ line: 1, character: 4 })).rejects.toThrow('There is no name here to rename.');
    await expect(ask(client.at('a.gg', 1).position)).rejects.toThrow('“limit” has no other references');
    await expect(ask(client.at('a.gg', 2).position)).rejects.toThrow('“Int” has no other references');
  });
});

test('reports the range and the node of a name that can be renamed', async () => {
  const client = await startClient(files);
  const { position } = client.at('main.gg', 3);
  expect(await client.request('textDocument/prepareRename', client.at('main.gg', 3))).toEqual({
    range: { start: position, end: { ...position, character: position.character + 4 } },
    placeholder: 'user',
  });
});
