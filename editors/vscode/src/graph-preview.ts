import { randomBytes } from 'node:crypto';
import {
  type Disposable,
  type ExtensionContext,
  type Position,
  Range,
  type TextEditor,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import type { Location } from 'vscode-languageclient';
import type {
  GraphParams,
  graphMethod,
  TopologyGraph,
} from '../../../src/tools/language-server/features/topology-graph.js';
import type { FromPreview, ToPreview } from '../../../web/preview/messages.js';
import type { LanguageServer } from './language-server.js';

// The compiler stays out of the extension: it imports types alone.
const method: typeof graphMethod = 'gg/graph';

type Drawn = Extract<TopologyGraph, { readonly drawing: unknown }>;

/** The graph of a topology beside its text. It follows edits and the cursor; a click in it shows the source. */
export class GraphPreview implements Disposable {
  readonly #context: ExtensionContext;
  readonly #server: LanguageServer;
  readonly #listeners: Disposable[];
  #panel: WebviewPanel | undefined;
  /** The file whose topology is shown. */
  #uri: Uri | undefined;
  /** The last topology without errors. */
  #drawn: Drawn | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ExtensionContext, server: LanguageServer) {
    this.#context = context;
    this.#server = server;
    this.#listeners = [
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'gg') this.#refreshSoon();
      }),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor?.document.languageId === 'gg' && this.#panel !== undefined) this.#follow(editor);
      }),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.#selectAt(textEditor)),
      server.onDidStart(() => this.#refreshSoon()),
    ];
  }

  /** Opens the preview of the topology in an editor. */
  show(editor: TextEditor | undefined): void {
    if (editor?.document.languageId !== 'gg') return;
    this.#uri = editor.document.uri;
    this.#drawn = undefined;
    if (this.#panel === undefined) this.#open();
    else this.#panel.reveal(undefined, true);
    void this.#refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  #open(): void {
    const folder = Uri.joinPath(this.#context.extensionUri, 'out/preview');
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel = window.createWebviewPanel('gg.graph', 'Graph', column, {
      enableScripts: true,
      localResourceRoots: [folder],
    });
    const script = panel.webview.asWebviewUri(Uri.joinPath(folder, 'main.js'));
    const style = panel.webview.asWebviewUri(Uri.joinPath(folder, 'style.css'));
    const nonce = randomBytes(16).toString('base64url');
    panel.webview.html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${panel.webview.cspSource}; script-src 'nonce-${nonce}'">
<title>Graph</title>
<link rel="stylesheet" href="${style}">
</head>
<body><script type="module" nonce="${nonce}" src="${script}"></script></body>
</html>`;
    panel.webview.onDidReceiveMessage((message: FromPreview) => {
      if (message.kind === 'ready') void this.#refresh();
      else void this.#reveal(message);
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#drawn = undefined;
    });
    this.#panel = panel;
  }

  #follow(editor: TextEditor): void {
    if (editor.document.uri.toString() === this.#uri?.toString()) {
      this.#selectAt(editor);
      return;
    }
    this.#uri = editor.document.uri;
    this.#drawn = undefined;
    void this.#refresh();
  }

  #refreshSoon(): void {
    if (this.#panel === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), 200);
  }

  async #refresh(): Promise<void> {
    const uri = this.#uri;
    const { client } = this.#server;
    if (this.#panel === undefined || uri === undefined || client === undefined) return;
    const params: GraphParams = { textDocument: { uri: uri.toString() } };
    const answer = await client
      .sendRequest<TopologyGraph>(method, params)
      .catch((error: Error): TopologyGraph => ({ problem: error.message }));
    // The user may have gone to another file meanwhile.
    if (uri !== this.#uri) return;
    if ('drawing' in answer) this.#drawn = answer;
    this.#send({
      kind: 'graph',
      title: workspace.asRelativePath(uri),
      ...(this.#drawn === undefined ? {} : { drawing: this.#drawn.drawing }),
      ...('problem' in answer ? { problem: answer.problem } : {}),
    });
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    if (editor !== undefined) this.#selectAt(editor);
  }

  #send(message: ToPreview): void {
    void this.#panel?.webview.postMessage(message);
  }

  /** Selects the box or the edge at the cursor: of several, the one with the smallest range. */
  #selectAt({ document, selection: { active } }: TextEditor): void {
    if (this.#drawn === undefined || document.languageId !== 'gg') return;
    const { drawing, boxes, lines } = this.#drawn;
    const places = [...boxes, ...lines];
    const parts = [...drawing.boxes, ...drawing.lines];
    const found = places
      .map((place, at) => ({ size: sizeAt(place, document.uri, active), part: parts[at] }))
      .filter(({ size }) => size !== undefined)
      .sort((one, other) => (one.size ?? 0) - (other.size ?? 0))
      .map(({ part }) => part)
      .find((part) => part !== undefined && ('node' in part || 'coordinate' in part));
    if (found === undefined) return;
    if ('node' in found && found.node !== undefined) {
      this.#send({ kind: 'select', selection: { kind: 'node', id: found.node } });
    } else if ('coordinate' in found && found.coordinate !== undefined) {
      this.#send({ kind: 'select', selection: { kind: 'edge', coordinate: found.coordinate } });
    }
  }

  async #reveal({ selection }: Extract<FromPreview, { kind: 'reveal' }>): Promise<void> {
    if (this.#drawn === undefined) return;
    const { drawing, boxes, lines } = this.#drawn;
    const place =
      selection.kind === 'node'
        ? boxes[drawing.boxes.findIndex(({ node }) => node === selection.id)]
        : lines[drawing.lines.findIndex(({ coordinate }) => coordinate === selection.coordinate)];
    if (place === undefined) return;
    const { start, end } = place.range;
    const uri = Uri.parse(place.uri, true);
    const beside = window.visibleTextEditors.find(({ document }) => document.languageId === 'gg')?.viewColumn;
    await window.showTextDocument(uri, {
      viewColumn: beside ?? ViewColumn.One,
      selection: new Range(start.line, start.character, end.line, end.character),
    });
  }
}

/** The size of a range that contains a position, in a measure that only compares; undefined for any other range. */
function sizeAt({ uri, range }: Location, file: Uri, position: Position): number | undefined {
  if (Uri.parse(uri, true).toString() !== file.toString()) return undefined;
  const { start, end } = range;
  const around = new Range(start.line, start.character, end.line, end.character);
  return around.contains(position) ? (end.line - start.line) * 10_000 + end.character - start.character : undefined;
}
