import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { InitializeResult, RegistrationParams } from 'vscode-languageserver';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { startLanguageServer } from '../../../src/tools/language-server/node-server.js';
import { folderWith, startClient } from './client.js';

/** A server behind two pipes, and a client that has said nothing yet. */
function silentClient() {
  const input = new PassThrough();
  const output = new PassThrough();
  const exitCode = startLanguageServer({ input, output, version: '1.2.3', pages: 'file:///{code}.md' });
  const connection = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  connection.listen();
  return { connection, input, output, exitCode };
}

const initialize = { processId: null, rootUri: null, capabilities: {} };

describe('the server', () => {
  afterEach(() => vi.useRealTimers());

  test('reports its name and version', async () => {
    const { connection } = silentClient();
    const { serverInfo } = await connection.sendRequest<InitializeResult>('initialize', initialize);
    expect(serverInfo).toEqual({ name: 'gg-svc', version: '1.2.3' });
  });

  test.each(['accepts', 'refuses'])('registers for changed files, and the client %s', async (answer) => {
    const { connection } = silentClient();
    const asked = new Promise<RegistrationParams>((resolve) => {
      connection.onRequest('client/registerCapability', (params: RegistrationParams) => {
        resolve(params);
        if (answer === 'refuses') throw new Error('no');
        return null;
      });
    });
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    await connection.sendRequest('initialize', { ...initialize, capabilities });
    await connection.sendNotification('initialized', {});
    expect((await asked).registrations).toMatchObject([
      {
        method: 'workspace/didChangeWatchedFiles',
        registerOptions: { watchers: [{ globPattern: '**/*.gg' }] },
      },
    ]);
    // It is there after the answer, whatever that was.
    expect(await connection.sendRequest('workspace/symbol', { query: 'x' })).toEqual([]);
  });

  test('uses rootUri of a client without folders', async () => {
    const { connection } = silentClient();
    const rootUri = pathToFileURL(folderWith({ 'a.gg': '(thing: Label)' })).href;
    await connection.sendRequest('initialize', { ...initialize, rootUri });
    expect(await connection.sendRequest('workspace/symbol', { query: '' })).toMatchObject([{ name: 'thing' }]);
  });

  test.each([
    ['ends its stream', (client: ReturnType<typeof silentClient>) => client.input.end()],
    ['breaks its stream', (client: ReturnType<typeof silentClient>) => client.input.destroy(new Error('gone'))],
    ['does not listen', (client: ReturnType<typeof silentClient>) => client.output.destroy(new Error('gone'))],
  ])('ends with 1 when the client %s', async (_, cut) => {
    const client = silentClient();
    await client.connection.sendRequest('initialize', initialize);
    client.connection.onError(() => {});
    cut(client);
    expect(await client.exitCode).toBe(1);
  });

  test('ends when the process of the client is gone', async () => {
    const gone = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => gone.on('exit', resolve));
    const { connection, exitCode } = silentClient();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await connection.sendRequest('initialize', { ...initialize, processId: gone.pid ?? 0 });
    vi.advanceTimersByTime(3000);
    expect(await exitCode).toBe(1);
  });

  test('sends nothing after the client has disconnected', async () => {
    const client = await startClient({ 'a.gg': '(a { x: Nowhere! })\n' });
    await client.open('a.gg');
    await client.connection.sendNotification('exit');
    expect(await client.exitCode).toBe(1);
    expect(client.published).toEqual([]);
  });
});
