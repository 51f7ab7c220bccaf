import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { generateTopology } from '../../../bench/generate.js';
import { startClient } from '../client.js';

const nothing = (codes: readonly string[]) => codes.length === 0;
const holds = (code: string) => (codes: readonly string[]) => codes.includes(code);

describe('findings', () => {
  test('are published when a file is opened, and equal those of the compiler', async () => {
    const client = await startClient({ 'a.gg': '(root)-[:PROCESS]->(user { name: Strng! })\n' });
    client.open('a.gg');
    const { diagnostics, version } = await client.findings('a.gg', holds('GG2008'));
    expect(version).toBe(1);
    expect(diagnostics).toEqual([
      {
        range: { start: { line: 0, character: 33 }, end: { line: 0, character: 38 } },
        severity: 1,
        code: 'GG2008',
        codeDescription: { href: 'file:///GG2008.md' },
        source: 'gg-svc',
        message: 'Unknown type “Strng”.\nDid you mean String?',
      },
    ]);
  });

  test('of the syntax are published with each edit, the others when typing pauses', async () => {
    const client = await startClient({ 'a.gg': '(root)-[:PROCESS]->(user { name: Strng! })\n' });
    client.open('a.gg');
    await client.findings('a.gg', holds('GG2008'));
    client.change('a.gg', '(a { b c })\n', {
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
    });
    expect((await client.findings('a.gg', holds('GG1001'))).version).toBe(2);
    client.change('a.gg', '', { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } });
    const { diagnostics } = await client.findings('a.gg', holds('GG2008'));
    expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line: 0, character: 33 }]);
    client.change('a.gg', '(root)-[:PROCESS]->(user { name: String! })\n');
    await client.findings('a.gg', nothing);
  });

  test('of all files of a topology are reported, as soon as one of them is open', async () => {
    const client = await startClient({
      'main.gg': "import './sub/part.gg'\n(root)-[:PROCESS]->(a { x: Part! })\n",
      'sub/part.gg': '(part { y: Strng! })\n',
    });
    client.open('main.gg');
    const { diagnostics, version } = await client.findings('sub/part.gg', holds('GG2008'));
    expect(diagnostics).toHaveLength(1);
    expect(version).toBeUndefined();
  });

  test('of a file that others import see the whole topology, though only that file is open', async () => {
    const client = await startClient({
      'main.gg': "import './part.gg'\n(root)-[:PROCESS]->(a { x: Int })\n",
      'part.gg': '(part { y: A!, z: Nothing! })\n',
    });
    client.open('part.gg');
    const { diagnostics } = await client.findings('part.gg', holds('GG2008'));
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('Unknown type “Nothing”')]);
  });

  test('use an open document instead of the file on disk, until it is closed', async () => {
    const client = await startClient({
      'main.gg': "import './part.gg'\n(root)-[:PROCESS]->(a { x: Part! })\n",
      'part.gg': '(part { y: Int })\n',
    });
    client.open('main.gg');
    client.open('part.gg', '(other { y: Int })\n');
    await client.findings('main.gg', holds('GG2008'));
    client.close('part.gg');
    await client.findings('main.gg', nothing);
  });

  test('are cleared if no topology of an open file has them', async () => {
    const client = await startClient({
      'main.gg': "import './part.gg'\n(root)-[:PROCESS]->(a { x: Strng! })\n",
      'part.gg': '(part { y: Strng! })\n',
    });
    client.open('main.gg');
    await client.findings('part.gg', holds('GG2008'));
    client.change('main.gg', '(root)-[:PROCESS]->(a)\n');
    await client.findings('part.gg', nothing);
    client.change('main.gg', '(root)-[:PROCESS]->(a { x: Strng! })\n');
    await client.findings('main.gg', holds('GG2008'));
    client.close('main.gg');
    await client.findings('main.gg', nothing);
  });

  test('follow files that change on the disk', async () => {
    const client = await startClient({
      'main.gg': "import './part.gg'\n(root)-[:PROCESS]->(a { x: Part! })\n",
    });
    client.open('main.gg');
    await client.findings('main.gg', holds('GG2001'));
    client.write('part.gg', '(part { y: Int })\n');
    await client.findings('main.gg', nothing);
    client.write('part.gg', '(port { y: Int })\n');
    await client.findings('main.gg', holds('GG2008'));
  });

  test('that a comment ignores stay hidden while the file is edited', async () => {
    const ignored = '// gg-ignore GG1011: it is so in all our files\nx-[:PROCESS]->(y { a: Int })\n';
    const client = await startClient({});
    client.open('a.gg', `${ignored}(z { b: Strng! })\n`);
    await client.findings('a.gg', (codes) => codes.join() === 'GG2008');
    const end = { line: 3, character: 0 };
    client.change('a.gg', '(w)\n', { start: end, end });
    const { version, diagnostics } = await client.findings('a.gg', () => client.published.at(-1)?.version === 2);
    expect([version, diagnostics.map(({ code }) => code)]).toEqual([2, ['GG2008']]);
  });

  test('move with the text while it is typed, with their other places', async () => {
    const client = await startClient({});
    client.open('a.gg', '(root)-[:PROCESS]->(a { x: Int })\n(b)\n(a { x: String })\n');
    await client.findings('a.gg', holds('GG2006'));
    const start = { line: 0, character: 0 };
    client.change('a.gg', '\n\n', { start, end: start });
    const { diagnostics } = await client.findings('a.gg', () => client.published.at(-1)?.version === 2);
    expect(diagnostics[0]).toMatchObject({
      code: 'GG2006',
      range: { start: { line: 4 } },
      relatedInformation: [{ location: { range: { start: { line: 2 } } } }],
    });
    // What is typed over has had its time.
    const line = { start: { line: 4, character: 4 }, end: { line: 4, character: 13 } };
    client.change('a.gg', 'y: Int', line);
    const after = await client.findings('a.gg', () => client.published.at(-1)?.version === 3);
    expect(after.diagnostics).toEqual([]);
  });

  test('have a related place, which may be in another file', async () => {
    const client = await startClient({
      'main.gg': "import './part.gg'\n(root)-[:PROCESS]->(a { x: Int })\n",
      'part.gg': '(a { x: String })\n',
    });
    client.open('main.gg');
    const { diagnostics } = await client.findings('part.gg', holds('GG2006'));
    const place = { line: 1, character: 24 };
    expect(diagnostics[0]?.relatedInformation).toMatchObject([
      { location: { uri: client.uri('main.gg'), range: { start: place } } },
    ]);
    // While the other file is edited the place stays as it was; when it is typed over, it goes.
    client.open('part.gg');
    const { diagnostics: before } = await client.findings('part.gg', () => client.published.at(-1)?.version === 1);
    expect(before).toEqual(diagnostics);
    const end = { line: 1, character: 0 };
    client.change('part.gg', '(b)\n', { start: end, end });
    const { diagnostics: after } = await client.findings('part.gg', () => client.published.at(-1)?.version === 2);
    expect(after).toEqual(diagnostics);
  });

  test('lose a related place that is edited', async () => {
    const client = await startClient({});
    client.open('a.gg', '(root)-[:PROCESS]->(a { x: Int })\n(a { x: String })\n');
    await client.findings('a.gg', holds('GG2006'));
    client.change('a.gg', 'y', { start: { line: 0, character: 24 }, end: { line: 0, character: 25 } });
    const { diagnostics } = await client.findings('a.gg', () => client.published.at(-1)?.version === 2);
    expect(diagnostics.map(({ code, relatedInformation }) => [code, relatedInformation])).toEqual([
      ['GG2006', undefined],
    ]);
  });

  test('above the limit are published in part, with their number', async () => {
    const client = await startClient({});
    const digits = Array.from({ length: 700 }, (_, index) => `(${index}_a)\n`).join('');
    client.open('a.gg', `${digits}(root)-[:PROCESS]->(a { x: Int })\n`);
    const { diagnostics } = await client.findings('a.gg', (codes) => codes.length > 500);
    expect(diagnostics).toHaveLength(501);
    expect(diagnostics[0]?.message).toMatch(/^\d+ more findings are not shown; gg-svc check shows all of them\.$/);
  });
});

describe('input that is not a topology', () => {
  test.each([
    ['a binary file', Uint8Array.of(0, 255, 254, 128), 'GG4003'],
    ['a missing file', undefined, 'GG2001'],
  ])('an import of %s is reported at the import', async (_, content, code) => {
    const client = await startClient({
      'main.gg': "import './other.gg'\n(root)-[:PROCESS]->(a { x: Int })\n",
      ...(content === undefined ? {} : { 'other.gg': content }),
    });
    client.open('main.gg');
    const { diagnostics } = await client.findings('main.gg', holds(code));
    expect(diagnostics[0]?.range).toEqual({
      start: { line: 0, character: 7 },
      end: { line: 0, character: 19 },
    });
    expect(diagnostics[0]?.message).not.toContain(client.folder);
  });

  test('a folder with the extension of a file is reported at the import', async () => {
    const client = await startClient({ 'other.gg/file.txt': '', 'main.gg': "import './other.gg'\n(a)\n" });
    client.open('main.gg');
    await client.findings('main.gg', holds('GG4002'));
  });

  test('URLs are not fetched, and cause no findings in the topology', async () => {
    const project = JSON.stringify({ imports: { urls: ['https://example.org/'] } });
    const client = await startClient({ 'gg-svc.config.json': project });
    client.open('a.gg', "import 'https://example.org/x.gg'\n(root)-[:PROCESS]->(a { x: Elsewhere! })\n");
    const { diagnostics } = await client.findings('a.gg', holds('GG2001'));
    expect(diagnostics).toMatchObject([{ severity: 3, message: expect.stringContaining('does not fetch') }]);
  });

  test('files and URLs that the project does not allow are not read, and reported at the import', async () => {
    const outside = await startClient({ 'x.gg': '(x { y: Int! })\n' });
    const path = fileURLToPath(outside.uri('x.gg'));
    const text = `import '${path}'\n(root)-[:PROCESS]->(a { x: X! })\n`;
    const strict = await startClient({});
    strict.open('a.gg', text);
    expect((await strict.findings('a.gg', holds('GG4010'))).diagnostics).toHaveLength(1);
    strict.open('b.gg', "import 'https://example.org/x.gg'\n(root)-[:PROCESS]->(b { x: Int! })\n");
    await strict.findings('b.gg', holds('GG4010'));
    const imports = { files: [dirname(path)] };
    const open = await startClient({ 'gg-svc.config.json': JSON.stringify({ imports }) });
    open.open('a.gg', text.replace('X!', 'X!, z: Nope!'));
    expect((await open.findings('a.gg', holds('GG2008'))).diagnostics).toHaveLength(1);
  });

  test('an import cycle is reported, and the analysis ends', async () => {
    const client = await startClient({
      'a.gg': "import './b.gg'\n(root)-[:PROCESS]->(a { x: Int })\n",
      'b.gg': "import './a.gg'\n(b)\n",
    });
    client.open('b.gg');
    const { diagnostics } = await client.findings('b.gg', holds('GG2002'));
    expect(diagnostics[0]?.message).toContain('a.gg → b.gg → a.gg');
  });

  test('a buffer without a file is checked by itself', async () => {
    const client = await startClient({});
    const uri = 'untitled:Untitled-1';
    const published = new Promise<unknown>((resolve) => {
      client.connection.onNotification('textDocument/publishDiagnostics', resolve);
    });
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'gg', version: 1, text: "import './b.gg'\n(a" },
    });
    expect(await published).toMatchObject({ uri, diagnostics: [{ code: 'GG1001' }] });
  });

  test.each([
    ['bytes', String.fromCharCode(...Array.from({ length: 4000 }, (_, index) => (index * 7919) % 65_536))],
    ['an empty text', ''],
    ['one endless line', '('.repeat(20_000)],
    ['lone surrogates and marks', '\ufeff(\ud800 { x: \udc00 })\r\r\n\u2028'],
  ])('%s are reported, and requests are still answered', async (_, text) => {
    const client = await startClient({});
    client.open('a.gg', text);
    const textDocument = { uri: client.uri('a.gg') };
    for (const character of [0, 5, 1_000_000]) {
      const place = { textDocument, position: { line: 0, character }, context: { includeDeclaration: true } };
      for (const method of ['hover', 'completion', 'definition', 'references', 'documentHighlight']) {
        await client.request(`textDocument/${method}`, place);
      }
    }
    for (const method of ['documentSymbol', 'foldingRange', 'formatting', 'semanticTokens/full']) {
      await client.request(`textDocument/${method}`, {
        textDocument,
        options: { tabSize: 2, insertSpaces: true },
      });
    }
    await client.findings('a.gg', (codes) => codes.length > 0);
  });

  test('a file of twenty thousand edges is checked, and edits of it are answered', async () => {
    const client = await startClient({});
    client.open('a.gg', generateTopology({ edges: 20_000 }));
    const start = { line: 40_000, character: 0 };
    client.change('a.gg', '\n(a { x y })\n', { start, end: start });
    const { version } = await client.findings('a.gg', holds('GG1001'));
    expect(version).toBe(2);
    await client.request('textDocument/completion', {
      textDocument: { uri: client.uri('a.gg') },
      position: start,
    });
  });
});
