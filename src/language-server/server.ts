import type { Readable, Writable } from 'node:stream';
import {
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type ServerCapabilities,
  type WatchDog,
} from 'vscode-languageserver';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { features } from './features.js';
import { Workspace } from './workspace/workspace.js';

/** What a language server is started with. */
export interface LanguageServerOptions {
  /** Where the messages of the client come from. */
  readonly input: Readable;
  /** Where the answers go. */
  readonly output: Writable;
  /** What the server says of its own version. */
  readonly version: string;
  /** Where the package lies, with a final slash: findings link to the pages of their codes in it. */
  readonly packageRoot: URL;
}

/**
 * Serves the Language Server Protocol 3.17 until the client says `exit`, or goes away.
 *
 * @returns the exit code that the protocol asks for: 0 after `shutdown`, else 1. It never rejects.
 */
export function startLanguageServer({
  input,
  output,
  version,
  packageRoot,
}: LanguageServerOptions): Promise<number> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const watchDog = createWatchDog((exitCode) => {
      ended.abort();
      resolve(exitCode);
    });
    // A client that goes away closes the streams, and says nothing.
    for (const event of ['end', 'close', 'error']) input.on(event, () => watchDog.exit(1));
    output.on('error', () => watchDog.exit(1));
    const connection = createConnection(
      (logger) =>
        createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
      watchDog,
    );
    const workspace = new Workspace(packageRoot);
    let watchesFiles = false;
    connection.onInitialize((params) => {
      workspace.folders = foldersOf(params);
      workspace.patterns = patternsOf(params.initializationOptions);
      workspace.takesVersions = params.capabilities.workspace?.workspaceEdit?.documentChanges === true;
      watchesFiles = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
      return {
        capabilities: Object.assign(
          {},
          ...features.map((feature) => feature.capabilities),
        ) as ServerCapabilities,
        serverInfo: { name: 'gg-svc', version },
      };
    });
    connection.onInitialized(() => {
      if (!watchesFiles) return;
      const watchers = [{ globPattern: '**/*.gg' }];
      // A client that refuses is as good as one that cannot.
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => {});
    });
    for (const feature of features) feature.register(connection, workspace, ended.signal);
    connection.listen();
  });
}

/** What ends the server; after `shutdown` all is well, however it ends. */
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

/** A client that crashed may leave the streams open; its process is gone all the same. */
function checkAlive(processId: number, watchDog: WatchDog): void {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') watchDog.exit(1);
  }
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  return workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
}

/** `topologies` of the options that a user gives in the settings of the editor; what is no list of texts is no use. */
function patternsOf(options: unknown): readonly string[] {
  const given =
    typeof options === 'object' && options !== null && 'topologies' in options ? options.topologies : [];
  return Array.isArray(given) ? given.filter((pattern) => typeof pattern === 'string') : [];
}
