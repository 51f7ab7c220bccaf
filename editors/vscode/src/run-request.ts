import { type Disposable, EventEmitter, Uri, ViewColumn, window, workspace } from 'vscode';
import type { RestRequest } from '../../../src/api/rest-request.js';

/** Runs requests, and shows each response in a document beside the topology. */
export class ResponseDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider = workspace.registerTextDocumentContentProvider('gg-response', {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: (uri) => this.#texts.get(uri.path),
  });

  /** Sends a request to the server of the settings. */
  async run({ method, target, body }: RestRequest): Promise<void> {
    const settings = workspace.getConfiguration('gg.request');
    const address = settings.get<string>('address', '').replace(/\/+$/, '');
    const [path] = target.split('?');
    const uri = Uri.from({ scheme: 'gg-response', path: `${path} (${method}).jsonc` });
    this.#texts.set(uri.path, await send(address, { method, target, body }, settings.get('headers', {})));
    this.#changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, {
      viewColumn: ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }
}

async function send(
  address: string,
  { method, target, body }: RestRequest,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const sent = body === undefined ? '' : JSON.stringify(body, undefined, 2);
  const request = `// ${method} ${address}${target}\n${sent.replace(/^(?=.)/gm, '// ')}${sent === '' ? '' : '\n'}`;
  const start = performance.now();
  try {
    const response = await fetch(address + target, {
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(sent === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === '' ? {} : { body: sent }),
      // Another server may be slow or gone; the editor waits no longer.
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const duration = Math.round(performance.now() - start);
    return `${request}\n// ${response.status} ${response.statusText} (${duration} ms)\n${indent(text)}\n`;
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(error);
    return `${request}\n// No response: ${reason}\n// Start the server with \`gg-svc dev\`; its address is the setting gg.request.address.\n`;
  }
}

/** JSON on several lines; any other text as comments. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text.replace(/^(?=.)/gm, '// ');
  }
}
