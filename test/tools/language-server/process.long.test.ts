import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Hover } from 'vscode-languageserver';
import { generateTopology } from '../../bench/generate.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import { repository } from '../cli/stand-in-io.js';
import { type ClientOptions, folderWith, startClient } from './client.js';
import { files } from './workspace-files.js';

// The program as a process: what a client sees of it over standard input and output, and how it ends.

let directory = '';
let program = '';

beforeAll(async () => {
  directory = programFolder('lsp');
  program = join(directory, 'gg-svc.mjs');
  await bundlePrograms(['src/tools/cli/gg-svc.ts', 'src/tools/language-server/analysis/analysis-worker.ts'], directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Server extends NonNullable<ClientOptions['server']> {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it wrote on standard error. */
  readonly complaints: () => string;
}

/** The options that the client of Visual Studio Code adds. */
const asVisualStudioCode = ['--stdio', `--clientProcessId=${process.pid}`];

function startProcess(): Server {
  const child = spawn(process.execPath, [program, 'lsp', ...asVisualStudioCode]);
  children.push(child);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  // A server that has ended does not read what is still written to it.
  child.stdin.on('error', () => {});
  const exitCode = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? -1)));
  return { child, input: child.stdin, output: child.stdout, exitCode, complaints: () => complaints };
}

/** One message as the protocol frames it. */
function framed(message: unknown): string {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('the process', () => {
  test('serves a workspace of several files', async () => {
    const server = startProcess();
    const client = await startClient(files, { server });
    expect(client.initialized.serverInfo).toMatchObject({
      name: 'gg-svc',
      version: expect.stringMatching(/^\d/),
    });
    client.open('main.gg');
    const hover = await client.request<Hover>('textDocument/hover', client.at('main.gg', 2));
    expect(JSON.stringify(hover)).toContain('GET /api/readUser');
    const { diagnostics } = await client.findings('main.gg', (codes) => codes.includes('GG2010'));
    expect(diagnostics.find(({ code }) => code === 'GG2010')?.codeDescription?.href).toBe(
      new URL('dist/diagnostics.md#GG2010', repository).href,
    );
    expect(server.complaints()).toBe('');
  });

  test('ends with 0 after shutdown and exit', async () => {
    const client = await startClient({}, { server: startProcess() });
    expect(await client.request('shutdown', undefined)).toBeNull();
    await client.connection.sendNotification('exit');
    expect(await client.exitCode).toBe(0);
  });

  test('ends with 1 after exit without shutdown', async () => {
    const client = await startClient({}, { server: startProcess() });
    await client.connection.sendNotification('exit');
    expect(await client.exitCode).toBe(1);
  });

  test('ends when the client disconnects, even with requests in flight', async () => {
    const server = startProcess();
    const client = await startClient({ 'a.gg': generateTopology({ edges: 2000 }) }, { server });
    await client.open('a.gg');
    server.input.end();
    expect(await client.exitCode).toBe(1);
    expect(server.complaints()).toBe('');
  });

  test('ends when the client stops reading and is killed', async () => {
    const server = startProcess();
    const client = await startClient({ 'a.gg': '(a { x: 1 y: 2 })\n'.repeat(90) }, { server });
    server.child.stdout.destroy();
    await client.open('a.gg');
    await client.change('a.gg', '(a');
    server.input.end();
    expect(await client.exitCode).toBe(1);
  });

  test('ends when the process of the client is gone, though the pipes are still open', async () => {
    const server = startProcess();
    const gone = spawn(process.execPath, ['-e', '0']);
    const { pid: processId } = gone;
    await new Promise((resolve) => gone.on('exit', resolve));
    const params = { processId, rootUri: null, capabilities: {} };
    server.input.write(framed({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    expect(await server.exitCode).toBe(1);
  });

  test.each([
    ['no JSON', framed('{ "jsonrpc": "2.0", ')],
    ['no message', framed('[1, 2, 3]')],
    ['null', framed('null')],
    ['an unknown request', framed({ jsonrpc: '2.0', id: 77, method: 'textDocument/nothing', params: {} })],
    ['an unknown notification', framed({ jsonrpc: '2.0', method: '$/nothing' })],
    ['a request without parameters', framed({ jsonrpc: '2.0', id: 78, method: 'textDocument/hover' })],
    [
      'wrong parameters',
      framed({ jsonrpc: '2.0', id: 79, method: 'textDocument/rename', params: { textDocument: 5 } }),
    ],
    ['an edit without parameters', framed({ jsonrpc: '2.0', method: 'textDocument/didChange', params: {} })],
    [
      'an edit of a file that is not open',
      framed({
        jsonrpc: '2.0',
        method: 'textDocument/didChange',
        params: { textDocument: { uri: 'file:///nowhere.gg', version: 2 }, contentChanges: [{ text: 'x' }] },
      }),
    ],
  ])('still answers after %s', async (_, message) => {
    const server = startProcess();
    const client = await startClient(files, { server });
    server.input.write(message);
    client.open('main.gg');
    const hover = await client.request<Hover>('textDocument/hover', client.at('main.gg', 2));
    expect(JSON.stringify(hover)).toContain('GET /api/readUser');
  });

  test('ends after an invalid frame', async () => {
    const server = startProcess();
    await startClient({}, { server });
    server.input.write('GET / HTTP/1.1\r\n\r\n');
    server.input.end();
    expect(await server.exitCode).toBe(1);
  });

  test('works without a folder', async () => {
    const server = startProcess();
    const uri = `file://${folderWith({})}/new.gg`;
    const send = (message: unknown) => server.input.write(framed({ jsonrpc: '2.0', ...(message as object) }));
    const said = new Promise<string>((resolve) => {
      let text = '';
      server.output.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('GG1001')) resolve(text);
      });
    });
    send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    send({ method: 'initialized', params: {} });
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'gg', version: 1, text: '(a' } },
    });
    expect(await said).toContain(uri);
  });
});
