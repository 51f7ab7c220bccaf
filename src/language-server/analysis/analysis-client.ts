import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { CancellationToken, InitializeParams } from 'vscode-languageserver';
import {
  createProtocolConnection,
  PortMessageReader,
  PortMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { Analyst } from '../features/feature.js';
import type { Workspace } from '../workspace/workspace.js';
import { serveAnalysis } from './serve-analysis.js';

/**
 * The analysis in a worker thread, so that no request of an editor waits for the compiler. If a thread cannot be
 * started, the analysis runs in this one. If a thread exits, for example out of memory, the next request starts
 * another.
 */
export class AnalysisClient implements Analyst {
  readonly #workspace: Workspace;
  /** The module of the thread; undefined when the analysis runs in this thread. */
  #module: URL | undefined;
  #params: InitializeParams = { processId: null, rootUri: null, capabilities: {} };
  #connection: ProtocolConnection | undefined;
  #ready: Promise<ProtocolConnection> | undefined;
  #end: () => void = () => {};
  #hasEnded = false;

  /** @param workspace - The documents of the client: a new thread gets the open ones. */
  constructor(workspace: Workspace, module: URL | undefined) {
    this.#workspace = workspace;
    this.#module = module;
  }

  start(params: InitializeParams): void {
    this.#params = params;
    // Requests report a failure.
    this.#whenReady().catch(() => {});
  }

  notify(method: string, params: unknown): void {
    // Without a thread there is nothing to send: a new thread gets the current documents.
    this.#connection?.sendNotification(method, params).catch(() => {});
  }

  async request<Result>(method: string, params: unknown, token: CancellationToken): Promise<Result> {
    const connection = await this.#whenReady();
    return connection.sendRequest<Result>(method, params, token);
  }

  end(): void {
    this.#hasEnded = true;
    this.#end();
  }

  #whenReady(): Promise<ProtocolConnection> {
    this.#ready ??= this.#connect();
    return this.#ready;
  }

  async #connect(): Promise<ProtocolConnection> {
    if (this.#hasEnded) throw new Error('The language server has ended.');
    if (this.#module !== undefined) {
      try {
        return await this.#connectTo(startThread(this.#module, this.#workspace.packageRoot));
      } catch (error) {
        if (this.#hasEnded) throw error;
        this.#module = undefined;
      }
    }
    return this.#connectTo(startHere(this.#workspace.packageRoot));
  }

  /** @throws If the other side ends before it answers. */
  async #connectTo({ port, whenEnded, end }: OtherSide): Promise<ProtocolConnection> {
    const connection = createProtocolConnection(new PortMessageReader(port), new PortMessageWriter(port));
    // A write may fail while the thread ends; `dispose` rejects the requests that wait.
    connection.onError(() => {});
    connection.listen();
    this.#connection = connection;
    this.#end = end;
    whenEnded.then(() => {
      if (this.#connection === connection) {
        this.#connection = undefined;
        this.#ready = undefined;
      }
      connection.dispose();
    });
    const initialized = connection.sendRequest('initialize', { ...this.#params, processId: null });
    for (const { document } of this.#workspace.openFiles) {
      const { uri, languageId, version } = document;
      const textDocument = { uri, languageId, version, text: document.getText() };
      this.notify('textDocument/didOpen', { textDocument });
    }
    await initialized;
    return connection;
  }
}

interface OtherSide {
  readonly port: MessagePort | Worker;
  readonly whenEnded: Promise<void>;
  readonly end: () => void;
}

function startThread(module: URL, packageRoot: URL): OtherSide {
  const worker = new Worker(module, {
    workerData: { packageRoot: packageRoot.href },
    // Standard output carries the protocol.
    stdout: true,
    // An analysis creates many short-lived objects: a larger young generation means fewer collections.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  const whenEnded = new Promise<void>((resolve) => {
    worker.on('exit', () => resolve());
    // The exit event follows. Without a listener, an error in the thread would end the process.
    worker.on('error', () => {});
  });
  return { port: worker, whenEnded, end: () => void worker.terminate() };
}

function startHere(packageRoot: URL): OtherSide {
  const { port1, port2 } = new MessageChannel();
  serveAnalysis(port2, packageRoot);
  const whenEnded = new Promise<void>((resolve) => port1.on('close', () => resolve()));
  return { port: port1, whenEnded, end: () => port1.close() };
}
