import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompletionList, DocumentSymbol, Hover } from 'vscode-languageserver';
import { bundlePrograms, programFolder } from '../../../programs/bundle.mjs';
import { inProcess, startClient } from '../client.js';

const topology = '(root)-[:§1PROCESS]->(user { name: Strng! })\n(§2';
const holds = (code: string) => (codes: readonly string[]) => codes.includes(code);

let folder = '';
beforeAll(async () => {
  folder = programFolder('analysis');
  await bundlePrograms(['src/tools/language-server/analysis/analysis-worker.ts'], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a client of a server whose analysis thread runs this module. */
function clientWith(name: string, module: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, module);
  return startClient({ 'a.gg': topology }, { server: inProcess(pathToFileURL(path)) });
}

/** A module that starts the analysis and leaves a file with the given name. */
const realAnalysis = (mark: string) =>
  `import { writeFileSync } from 'node:fs';
   writeFileSync(${JSON.stringify(mark)}, '');
   import './analysis-worker.mjs';`;

/** A module that starts like the analysis and does something else when it is asked for findings. */
const falseAnalysis = (onFindings: string) =>
  `import { parentPort } from 'node:worker_threads';
   parentPort.on('message', ({ id, method }) => {
     if (method === 'initialize') parentPort.postMessage({ jsonrpc: '2.0', id, result: { capabilities: {} } });
     if (method === 'gg-svc/findings') { ${onFindings} }
   });`;

describe('the analysis', () => {
  test('runs in a thread with the current text of edited documents', async () => {
    const mark = join(folder, 'started');
    const client = await clientWith('real', realAnalysis(mark));
    await client.open('a.gg', '(root)-[:PROCESS]->(user { name: Strng! })\n');
    await client.findings('a.gg', holds('GG2008'));
    expect(existsSync(mark)).toBe(true);
    const end = { line: 1, character: 0 };
    await client.change('a.gg', '(root)-[:PROCESS]->(order { id: Nothing! })\n', { start: end, end });
    const { diagnostics } = await client.findings('a.gg', (codes) => codes.length === 2);
    expect(diagnostics.map(({ range }) => range.start.line)).toEqual([0, 1]);
    const hover = await client.request<Hover>('textDocument/hover', {
      textDocument: { uri: client.uri('a.gg') },
      position: { line: 1, character: 10 },
    });
    expect(JSON.stringify(hover)).toContain('order: Order');
    await client.close('a.gg');
    await client.findings('a.gg', (codes) => !codes.includes('GG2008'));
  });

  test('does not delay completions, the outline and the findings of the parser', async () => {
    const client = await clientWith('endless', falseAnalysis('for (;;);'));
    await client.open('a.gg');
    await client.findings('a.gg', holds('GG1001'));
    const { items } = await client.request<CompletionList>('textDocument/completion', client.at('a.gg', 2));
    expect(items.map(({ label }) => label)).toContain('user');
    const { textDocument } = client.at('a.gg', 1);
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    expect(symbols.map(({ name }) => name)).toContain('user');
    await client.request('shutdown', undefined);
    await client.connection.sendNotification('exit');
    expect(await client.exitCode).toBe(0);
  });

  test.each([
    ['cannot be found', undefined],
    ['throws', 'throw new Error("no threads here")'],
    ['ends at once', 'process.exit(0)'],
  ])('runs in the thread of the server if the module of its own thread %s', async (name, module) => {
    const client =
      module === undefined
        ? await startClient({ 'a.gg': topology }, { server: inProcess(new URL('file:///nowhere.mjs')) })
        : await clientWith(name.replaceAll(' ', '-'), module);
    await client.open('a.gg', '(root)-[:PROCESS]->(user { name: Strng! })\n');
    await client.findings('a.gg', holds('GG2008'));
  });

  test('starts again with the next edit when its thread ends', async () => {
    const mark = join(folder, 'died');
    const client = await clientWith(
      'mortal',
      `import { existsSync, writeFileSync } from 'node:fs';
       if (existsSync(${JSON.stringify(mark)})) await import('./analysis-worker.mjs');
       else {
         ${falseAnalysis(`writeFileSync(${JSON.stringify(mark)}, ''); process.exit(1);`).replace(
           /^import .*;$/m,
           "const { parentPort } = await import('node:worker_threads');",
         )}
       }`,
    );
    await client.open('a.gg', '(root)-[:PROCESS]->(user { name: Strng! })\n');
    await expect.poll(() => existsSync(mark)).toBe(true);
    await client.change('a.gg', '(root)-[:PROCESS]->(user { name: Strng!, age: Nothing! })\n');
    const { diagnostics } = await client.findings('a.gg', holds('GG2008'));
    expect(diagnostics).toHaveLength(2);
  });
});
