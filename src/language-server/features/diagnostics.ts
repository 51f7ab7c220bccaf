import { type PublishDiagnosticsParams, TextDocumentSyncKind } from 'vscode-languageserver';
import { toLspDiagnostic } from '../workspace/lsp-diagnostic.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Feature } from './feature.js';

/**
 * Tells the findings of all files of the topologies that the editor has open. After each edit those of the
 * edited file are told at once, as far as the parser knows them; the compiler runs when the typing pauses.
 */
export const diagnosticsFeature: Feature = {
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  },
  register: (connection, workspace, ended) => {
    const { findings } = workspace;
    /** The URIs that something was told of, by path. */
    const told = new Map<string, string>();
    let timer: NodeJS.Timeout | undefined;
    let lastCompile = 0;

    const send = (params: PublishDiagnosticsParams): void => {
      if (ended.aborted) return;
      // A client that goes away in the middle of a message is noticed by the server; here it is no matter.
      connection.sendDiagnostics(params).catch(() => {});
    };

    const tell = (file: TopologyFile): void => {
      const all = findings.of(file);
      if (all.length === 0 && !told.has(file.path)) return;
      const shown = all.slice(0, maxFindings).map((finding) => toLspDiagnostic(finding, file, workspace));
      if (all.length > maxFindings) {
        const message = `${all.length - maxFindings} more findings are not shown; gg-svc check tells them all.`;
        const nowhere = { line: 0, character: 0 };
        shown.unshift({ range: { start: nowhere, end: nowhere }, severity: 2, source: 'gg-svc', message });
      }
      const isOpen = workspace.openFiles.includes(file);
      const version = isOpen ? { version: file.document.version } : {};
      send({ uri: file.uri, ...version, diagnostics: shown });
      if (all.length === 0) told.delete(file.path);
      else told.set(file.path, file.uri);
    };

    const compile = (): void => {
      const start = performance.now();
      const paths = new Set(workspace.openFiles.flatMap((file) => [...findings.compile(file)]));
      lastCompile = performance.now() - start;
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

    /** While compiling takes long, the pause is long too, so that typing is never far behind. */
    const compileSoon = (pause = Math.min(Math.max(shortestPause, lastCompile), longestPause)): void => {
      clearTimeout(timer);
      timer = setTimeout(compile, pause);
    };

    connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
      tell(workspace.open(uri, version, text));
      compileSoon(0);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const changed = workspace.change(uri, version, contentChanges);
      if (changed === undefined) return;
      findings.edited(changed.file, changed.edits);
      tell(changed.file);
      compileSoon();
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      workspace.close(uri);
      compileSoon();
    });
    const filesChanged = (): void => {
      workspace.forgetPaths();
      compileSoon();
    };
    connection.onDidSaveTextDocument(filesChanged);
    connection.onDidChangeWatchedFiles(filesChanged);
    ended.addEventListener('abort', () => clearTimeout(timer));
  },
};

/** More findings than this are not told of one file: an editor has no use for them. */
const maxFindings = 500;

/** How long typing has to pause before the compiler runs, in milliseconds. */
const shortestPause = 150;
const longestPause = 1000;
