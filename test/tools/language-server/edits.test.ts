import { describe, expect, test } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import { type Client, startClient } from './client.js';

const whole = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };

function applied(source: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('', '', 0, source), [...edits]);
}

describe('formatting', () => {
  const format = async (client: Client, name: string) =>
    client.request<TextEdit[]>('textDocument/formatting', {
      textDocument: { uri: client.uri(name) },
      options: { tabSize: 2, insertSpaces: true },
    });

  test.each([
    ['in the middle', '(a)\n\n(b,c)-[:FORK]->(d)\n\n(e)\n'],
    ['at the beginning', '(b,c)\n(d)\n'],
    ['at the end', '(a)\n(b,c)'],
    ['everywhere', '(a,b)\n\n\n\n(c  )   \n'],
    ['with line breaks of two characters', '(a)\r\n(b,c)\r\n'],
    ['behind a byte order mark', '\ufeff(a,b)\n'],
  ])('equals the formatter, %s', async (_, source) => {
    const client = await startClient({});
    client.open('a.gg', source);
    const edits = await format(client, 'a.gg');
    const wanted = formatTopology({ name: 'a.gg', text: source.replace('\ufeff', ' ') }).value;
    expect(applied(source, edits)).toBe(wanted);
  });

  test('touches only the lines that differ', async () => {
    const client = await startClient({});
    client.open('a.gg', '(a)\n(b)\n(c,d)\n(e)\n');
    expect(await format(client, 'a.gg')).toEqual([
      { range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } }, newText: '(c | d)\n' },
    ]);
  });

  test('does not change a formatted file, or a file with errors', async () => {
    const client = await startClient({ 'a.gg': '(a)\n', 'b.gg': '(a,  \n' });
    expect(await format(client, 'a.gg')).toEqual([]);
    expect(await format(client, 'b.gg')).toEqual([]);
    expect(await format(client, 'none.gg')).toEqual([]);
  });
});

describe('quick fixes', () => {
  const source = "(root)-[:PROCESS { a: Strng! }]->(b { x: 'Int!', y: 1 })\n";
  const ask = (client: Client, range = whole, only?: string[]) =>
    client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: client.uri('a.gg') },
      range,
      context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
    });
  const open = async (): Promise<Client> => {
    const client = await startClient({ 'a.gg': source });
    client.open('a.gg');
    await client.findings('a.gg', (codes) => codes.includes('GG2008') && codes.includes('GG2009'));
    return client;
  };

  test.each([
    ['(root)-[:PROCES]->(b { x: 1 })\n', 'PROCES', 'PROCESS'],
    ["(root)-[:PROCESS { operaton: 'x' }]->(b { x: 1 })\n", 'operaton', 'operation'],
    ['(root)-[:PROCESS { retruns: B }]->(b { x: 1 })\n', 'retruns', 'returns'],
    ['(root)-[:PROCESS]->(b { mood: Mood })\n(mood: Enm { values: [GOOD] })\n', 'Enm', 'Enum'],
  ])('correct the misspelled word in %j', async (text, word, known) => {
    const client = await startClient({ 'a.gg': text });
    client.open('a.gg', text);
    await client.findings('a.gg', (codes) => codes.length > 0);
    const [fix] = await ask(client);
    expect(fix?.title).toBe(`Write ${known}`);
    const edits = fix?.edit?.changes?.[client.uri('a.gg')] ?? [];
    expect(applied(text, edits)).toBe(text.replace(word, known));
  });

  test('are those of the findings at the cursor', async () => {
    const client = await open();
    const [fix, ...others] = await ask(client, {
      start: { line: 0, character: 24 },
      end: { line: 0, character: 24 },
    });
    expect(others).toEqual([]);
    expect(fix).toMatchObject({ title: 'Write String', kind: 'quickfix', diagnostics: [{ code: 'GG2008' }] });
    const edits = fix?.edit?.changes?.[client.uri('a.gg')] ?? [];
    expect(applied(source, edits)).toBe(source.replace('Strng', 'String'));
  });

  test('are offered beside the finding to an editor that requests them for the line', async () => {
    const client = await open();
    const { diagnostics } = await client.findings('a.gg', () => true);
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: client.uri('a.gg') },
      range: { start: whole.start, end: whole.start },
      context: { diagnostics: diagnostics.filter(({ code }) => code === 'GG2009') },
    });
    expect(actions.map(({ title }) => title)).toEqual(['Remove the quotes']);
  });

  test('can be applied all at once', async () => {
    const client = await open();
    const actions = await ask(client);
    expect(actions.map(({ title }) => title)).toEqual([
      'Write String',
      'Remove the quotes',
      'Make all safe fixes in this file',
    ]);
    const [all] = await ask(client, { start: whole.start, end: whole.start }, ['source.fixAll']);
    const edits = all?.edit?.changes?.[client.uri('a.gg')] ?? [];
    expect(applied(source, edits)).toBe('(root)-[:PROCESS { a: String! }]->(b { x: Int!, y: 1 })\n');
    expect(await ask(client, whole, ['refactor'])).toEqual([]);
    expect((await ask(client, whole, ['quickfix'])).length).toBe(2);
  });

  test('disappear when their place is edited, until the compiler has run again', async () => {
    const client = await open();
    client.change('a.gg', 'Z', { start: { line: 0, character: 23 }, end: { line: 0, character: 24 } });
    expect((await ask(client, whole, ['quickfix'])).map(({ title }) => title)).toEqual(['Remove the quotes']);
  });

  test('move with the text before the compiler has run again', async () => {
    const client = await open();
    client.change('a.gg', '(new)\n', { start: whole.start, end: whole.start });
    const [fix] = await ask(client);
    const edits = fix?.edit?.changes?.[client.uri('a.gg')] ?? [];
    expect(applied(`(new)\n${source}`, edits)).toBe(`(new)\n${source.replace('Strng', 'String')}`);
  });

  test('are absent without a finding', async () => {
    const client = await startClient({ 'a.gg': '(a)\n' });
    expect(await ask(client)).toEqual([]);
    expect(await ask(client, whole, ['source.fixAll'])).toEqual([]);
    const elsewhere = {
      textDocument: { uri: client.uri('none.gg') },
      range: whole,
      context: { diagnostics: [] },
    };
    expect(await client.request('textDocument/codeAction', elsewhere)).toEqual([]);
  });
});
