import { setImmediate } from 'node:timers/promises';
import {
  type CancellationToken,
  createConnection,
  createProtocolConnection,
  LSPErrorCodes,
  ResponseError,
  type WatchDog,
} from 'vscode-languageserver';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { analysisFeatures } from '../features/features.js';
import { configure } from '../workspace/configure.js';
import { type FileFindings, findingsMethod, sentenceOf } from '../workspace/findings.js';
import type { StoredFiles } from '../workspace/stored-files.js';
import { Workspace } from '../workspace/workspace.js';
import type { AnalysisSide } from './analysis-client.js';

/**
 * Answers requests that need the compiler, as long as messages can be read. The other side speaks the Language Server
 * Protocol: it forwards the client's document notifications, and requests findings with a method of our own.
 */
export function serveAnalysis(
  { reader, writer }: Pick<AnalysisSide, 'reader' | 'writer'>,
  pages: string,
  files: StoredFiles,
): void {
  const connection = createConnection((logger) => createProtocolConnection(reader, writer, logger), neverEnds);
  const workspace = new Workspace(pages, files);
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
  connection.onRequest(findingsMethod, (_params: unknown, token: CancellationToken) => findFindings(workspace, token));
  for (const feature of analysisFeatures) feature.register(connection, workspace);
  connection.listen();
}

/** A single analysis cannot be interrupted, but an outdated run ends before the next topology. */
async function findFindings(workspace: Workspace, token: CancellationToken) {
  for (const root of rootsOfOpenFiles(workspace)) {
    // Handles messages that have arrived, such as a cancellation.
    await setImmediate();
    if (token.isCancellationRequested) return new ResponseError(LSPErrorCodes.RequestCancelled, 'outdated');
    workspace.analyze(root);
  }
  return findingsOf(workspace);
}

function rootsOfOpenFiles(workspace: Workspace): readonly string[] {
  const roots = workspace.openFiles.flatMap(({ path }) => workspace.rootsOf(path).slice(0, maxTopologies));
  return [...new Set(roots)];
}

/** More topologies of one file nearly always have the same findings about it. */
const maxTopologies = 16;

/** The findings of every file of the topologies that contain an open file. */
function findingsOf(workspace: Workspace): FileFindings[] {
  const topologies = rootsOfOpenFiles(workspace).map((root) => workspace.analyze(root));
  const open = workspace.openFiles.map(({ path }) => path);
  const paths = new Set([...open, ...topologies.flatMap((topology) => topology.paths)]);
  const found = new Map<string, Map<string, Diagnostic>>([...paths].map((path) => [path, new Map()]));
  for (const { analysis } of topologies) {
    // Topologies that share a file may have the same findings about it.
    for (const finding of analysis.diagnostics) found.get(finding.span.file)?.set(keyOf(finding), finding);
  }
  return [...found].flatMap(([path, findings]) => {
    const syntax = workspace.file(path)?.segments.diagnostics();
    if (syntax === undefined) return [];
    const all = [...findings.values()].sort((a, b) => a.span.start - b.span.start);
    const ignored = syntax.filter((finding) => !findings.has(keyOf(finding))).map(sentenceOf);
    for (const finding of syntax) findings.delete(keyOf(finding));
    return { path, all, later: [...findings.values()], ignored };
  });
}

function keyOf({ code, message, span }: Diagnostic): string {
  return `${span.start} ${span.end} ${code} ${message}`;
}

/** The side that talks to the client watches the process. */
const neverEnds: WatchDog = { shutdownReceived: false, initialize: () => {}, exit: () => {} };
