import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type {
  ClientCapabilities,
  InitializeResult,
  Position,
  PublishDiagnosticsParams,
  Range,
} from 'vscode-languageserver';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { startLanguageServer } from '../../../src/tools/language-server/node-server.js';
import { afterFile } from '../../after-file.js';

/** A client of the language server, with a folder of its own. */
export interface Client {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** The folder, as a path. */
  readonly folder: string;
  /** What the server ends with. */
  readonly exitCode: Promise<number>;
  /** Every publication of findings so far, in order. */
  readonly published: readonly PublishDiagnosticsParams[];
  uri(name: string): string;
  /** Opens a file of the folder, with its text on the disk or another one. */
  open(name: string, text?: string): Promise<void>;
  /** Replaces a range of an open file; without one, the whole text. */
  change(name: string, text: string, range?: Range): Promise<void>;
  close(name: string): Promise<void>;
  /** Writes a file of the folder, and tells the server that files changed. */
  write(name: string, text: string): Promise<void>;
  /** Where a mark stands, for requests: `at('main.gg', 1)` is the place of `§1`. */
  at(name: string, mark: number): { textDocument: { uri: string }; position: Position };
  /** The findings of a file that were published last, as soon as they are as wanted. */
  findings(name: string, wanted: (codes: readonly string[]) => boolean): Promise<PublishDiagnosticsParams>;
  request<Result>(method: string, params: unknown): Promise<Result>;
}

/** How a client differs from the usual one. */
export interface ClientOptions {
  readonly capabilities?: ClientCapabilities;
  /** The options of the user for this server. */
  readonly options?: unknown;
  /** Streams to a server that runs already, such as a process. */
  readonly server?: {
    readonly input: Writable;
    readonly output: Readable;
    readonly exitCode: Promise<number>;
  };
}

/** Writes files into a new folder; `§1` in them marks a place and is not part of the text. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gg-svc-lsp-')));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? unmarked(content) : content);
  }
  return folder;
}

/** Starts a server on a folder with these files, and a client that has initialized it. */
export async function startClient(
  files: Readonly<Record<string, string | Uint8Array>>,
  { capabilities = {}, options, server = inProcess() }: ClientOptions = {},
): Promise<Client> {
  const folder = folderWith(files);
  const connection = createProtocolConnection(
    new StreamMessageReader(server.output),
    new StreamMessageWriter(server.input),
  );
  const published: PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.push(params);
    for (const check of waiting) check();
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  afterFile(() => {
    connection.dispose();
    server.input.end();
  });
  const rootUri = pathToFileURL(folder).href;
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'test' }],
    capabilities,
    initializationOptions: options,
  });
  await connection.sendNotification('initialized', {});

  const versions = new Map<string, number>();
  const uri = (name: string) => pathToFileURL(join(folder, name)).href;
  const say = async (method: string, params: unknown): Promise<void> => {
    try {
      await connection.sendNotification(method, params);
    } catch {
      // A test may have cut the connection.
    }
  };
  return {
    connection,
    initialized,
    folder,
    exitCode: server.exitCode,
    published,
    uri,
    open(name, text = unmarked(String(files[name] ?? ''))) {
      versions.set(name, 1);
      return say('textDocument/didOpen', {
        textDocument: { uri: uri(name), languageId: 'gg', version: 1, text },
      });
    },
    change(name, text, range) {
      const version = (versions.get(name) ?? 0) + 1;
      versions.set(name, version);
      const change = range === undefined ? { text } : { text, range };
      return say('textDocument/didChange', {
        textDocument: { uri: uri(name), version },
        contentChanges: [change],
      });
    },
    close: (name) => say('textDocument/didClose', { textDocument: { uri: uri(name) } }),
    write(name, text) {
      writeFileSync(join(folder, name), text);
      return say('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(name), type: 2 }] });
    },
    at: (name, mark) => ({
      textDocument: { uri: uri(name) },
      position: positionOf(String(files[name]), mark),
    }),
    findings: (name, wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          const last = published.findLast((params) => params.uri === uri(name));
          if (last === undefined || !wanted(last.diagnostics.map(({ code }) => String(code)))) return;
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
        check();
      }),
    request: (method, params) => connection.sendRequest(method, params),
  };
}

/** A text without its marks. */
function unmarked(text: string): string {
  return text.replace(/§\d/g, '');
}

/** The place of a mark. */
function positionOf(text: string, mark: number): Position {
  const at = text.indexOf(`§${mark}`);
  if (at === -1) throw new Error(`there is no mark ${mark}`);
  const lines = unmarked(text.slice(0, at)).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

/** A server in this process, behind two pipes. */
export function inProcess(analysisWorker?: URL): NonNullable<ClientOptions['server']> {
  const input = new PassThrough();
  const output = new PassThrough();
  const exitCode = startLanguageServer({
    input,
    output,
    version: '0.0.0',
    pages: 'file:///{code}.md',
    ...(analysisWorker === undefined ? {} : { analysisWorker }),
  });
  return { input, output, exitCode };
}
