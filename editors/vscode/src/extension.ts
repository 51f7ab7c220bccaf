import { commands, type Disposable, type ExtensionContext, window, workspace } from 'vscode';
import { GraphPreview } from './graph-preview.js';
import { LanguageServer } from './language-server.js';
import { ResponseDocuments } from './run-request.js';

let server: LanguageServer | undefined;

/** Starts the language server and registers the commands. */
export async function activate(context: ExtensionContext): Promise<void> {
  const started = new LanguageServer(context);
  server = started;
  const preview = new GraphPreview(context, started);
  const responses = new ResponseDocuments();
  const register = (...disposables: Disposable[]) => context.subscriptions.push(...disposables);
  register(
    started,
    preview,
    responses,
    commands.registerCommand('gg.showGraph', () => preview.show(window.activeTextEditor)),
    commands.registerCommand('gg.restartServer', () => started.restart()),
    commands.registerCommand('gg.runRequest', (request) => responses.run(request)),
    commands.registerCommand('gg.followStream', (request) => responses.follow(request)),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gg.server') || change.affectsConfiguration('gg.topologies')) {
        void started.restart();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => started.restart()),
  );
  await started.restart();
}

/** Ends the language server. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
