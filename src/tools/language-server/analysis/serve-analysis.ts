import { setImmediate } from 'node:timers/promises';
import {
  type CancellationToken,
  createConnection,
  createProtocolConnection,
  LSPErrorCodes,
  ResponseError,
  type WatchDog,
} from 'vscode-languageserver';
import { findingsOf, rootsOfOpenFiles } from '../workspace/analyzed-findings.js';
import { configure } from '../workspace/configure.js';
import { type FileFindings, findingsMethod } from '../workspace/findings.js';
import type { StoredFiles } from '../workspace/stored-files.js';
import { Workspace } from '../workspace/workspace.js';
import type { AnalysisSide } from './analysis-client.js';
import { analysisFeatures } from './analysis-features.js';

/**
 * Answers requests that need the compiler, as long as messages can be read. The other side speaks the Language Server
 * Protocol: it forwards the client's document notifications, and requests findings with a method of our own.
 */
export function serveAnalysis(
  { reader, writer }: Pick<AnalysisSide, 'reader' | 'writer'>,
  packageRoot: URL,
  files: StoredFiles,
): void {
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, logger),
    neverEnds,
  );
  const workspace = new Workspace(packageRoot, files);
  connection.onInitialize((params) => {
    configure(workspace, params);
    return { capabilities: {} };
  });
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
    workspace.open(uri, version, text);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    workspace.change(uri, version, contentChanges);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => workspace.close(uri));
  connection.onDidChangeWatchedFiles(() => workspace.forgetPaths());
  connection.onRequest(findingsMethod, (_params: unknown, token: CancellationToken) =>
    findFindings(workspace, token),
  );
  for (const feature of analysisFeatures) feature.register(connection, workspace);
  connection.listen();
}

/** A single analysis cannot be interrupted, but an outdated run ends before the next topology. */
async function findFindings(
  workspace: Workspace,
  token: CancellationToken,
): Promise<readonly FileFindings[] | ResponseError<void>> {
  for (const root of rootsOfOpenFiles(workspace)) {
    // Handles messages that have arrived, such as a cancellation.
    await setImmediate();
    if (token.isCancellationRequested) return new ResponseError(LSPErrorCodes.RequestCancelled, 'outdated');
    workspace.analyze(root);
  }
  return findingsOf(workspace);
}

/** The side that talks to the client watches the process. */
const neverEnds: WatchDog = { shutdownReceived: false, initialize: () => {}, exit: () => {} };
