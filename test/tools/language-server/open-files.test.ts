import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { CompletionItem, CompletionList, PublishDiagnosticsParams } from 'vscode-languageserver';
import { createProtocolConnection, PortMessageReader, PortMessageWriter } from 'vscode-languageserver/node';
import { serveAnalysis } from '../../../src/tools/language-server/analysis/serve-analysis.js';
import { serveClient } from '../../../src/tools/language-server/server.js';
import { noStoredFiles } from '../../../src/tools/language-server/workspace/stored-files.js';

const messagesOf = (port: MessagePort) => ({
  reader: new PortMessageReader(port),
  writer: new PortMessageWriter(port),
});

/** A client of a server that has open files alone, as in a browser. */
async function startClient(files: Readonly<Record<string, string>>) {
  const { port1, port2 } = new MessageChannel();
  const end = serveClient({
    version: '0.0.0',
    pages: 'file:///{code}.md',
    files: noStoredFiles,
    analyses: [
      () => {
        const channel = new MessageChannel();
        serveAnalysis(messagesOf(channel.port2), 'file:///{code}.md', noStoredFiles);
        const whenEnded = new Promise<void>((resolve) => channel.port1.on('close', () => resolve()));
        return { ...messagesOf(channel.port1), whenEnded, end: () => channel.port1.close() };
      },
    ],
    watchDog: { shutdownReceived: false, initialize: () => {}, exit: () => {} },
    connect: (logger) => createProtocolConnection(new PortMessageReader(port2), new PortMessageWriter(port2), logger),
  });
  const { reader, writer } = messagesOf(port1);
  const connection = createProtocolConnection(reader, writer);
  const codes = new Map<string, unknown[]>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    codes.set(
      uri,
      diagnostics.map(({ code }) => code),
    );
  });
  connection.listen();
  onTestFinished(() => {
    end();
    port1.close();
  });
  await connection.sendRequest('initialize', { processId: null, rootUri: 'file:///all', capabilities: {} });
  for (const [name, text] of Object.entries(files)) {
    const textDocument = { uri: `file:///all/${name}`, languageId: 'gg', version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
  }
  return { connection, codes };
}

test('a server with only open files follows imports between them', async () => {
  const { connection, codes } = await startClient({
    'main.gg': "import './sub/people.gg'\nimport './absent.gg'\n(root)-[:PROCESS]->(user)\n",
    'sub/people.gg': '(user { name: Strng! })\n',
  });
  await expect.poll(() => codes.get('file:///all/main.gg')).toEqual(['GG2001']);
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: 'file:///all/main.gg', version: 2 },
    contentChanges: [{ text: "import './sub/people.gg'\n(root)-[:PROCESS]->(user)\n" }],
  });
  await expect.poll(() => codes.get('file:///all/sub/people.gg')).toEqual(['GG2008']);
  expect(codes.get('file:///all/main.gg')).toEqual([]);
});

test('a server with only open files offers the others as imports', async () => {
  const { connection } = await startClient({
    'main.gg': "import './'\n",
    'people.gg': '',
    'sub/other.gg': '',
  });
  const items = await connection.sendRequest<CompletionList | CompletionItem[]>('textDocument/completion', {
    textDocument: { uri: 'file:///all/main.gg' },
    position: { line: 0, character: 10 },
  });
  const labels = (Array.isArray(items) ? items : items.items).map(({ label }) => label);
  expect(labels).toEqual(['./people.gg']);
});
