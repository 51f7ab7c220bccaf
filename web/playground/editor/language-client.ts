import { startCompletion } from '@codemirror/autocomplete';
import {
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  renameKeymap,
  serverCompletion,
  Workspace,
  type WorkspaceFile,
} from '@codemirror/lsp-client';
import { ChangeSet, type EditorState, type Extension, type Text, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { CodeAction, Diagnostic, PublishDiagnosticsParams, TextEdit } from 'vscode-languageserver';
import type { ConnectEditor } from '../protocol.js';
import { type Finding, findings, setText, startCompiler } from '../store.js';
import { plainHtml } from './plain-html.js';

const folder = 'file:///playground';

/** The URI of a file. */
function uriOf(name: string): string {
  return `${folder}/${name}`;
}

/** The name of a file. */
function nameOf(uri: string): string {
  return decodeURIComponent(uri.slice(folder.length + 1));
}

/** One file: with its editor while it is shown, and with its state, which keeps the history, otherwise. */
interface OpenFile extends WorkspaceFile {
  view: EditorView | undefined;
  state: EditorState;
  doc: Text;
  version: number;
}

/** All files of the playground are open at the language server, whether they are shown or not. */
export class PlaygroundWorkspace extends Workspace {
  override files: OpenFile[] = [];
  /** Shows a file, and gives its editor. */
  show: (name: string) => EditorView | null = () => null;
  /** Called when findings of the shown file arrive. */
  onFindings: (view: EditorView) => void = () => {};

  add(name: string, state: EditorState): void {
    const uri = uriOf(name);
    const file: OpenFile = {
      ...{ uri, languageId: 'gg', version: 0, doc: state.doc, state, view: undefined },
      getView: () => file.view ?? null,
    };
    this.files.push(file);
    this.client.didOpen(file);
  }

  remove(name: string): void {
    const uri = uriOf(name);
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  file(name: string): OpenFile | undefined {
    return this.getFile(uriOf(name)) ?? undefined;
  }

  override getFile(uri: string): OpenFile | null {
    return this.files.find((file) => file.uri === uri) ?? null;
  }

  override syncFiles() {
    return this.files.flatMap((file) => {
      const { doc: prevDoc, view } = file;
      const doc = view?.state.doc ?? file.state.doc;
      if (doc.eq(prevDoc)) return [];
      const plugin = view && LSPPlugin.get(view);
      const changes =
        plugin?.unsyncedChanges ?? ChangeSet.of({ from: 0, to: prevDoc.length, insert: doc }, prevDoc.length);
      plugin?.clear();
      file.doc = doc;
      file.version += 1;
      return [{ file, prevDoc, changes }];
    });
  }

  override openFile(uri: string, _languageId: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file !== null) file.view = view;
  }

  override closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file?.view === view) file.view = undefined;
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const file = this.getFile(uri);
    if (file?.view !== undefined) file.view.dispatch(update);
    if (file === null || file.view !== undefined) return;
    file.state = file.state.update(update).state;
    setText(nameOf(uri), file.state.doc.toString());
    this.client.sync();
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return Promise.resolve(this.show(nameOf(uri)));
  }

  /** Takes the findings of a file, and asks for their fixes. */
  async publish({ uri, diagnostics }: PublishDiagnosticsParams): Promise<void> {
    const told = this.#told.get(uri);
    const round = (told ?? 0) + 1;
    this.#told.set(uri, round);
    const file = this.getFile(uri);
    if (file === null || diagnostics.length === 0) return this.#keep(uri, []);
    const { lines } = file.doc;
    const range = { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } };
    const params = { textDocument: { uri }, range, context: { diagnostics, only: ['quickfix'] } };
    const actions = await this.client
      .request<typeof params, CodeAction[]>('textDocument/codeAction', params)
      .catch(() => []);
    // Later findings have come meanwhile.
    if (this.#told.get(uri) !== round) return;
    this.#keep(
      uri,
      diagnostics.map((diagnostic) => ({ ...diagnostic, fixes: this.#fixesOf(diagnostic, actions) })),
    );
  }

  readonly #told = new Map<string, number>();

  #fixesOf(diagnostic: Diagnostic, actions: readonly CodeAction[]): Finding['fixes'] {
    const key = keyOf(diagnostic);
    return actions
      .filter(({ diagnostics }) => diagnostics?.some((one) => keyOf(one) === key))
      .map(({ title, edit }) => ({
        title,
        apply: () => {
          for (const [uri, edits] of Object.entries(edit?.changes ?? {})) this.#edit(uri, edits);
        },
      }));
  }

  #edit(uri: string, edits: readonly TextEdit[]): void {
    const file = this.getFile(uri);
    if (file === null) return;
    const { doc } = file.view?.state ?? file.state;
    const changes = edits.map(({ range, newText }) => ({
      from: offsetOf(doc, range.start),
      to: offsetOf(doc, range.end),
      insert: newText,
    }));
    this.updateFile(uri, { changes, userEvent: 'input.fix' });
  }

  #keep(uri: string, list: readonly Finding[]): void {
    const next = new Map(findings.value);
    if (list.length === 0) next.delete(nameOf(uri));
    else next.set(nameOf(uri), list);
    findings.value = next;
    const view = this.getFile(uri)?.getView();
    if (view) this.onFindings(view);
  }
}

/** The offset of a position of the protocol; positions outside of the text are moved into it. */
export function offsetOf(doc: Text, { line, character }: { line: number; character: number }): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function keyOf({ code, message, range }: Diagnostic): string {
  return JSON.stringify([code, message, range]);
}

/** The files, as the language server knows them. */
export let workspace: PlaygroundWorkspace;

/** The client of the language server. */
export const client = new LSPClient({
  rootUri: folder,
  // The first answers come when the worker has loaded.
  timeout: 20_000,
  sanitizeHTML: plainHtml,
  workspace: (own) => {
    workspace = new PlaygroundWorkspace(own);
    return workspace;
  },
  notificationHandlers: {
    'textDocument/publishDiagnostics': (_client, params: PublishDiagnosticsParams) => {
      void workspace.publish(params);
      return true;
    },
  },
});

const { port1, port2 } = new MessageChannel();
startCompiler().postMessage({ kind: 'editor', port: port2 } satisfies ConnectEditor, [port2]);
const handlers = new Set<(message: string) => void>();
port1.onmessage = ({ data }) => {
  for (const handler of handlers) handler(JSON.stringify(data));
};
client.connect({
  send: (message) => port1.postMessage(JSON.parse(message)),
  subscribe: (handler) => void handlers.add(handler),
  unsubscribe: (handler) => void handlers.delete(handler),
});

/** What the language server does for the editor of a file. */
export function languageSupport(name: string): Extension {
  return [
    client.plugin(uriOf(name), 'gg'),
    serverCompletion(),
    completeWhenReady,
    hoverTooltips(),
    keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap]),
  ];
}

/** Completes what was typed while the language server was loading: its trigger characters were not known then. */
const completeWhenReady = EditorView.updateListener.of(({ docChanged, view }) => {
  if (!docChanged || client.serverCapabilities !== null) return;
  void client.initializing.then(() => {
    const { head } = view.state.selection.main;
    const triggers = client.serverCapabilities?.completionProvider?.triggerCharacters;
    if (view.hasFocus && triggers?.includes(view.state.sliceDoc(head - 1, head))) startCompletion(view);
  });
});
