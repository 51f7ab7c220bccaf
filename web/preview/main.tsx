// The graph of a topology in a webview of Visual Studio Code.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { GraphView } from '../graph/graph-view.js';
import type { Selection } from '../graph/structure.js';
import type { FromPreview, ToPreview } from './messages.js';

/** See https://code.visualstudio.com/api/extension-guides/webview#scripts-and-message-passing. */
declare function acquireVsCodeApi(): { postMessage(message: FromPreview): void };

const editor = acquireVsCodeApi();
const graph = signal<Extract<ToPreview, { kind: 'graph' }> | undefined>(undefined);
const selection = signal<Selection | undefined>(undefined);

addEventListener('message', ({ data }: MessageEvent<ToPreview>) => {
  if (data.kind === 'graph') graph.value = data;
  else selection.value = data.selection;
});

/** Our colours follow the theme of the editor, which is a class of the body. */
function followTheme(): void {
  const { classList } = document.body;
  const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  document.documentElement.dataset.theme = isLight ? 'light' : 'dark';
}
followTheme();
new MutationObserver(followTheme).observe(document.body, { attributeFilter: ['class'] });

function Preview() {
  const shown = graph.value;
  if (shown === undefined)
    return (
      <main class="preview">
        <h1 class="hidden">Graph</h1>
        <p role="status">Loading the graph…</p>
      </main>
    );
  const { drawing, problem } = shown;
  return (
    <main class="preview" aria-label={shown.title}>
      {/* The tab of the editor shows the title; this one is for screen readers. */}
      <h1 class="hidden">{shown.title}</h1>
      {problem === undefined ? null : (
        <p role="status">
          {problem} {drawing === undefined ? '' : 'The graph is that of the last topology without errors.'}
        </p>
      )}
      {drawing === undefined ? null : (
        <GraphView
          drawing={drawing}
          selection={selection.value}
          onSelect={(next) => {
            selection.value = next;
            if (next !== undefined) editor.postMessage({ kind: 'reveal', selection: next });
          }}
        />
      )}
    </main>
  );
}

render(<Preview />, document.body);
editor.postMessage({ kind: 'ready' });
