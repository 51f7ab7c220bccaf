import { CancellationTokenSource, type PublishDiagnosticsParams, TextDocumentSyncKind } from 'vscode-languageserver';
import { type FileFindings, findingsMethod } from '../workspace/findings.js';
import { rangeOf } from '../workspace/locations.js';
import { toLspDiagnostic } from '../workspace/protocol-forms.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Feature } from './feature.js';

/**
 * Publishes the findings of all files of the topologies that the editor has open. After each edit those of the parser
 * are published at once; those of the compiler follow when typing pauses.
 */
export const diagnosticsFeature: Feature = {
  capabilities: { textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true } },
  register: (connection, workspace, { analyst, ended }) => {
    const { findings } = workspace;
    /** The URIs that have findings at the client, by path. */
    const told = new Map<string, string>();
    let timer: NodeJS.Timeout | undefined;
    let current: CancellationTokenSource | undefined;

    const send = (params: PublishDiagnosticsParams): void => {
      if (ended.aborted) return;
      // The server handles a client that disconnects in the middle of a message.
      connection.sendDiagnostics(params).catch(() => {});
    };

    const tell = (file: TopologyFile): void => {
      const all = findings.of(file);
      if (all.length === 0 && !told.has(file.path)) return;
      const shown = all.slice(0, maxFindings).map((finding) => toLspDiagnostic(finding, file, workspace));
      if (all.length > maxFindings) {
        const message = `${all.length - maxFindings} more findings are not shown; gg-svc check shows all of them.`;
        const range = rangeOf(file.document, 0, 0);
        shown.unshift({ range, severity: 2, source: 'gg-svc', message });
      }
      const isOpen = workspace.openFiles.includes(file);
      const version = isOpen ? { version: file.document.version } : {};
      send({ uri: file.uri, ...version, diagnostics: shown });
      if (all.length === 0) told.delete(file.path);
      else told.set(file.path, file.uri);
    };

    const analyze = async (): Promise<void> => {
      const run = new CancellationTokenSource();
      current = run;
      // The request is rejected when the run is cancelled, and when the analysis fails: the next edit tries again.
      const found = await analyst
        .request<readonly FileFindings[]>(findingsMethod, {}, run.token)
        .catch(() => undefined);
      if (found === undefined || current !== run) return;
      for (const one of found) findings.analyzed(one);
      const paths = new Set(found.map(({ path }) => path));
      for (const path of paths) {
        const file = workspace.file(path);
        if (file !== undefined) tell(file);
      }
      for (const [path, uri] of told) {
        if (paths.has(path) && workspace.file(path) !== undefined) continue;
        send({ uri, diagnostics: [] });
        told.delete(path);
      }
    };

    /** Cancels the run under way, which is outdated, and starts another after a pause. */
    const analyzeAfter = (pause: number): void => {
      current?.cancel();
      current = undefined;
      clearTimeout(timer);
      timer = setTimeout(analyze, pause);
    };

    connection.onDidOpenTextDocument((params) => {
      const { uri, version, text } = params.textDocument;
      analyst.notify('textDocument/didOpen', params);
      const file = workspace.open(uri, version, text);
      findings.edited(file, []);
      tell(file);
      analyzeAfter(0);
    });
    connection.onDidChangeTextDocument((params) => {
      const { uri, version } = params.textDocument;
      analyst.notify('textDocument/didChange', params);
      const changed = workspace.change(uri, version, params.contentChanges);
      if (changed === undefined) return;
      findings.edited(changed.file, changed.edits);
      tell(changed.file);
      analyzeAfter(debounce);
    });
    connection.onDidCloseTextDocument((params) => {
      analyst.notify('textDocument/didClose', params);
      workspace.close(params.textDocument.uri);
      analyzeAfter(debounce);
    });
    const filesChanged = (): void => {
      analyst.notify('workspace/didChangeWatchedFiles', { changes: [] });
      workspace.forgetPaths();
      analyzeAfter(debounce);
    };
    connection.onDidSaveTextDocument(filesChanged);
    connection.onDidChangeWatchedFiles(filesChanged);
    ended.addEventListener('abort', () => {
      clearTimeout(timer);
      current?.cancel();
    });
  },
};

const maxFindings = 500;

/** The debounce time before an analysis starts, in milliseconds. */
const debounce = 150;
