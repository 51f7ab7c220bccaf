import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CompletionList, SemanticTokens, WorkspaceEdit } from 'vscode-languageserver';
import { isUri } from '../../../../src/base/source/parse-url.js';
import { Disk, findTopologyFiles } from '../../../../src/tools/language-server/workspace/disk.js';
import { groupFiles } from '../../../../src/tools/language-server/workspace/groups.js';
import { pathOf, uriOf } from '../../../../src/tools/language-server/workspace/locations.js';
import { Workspace } from '../../../../src/tools/language-server/workspace/workspace.js';
import { folderWith, startClient } from '../client.js';

describe('the name of a file', () => {
  test('is its path, from which the URI of the client can be restored', () => {
    expect(pathOf('file:///a/b%20c/d%5B1%5D.gg')).toBe('/a/b c/d[1].gg');
    expect(pathOf(uriOf('/a/b c/d[1].gg'))).toBe('/a/b c/d[1].gg');
  });

  test('is the URI itself if it has no local path', () => {
    expect(pathOf('untitled:Untitled-1')).toBe('untitled:Untitled-1');
    expect(pathOf('file:///a%2Fb.gg')).toBe('file:///a%2Fb.gg');
    expect(uriOf('untitled:Untitled-1')).toBe('untitled:Untitled-1');
    expect(isUri('C:/a.gg')).toBe(false);
  });
});

test('looks for topology files below the folders, except in hidden ones and in node_modules', () => {
  const folder = folderWith({
    'a.gg': '',
    'sub/deep/b.gg': '',
    'c.txt': '',
    '.git/d.gg': '',
    'node_modules/x/e.gg': '',
  });
  expect(findTopologyFiles(folder)).toEqual([`${folder}/a.gg`, `${folder}/sub/deep/b.gg`]);
  expect(findTopologyFiles(`${folder}/nowhere`)).toEqual([]);
});

test('the language server does not follow circular symbolic links', () => {
  const folder = folderWith({ 'a.gg': '(a)' });
  mkdirSync(join(folder, 'sub'));
  symlinkSync(folder, join(folder, 'sub/up'));
  expect(findTopologyFiles(folder)).toEqual([`${folder}/a.gg`]);
});

describe('a workspace', () => {
  const opened = (files: Readonly<Record<string, string>>) => {
    const folder = folderWith(files);
    const workspace = new Workspace('file:///{code}.md', new Disk());
    workspace.folders = [pathToFileURL(folder).href];
    const uri = (name: string) => pathToFileURL(join(folder, name)).href;
    return { folder, workspace, uri };
  };

  test('keeps an analysis until one of its files changes', () => {
    const { folder, workspace, uri } = opened({
      'a.gg': "import './b.gg'\n(a)\n",
      'b.gg': '(b)\n',
      'c.gg': '(c)\n',
    });
    const root = join(folder, 'a.gg');
    const first = workspace.analyze(root);
    expect(workspace.analyze(root)).toBe(first);
    workspace.open(uri('c.gg'), 1, '(d)\n');
    expect(workspace.analyze(root)).toBe(first);
    writeFileSync(join(folder, 'b.gg'), '(bb)\n');
    const second = workspace.analyze(root);
    expect(second).not.toBe(first);
    workspace.open(uri('b.gg'), 1, '(bbb)\n');
    expect(workspace.analyze(root)).not.toBe(second);
  });

  test('drops the least recently used analyses', () => {
    const names = Array.from({ length: 17 }, (_, index) => `${index}.gg`);
    const { folder, workspace } = opened(Object.fromEntries(names.map((name) => [name, '(a)\n'])));
    const first = workspace.analyze(join(folder, '0.gg'));
    for (const name of names.slice(1)) workspace.analyze(join(folder, name));
    expect(workspace.analyze(join(folder, '0.gg'))).not.toBe(first);
  });

  test('notices added and removed imports', () => {
    const { folder, workspace, uri } = opened({ 'a.gg': '(a)\n', 'b.gg': '(b)\n' });
    const b = join(folder, 'b.gg');
    expect(workspace.rootsOf(b)).toEqual([b]);
    workspace.open(uri('a.gg'), 1, '(a)\n');
    const start = { line: 0, character: 0 };
    workspace.change(uri('a.gg'), 2, [{ range: { start, end: start }, text: "import './b.gg'\n" }]);
    expect(workspace.rootsOf(b)).toEqual([join(folder, 'a.gg')]);
    workspace.change(uri('a.gg'), 3, [{ text: '(a)\n' }]);
    expect(workspace.rootsOf(b)).toEqual([b]);
  });

  test('lists open roots first', () => {
    const { folder, workspace, uri } = opened({
      'a.gg': "import './c.gg'\n",
      'b.gg': "import './c.gg'\n",
      'c.gg': '(c)\n',
    });
    workspace.open(uri('b.gg'), 1, "import './c.gg'\n");
    expect(workspace.rootsOf(join(folder, 'c.gg'))).toEqual([join(folder, 'b.gg'), join(folder, 'a.gg')]);
  });

  test('accepts an edit with reversed ends', () => {
    const { workspace, uri } = opened({});
    const file = workspace.open(uri('a.gg'), 1, '(abc)\n');
    const [start, end] = [
      { line: 0, character: 1 },
      { line: 0, character: 3 },
    ];
    workspace.change(uri('a.gg'), 2, [{ range: { start: end, end: start }, text: 'x' }]);
    expect(file.source).toBe('(xc)\n');
    expect(file.segments.segments.map(({ segment }) => segment.text).join('')).toBe('(xc)\n');
  });
});

describe('files without imports', () => {
  const files = {
    'services/a.gg': '(root)-[:PROCESS]->(a { x: B! })\n',
    'services/b.gg': '(b { y: §1A! })\n',
    'services/deep/c.gg': '(c { z: B! })\n',
    'other.gg': '(other { y: B! })\n',
  };
  const codesIn = async (options: unknown, name: string, settled: (codes: readonly string[]) => boolean) => {
    const client = await startClient(files, { options });
    for (const file of Object.keys(files)) client.open(file);
    const { diagnostics } = await client.findings(name, settled);
    return diagnostics.map(({ code }) => code);
  };

  test('are separate topologies, unless a pattern joins them', async () => {
    const unknown = (codes: readonly string[]) => codes.includes('GG2008');
    expect(await codesIn(undefined, 'services/b.gg', unknown)).toContain('GG2008');
    const client = await startClient(files, { options: { topologies: ['services/*.gg'] } });
    for (const file of Object.keys(files)) client.open(file);
    await client.findings('other.gg', unknown);
    await client.findings('services/deep/c.gg', unknown);
    expect(client.published.filter(({ uri }) => uri === client.uri('services/b.gg'))).toEqual([]);
    const params = { ...client.at('services/b.gg', 1), newName: 'alpha' };
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', params);
    expect(Object.keys(edit.changes ?? {}).sort()).toEqual([client.uri('services/a.gg'), client.uri('services/b.gg')]);
  });

  test('are one topology as the sources of the project file', async () => {
    const gone = (codes: readonly string[]) => !codes.includes('GG2008');
    for (const sources of [['services/*.gg'], ['services/a.gg', 'services/b.gg']]) {
      const project = { ...files, 'gg-svc.config.json': JSON.stringify({ sources }) };
      const client = await startClient(project);
      for (const file of Object.keys(files)) client.open(file);
      await client.findings('other.gg', (codes) => codes.includes('GG2008'));
      const published = client.published.filter(({ uri }) => uri === client.uri('services/b.gg'));
      expect(published.every(({ diagnostics }) => gone(diagnostics.map(({ code }) => String(code))))).toBe(true);
    }
    const broken = await startClient({ ...files, 'gg-svc.config.json': '{ "sources": 5 }' });
    for (const file of Object.keys(files)) broken.open(file);
    await broken.findings('services/b.gg', (codes) => codes.includes('GG2008'));
  });

  test('are found by patterns', () => {
    const paths = ['/w/b.gg', '/w/a.gg', '/w/x/c.gg', '/w/x/y/d.gg', '/v/e.gg'];
    const found = (pattern: string) => groupFiles(paths, ['/w'], [pattern])[0];
    expect(found('*.gg')).toEqual(['/w/a.gg', '/w/b.gg']);
    expect(found('./?.gg')).toEqual(['/w/a.gg', '/w/b.gg']);
    expect(found('x/**')).toEqual(['/w/x/c.gg', '/w/x/y/d.gg']);
    expect(found('**/d.gg')).toEqual(['/w/x/y/d.gg']);
    expect(found('**/a.gg')).toEqual(['/w/a.gg']);
    expect(found('a+(b).gg')).toEqual([]);
  });

  test.each([[null], [5], [{ topologies: 'a' }], [{ topologies: [1, null] }]])(
    'are not affected by invalid options: %j',
    async (options) => {
      expect(await codesIn(options, 'services/b.gg', (codes) => codes.includes('GG2008'))).toContain('GG2008');
    },
  );

  test('include a file that is added later', async () => {
    const client = await startClient(files, { options: { topologies: ['services/*.gg'] } });
    client.open('services/a.gg', '(root)-[:PROCESS]->(a { x: Late! })\n');
    await client.findings('services/a.gg', (codes) => codes.includes('GG2008'));
    client.write('services/late.gg', '(late { x: Int })\n');
    await client.findings('services/a.gg', (codes) => !codes.includes('GG2008'));
  });
});

test('requests about a missing file have empty answers', async () => {
  const client = await startClient({});
  const textDocument = { uri: client.uri('none.gg') };
  const position = { line: 0, character: 0 };
  const place = { textDocument, position, context: { includeDeclaration: true }, options: {} };
  const ask = (method: string) => client.request(`textDocument/${method}`, { ...place, previousResultId: '1' });
  expect(await ask('hover')).toBeNull();
  for (const method of ['definition', 'references', 'documentHighlight', 'documentSymbol', 'foldingRange']) {
    expect(await ask(method)).toEqual([]);
  }
  expect((await client.request<CompletionList>('textDocument/completion', place)).items).toEqual([]);
  for (const method of ['full', 'full/delta']) {
    expect(((await ask(`semanticTokens/${method}`)) as SemanticTokens).data).toEqual([]);
  }
  const range = { start: position, end: position };
  expect(await client.request('textDocument/semanticTokens/range', { textDocument, range })).toEqual({
    data: [],
  });
  await expect(client.request('textDocument/rename', { ...place, newName: 'x' })).rejects.toThrow('no name here');
});
