import {
  type CancellationToken,
  createProtocolConnection,
  type InitializeParams,
  type MessageReader,
  type MessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver';
import type { Analyst } from '../features/feature.js';
import type { Workspace } from '../workspace/workspace.js';

export type StartAnalysis = () => AnalysisSide;

/** A started analysis: its messages, and its end. */
export interface AnalysisSide {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  readonly whenEnded: Promise<void>;
  readonly end: () => void;
}

/**
 * The analysis in a thread where there is one, so that no request of an editor waits for the compiler. If it cannot be
 * started in one way, it is started in the next. If it ends, for example out of memory, the next request starts
 * another.
 */
export class AnalysisClient implements Analyst {
  #params: InitializeParams = { processId: null, rootUri: null, capabilities: {} };
  #connection: ProtocolConnection | undefined;
  #ready: Promise<ProtocolConnection> | undefined;
  #end: () => void = () => {};
  #hasEnded = false;

  /**
   * @param workspace - The documents of the client: a new thread gets the open ones.
   * @param ways - The ways to start that have not failed; the last one must work.
   */
  constructor(
    private readonly workspace: Workspace,
    private ways: readonly StartAnalysis[],
  ) {}

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
    const [start, ...others] = this.ways;
    if (start === undefined) throw new Error('invariant: there is a way to start the analysis');
    try {
      return await this.#connectTo(start());
    } catch (error) {
      if (this.#hasEnded || others.length === 0) throw error;
      this.ways = others;
      return this.#connect();
    }
  }

  /** @throws If the other side ends before it answers. */
  async #connectTo({ reader, writer, whenEnded, end }: AnalysisSide): Promise<ProtocolConnection> {
    const connection = createProtocolConnection(reader, writer);
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
    for (const { document } of this.workspace.openFiles) {
      const { uri, languageId, version } = document;
      const textDocument = { uri, languageId, version, text: document.getText() };
      this.notify('textDocument/didOpen', { textDocument });
    }
    await initialized;
    return connection;
  }
}
