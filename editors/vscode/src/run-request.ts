import {
  type Disposable,
  EventEmitter,
  ProgressLocation,
  TabInputText,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { eventBlocks } from '../../../src/base/read/event-blocks.js';
import type { RestRequest } from '../../../src/compiler/api/rest-request.js';

/** A stream ends after so many events, if the user does not end it. */
const maxEvents = 200;

/** Runs requests, and shows each response in a document beside the topology. */
export class ResponseDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider = workspace.registerTextDocumentContentProvider('gg-response', {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: (uri) => this.#texts.get(uri.path),
  });

  /** The streams that are followed, by the paths of their documents. */
  readonly #streams = new Map<string, AbortController>();

  /** Sends a request to the server of the settings. */
  async run(request: RestRequest): Promise<void> {
    const { address, headers } = readSettings();
    const [path] = request.target.split('?');
    const uri = Uri.from({ scheme: 'gg-response', path: `${path} (${request.method}).jsonc` });
    this.#write(uri, await send(address, request, headers));
    await show(uri);
  }

  /**
   * Follows the events of a subscription, in a document that grows. It ends by the button of its notification, by closing
   * the document, or after {@link maxEvents} events.
   */
  async follow({ method, target }: RestRequest): Promise<void> {
    const { address, headers } = readSettings();
    const [path] = target.split('?');
    const uri = Uri.from({ scheme: 'gg-response', path: `${path} (events).jsonc` });
    this.#streams.get(uri.path)?.abort();
    const controller = new AbortController();
    this.#streams.set(uri.path, controller);
    const closing = window.tabGroups.onDidChangeTabs(({ closed }) => {
      const isClosed = closed.some(
        ({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString(),
      );
      if (isClosed) controller.abort();
    });
    let text = `// ${method} ${address}${target}\n`;
    const add = (more: string) => {
      text += more;
      if (this.#streams.get(uri.path) === controller) this.#write(uri, text);
    };
    add('');
    await show(uri);
    const options = {
      location: ProgressLocation.Notification,
      title: `Events of ${path}`,
      cancellable: true,
    };
    const start = performance.now();
    await window.withProgress(options, async (_progress, token) => {
      token.onCancellationRequested(() => controller.abort());
      try {
        const response = await fetch(address + target, {
          headers: { ...headers, accept: 'text/event-stream' },
          signal: controller.signal,
        });
        add(`// ${response.status} ${response.statusText}\n`);
        if (!response.ok || response.body === null) {
          add(`${indent(await response.text())}\n`);
          return;
        }
        let count = 0;
        for await (const { event, data } of eventBlocks(response.body)) {
          if (event === 'complete') break;
          if (data === undefined) continue;
          count += 1;
          const after = Math.round(performance.now() - start);
          add(`\n// ${event === 'message' ? 'Event' : event} ${count}, after ${after} ms\n${indent(data)}\n`);
          if (count === maxEvents) break;
        }
        add(`\n// The stream has ended after ${count} events.\n`);
      } catch (error) {
        add(controller.signal.aborted ? '\n// Stopped.\n' : describeFailure(error));
      } finally {
        controller.abort();
        closing.dispose();
        if (this.#streams.get(uri.path) === controller) this.#streams.delete(uri.path);
      }
    });
  }

  dispose(): void {
    for (const controller of this.#streams.values()) controller.abort();
    this.#provider.dispose();
    this.#changed.dispose();
  }

  #write(uri: Uri, text: string): void {
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
  }
}

function readSettings(): {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const settings = workspace.getConfiguration('gg.request');
  return {
    address: settings.get<string>('address', '').replace(/\/+$/, ''),
    headers: settings.get('headers', {}),
  };
}

async function show(uri: Uri): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, {
    viewColumn: ViewColumn.Beside,
    preview: true,
    preserveFocus: true,
  });
}

async function send(
  address: string,
  { method, target, headers: own = [], body }: RestRequest,
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
        ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
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
    return `${request}${describeFailure(error)}`;
  }
}

function describeFailure(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(error);
  return `\n// No response: ${reason}\n// Start the server with \`gg-svc dev\`; its address is the setting gg.request.address.\n`;
}

/** JSON on several lines; any other text as comments. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text.replace(/^(?=.)/gm, '// ');
  }
}
