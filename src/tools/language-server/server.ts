import {
  type CancellationToken,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type Logger,
  type ProtocolConnection,
  type ServerCapabilities,
  type WatchDog,
} from 'vscode-languageserver';
import { AnalysisClient, type StartAnalysis } from './analysis/analysis-client.js';
import { analysisFeatures, features } from './features/features.js';
import { configure } from './workspace/configure.js';
import type { StoredFiles } from './workspace/stored-files.js';
import { Workspace } from './workspace/workspace.js';

/** The parts of a language server that depend on the platform. */
export interface LanguageServerPlatform {
  readonly version: string;
  /** The address of the page of each code, which findings link to; `{code}` stands for the code. */
  readonly pages: string;
  /** The files that are not open in the editor. */
  readonly files: StoredFiles;
  /** The ways to start the analysis, the preferred one first; the others are fallbacks. */
  readonly analyses: readonly StartAnalysis[];
  readonly watchDog: WatchDog;
  connect(logger: Logger): ProtocolConnection;
  complete?(params: InitializeParams): Promise<InitializeParams>;
}

/** Serves the Language Server Protocol 3.17 to one client. Returns a function that ends it, for the watchdog. */
export function serveClient(platform: LanguageServerPlatform): () => void {
  const { version, pages, files, analyses, watchDog } = platform;
  const workspace = new Workspace(pages, files);
  const analyst = new AnalysisClient(workspace, analyses);
  const ended = new AbortController();
  const connection = createConnection((logger) => platform.connect(logger), watchDog);
  let watchesFiles = false;
  connection.onInitialize(async (given) => {
    const params = (await platform.complete?.(given)) ?? given;
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
    connection.onRequest(method, (params: unknown, token: CancellationToken) => analyst.request(method, params, token));
  }
  connection.listen();
  return () => {
    ended.abort();
    analyst.end();
  };
}
