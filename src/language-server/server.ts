import type { Readable, Writable } from 'node:stream';
import {
  type CancellationToken,
  createConnection,
  DidChangeWatchedFilesNotification,
  type ServerCapabilities,
  type WatchDog,
} from 'vscode-languageserver';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { AnalysisClient } from './analysis/analysis-client.js';
import { analysisFeatures } from './analysis/analysis-features.js';
import { features } from './features.js';
import { configure, withProjectFiles } from './workspace/configure.js';
import { Workspace } from './workspace/workspace.js';

/** The options of a language server. */
export interface LanguageServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** The folder of the package, with a final slash: findings link to the pages of their codes in it. */
  readonly packageRoot: URL;
  /** The module of the analysis thread, `analysis/analysis-worker.ts`. Without one, the analysis runs in this thread. */
  readonly analysisWorker?: URL;
}

/**
 * Serves the Language Server Protocol 3.17 until the client sends `exit` or disconnects.
 *
 * @returns the exit code that the protocol requires: 0 after `shutdown`, else 1. It never rejects.
 */
export function startLanguageServer({
  input,
  output,
  version,
  packageRoot,
  analysisWorker,
}: LanguageServerOptions): Promise<number> {
  return new Promise((resolve) => {
    const workspace = new Workspace(packageRoot);
    const analyst = new AnalysisClient(workspace, analysisWorker);
    const ended = new AbortController();
    const watchDog = createWatchDog((exitCode) => {
      ended.abort();
      analyst.end();
      resolve(exitCode);
    });
    // A client that disconnects closes the streams without a message.
    for (const event of ['end', 'close', 'error']) input.on(event, () => watchDog.exit(1));
    output.on('error', () => watchDog.exit(1));
    const connection = createConnection(
      (logger) =>
        createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
      watchDog,
    );
    let watchesFiles = false;
    connection.onInitialize(async (given) => {
      const params = await withProjectFiles(given);
      configure(workspace, params);
      analyst.start(params);
      watchesFiles = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
      const all = [...features, ...analysisFeatures].map((feature) => feature.capabilities);
      const capabilities: ServerCapabilities = Object.assign({}, ...all);
      return { capabilities, serverInfo: { name: 'gg-svc', version } };
    });
    connection.onInitialized(() => {
      if (!watchesFiles) return;
      const watchers = [{ globPattern: '**/*.gg' }];
      // A client may refuse; then files are read again when the next request needs them.
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => {});
    });
    for (const feature of features) feature.register(connection, workspace, { analyst, ended: ended.signal });
    for (const method of analysisFeatures.flatMap(({ requests }) => requests)) {
      connection.onRequest(method, (params: unknown, token: CancellationToken) =>
        analyst.request(method, params, token),
      );
    }
    connection.listen();
  });
}

/** Ends the server. After `shutdown` the exit code is always 0. */
function createWatchDog(end: (exitCode: number) => void): WatchDog {
  let timer: NodeJS.Timeout | undefined;
  const watchDog: WatchDog = {
    shutdownReceived: false,
    initialize: ({ processId }) => {
      if (typeof processId === 'number') timer = setInterval(() => checkAlive(processId, watchDog), 3000);
      timer?.unref();
    },
    exit: () => {
      clearInterval(timer);
      end(watchDog.shutdownReceived ? 0 : 1);
    },
  };
  return watchDog;
}

/** A client that crashed may leave the streams open. */
function checkAlive(processId: number, watchDog: WatchDog): void {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') watchDog.exit(1);
  }
}
