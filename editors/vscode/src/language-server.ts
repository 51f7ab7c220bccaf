import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  StatusBarAlignment,
  type StatusBarItem,
  type TextEditor,
  window,
  workspace,
} from 'vscode';
import { type ClientCapabilities, LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** The language server: that of the project, or that of the extension. */
export class LanguageServer implements Disposable {
  readonly #context: ExtensionContext;
  readonly #status: StatusBarItem;
  readonly #started = new EventEmitter<void>();
  readonly #editorChange: Disposable;
  #client: LanguageClient | undefined;
  /** The last restart: the next one waits for it. */
  #change: Promise<void> = Promise.resolve();

  /** Fires when a server has started. */
  readonly onDidStart = this.#started.event;

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#status = window.createStatusBarItem('gg.server', StatusBarAlignment.Right, 10);
    this.#status.name = 'gg-svc';
    this.#status.command = 'gg.restartServer';
    this.#editorChange = window.onDidChangeActiveTextEditor((editor) => this.#showStatus(editor));
  }

  /** The client of the running server; undefined without one. */
  get client(): LanguageClient | undefined {
    return this.#client?.isRunning() ? this.#client : undefined;
  }

  /** Starts the server, after ending the running one. A failure is shown to the user. */
  restart(): Promise<void> {
    this.#change = this.#change.then(() => this.#restart());
    return this.#change;
  }

  async stop(): Promise<void> {
    await this.#change;
    await this.#end();
  }

  dispose(): void {
    this.#editorChange.dispose();
    this.#status.dispose();
    this.#started.dispose();
  }

  async #restart(): Promise<void> {
    await this.#end();
    // The server runs the project file, which is a program.
    if (!workspace.isTrusted) {
      this.#describe('gg-svc', 'The workspace is not trusted, so there is no language server.');
      return;
    }
    const { module, args, version, origin } = chooseServer(this.#context);
    const run = { module, args, transport: TransportKind.stdio };
    const client = new LanguageClient('gg', 'gg-svc', run, {
      documentSelector: [{ language: 'gg' }],
      initializationOptions: { topologies: workspace.getConfiguration('gg').get('topologies') },
    });
    client.registerFeature({
      fillClientCapabilities(capabilities: ClientCapabilities) {
        capabilities.experimental = { ...capabilities.experimental, runRequest: true, followStream: true };
      },
      initialize: () => {},
      getState: () => ({ kind: 'static' }),
      clear: () => {},
    });
    this.#client = client;
    try {
      await client.start();
      this.#describe(`gg-svc ${version} (${origin})`, `${module}\nSelect to restart the language server.`);
      this.#started.fire();
    } catch (error) {
      this.#describe('gg-svc: not running', 'Select to start the language server.');
      window.showErrorMessage(`The language server of gg-svc ${version} (${origin}) cannot start: ${error}`);
    }
  }

  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // A server that failed to start cannot be stopped.
    await client?.dispose().catch(() => {});
  }

  #describe(text: string, tooltip: string): void {
    this.#status.text = text;
    this.#status.tooltip = tooltip;
    this.#showStatus(window.activeTextEditor);
  }

  #showStatus(editor: TextEditor | undefined): void {
    if (editor?.document.languageId === 'gg') this.#status.show();
    else this.#status.hide();
  }
}

interface ServerProgram {
  readonly module: string;
  readonly args: string[];
  readonly version: string;
  readonly origin: 'project' | 'bundled';
}

/** The gg-svc in `node_modules` of a folder of the workspace, unless the setting says otherwise. */
function chooseServer({ extensionPath, extension }: ExtensionContext): ServerProgram {
  if (workspace.getConfiguration('gg').get('server') === 'project') {
    for (const { uri } of workspace.workspaceFolders ?? []) {
      const directory = join(uri.fsPath, 'node_modules/gg-svc');
      const found = uri.scheme === 'file' ? readPackage(directory) : undefined;
      if (found === undefined) continue;
      return { ...found, args: ['lsp'], origin: 'project' };
    }
  }
  const module = join(extensionPath, 'out/server/server.mjs');
  return { module, args: [], version: extension.packageJSON.version, origin: 'bundled' };
}

/** The program and the version of an installed gg-svc; undefined if it is missing or incomplete. */
function readPackage(directory: string): Pick<ServerProgram, 'module' | 'version'> | undefined {
  try {
    const { bin, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const module = join(directory, bin['gg-svc']);
    return existsSync(module) ? { module, version } : undefined;
  } catch {
    return undefined;
  }
}
