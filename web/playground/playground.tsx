import { useSignal } from '@preact/signals';
import { ThemeSwitch } from '../studio/theme.js';
import { Editor, formatActive } from './editor/editor.js';
import { FileTabs } from './file-tabs.js';
import { ResultsView } from './results.js';
import { active, currentState, examples, notice, replaceAll, shareAddress } from './store.js';

/** The whole page: the files on the left, their results on the right. */
export function Playground() {
  return (
    <div class="playground">
      <header>
        <h1>gg-svc playground</h1>
        <Examples />
        <button type="button" onClick={formatActive} title="Shift+Alt+F">
          Format
        </button>
        <Share />
        <ThemeSwitch />
      </header>
      {notice.value === undefined ? null : (
        <p class="notice" role="alert">
          {notice.value}{' '}
          <button type="button" onClick={() => (notice.value = undefined)}>
            Dismiss
          </button>
        </p>
      )}
      <main>
        <section class="source" aria-label="Files">
          <FileTabs />
          <div id="source-panel" role="tabpanel" aria-label={active.value} class="editor-panel">
            <Editor />
          </div>
        </section>
        <ResultsView />
      </main>
    </div>
  );
}

function Examples() {
  return (
    <select
      aria-label="Load an example"
      value=""
      onChange={({ currentTarget }) => {
        const example = examples.value.find(({ title }) => title === currentTarget.value);
        currentTarget.value = '';
        if (example !== undefined) replaceAll(example, true);
      }}
    >
      <option value="">Load an example…</option>
      {examples.value.map(({ title }) => (
        <option key={title} value={title}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Share() {
  const said = useSignal('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(await shareAddress(currentState()));
      said.value = 'The link is copied.';
    } catch {
      said.value = 'The link is in the address bar.';
    }
  };
  return (
    <>
      <button type="button" onClick={share}>
        Share
      </button>
      <span role="status">{said.value}</span>
    </>
  );
}
