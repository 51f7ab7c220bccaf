import { GraphView } from '../graph/graph-view.js';
import { Panel } from './panels/panel.js';
import { connected, selection, state } from './store.js';

/** The whole page: a header, the graph, and the panel of its selected part. */
export function Studio() {
  const shown = state.value;
  return (
    <div class="studio">
      <header>
        <h1>{shown?.title ?? 'gg-svc studio'}</h1>
        <span role="status">{connected.value ? 'connected' : 'not connected'}</span>
      </header>
      <main>
        {shown?.api?.drawing === undefined ? (
          <p>
            {shown?.api === undefined
              ? 'The topology has errors, and no API is served yet.'
              : (shown.api.undrawn ?? 'The layout is computed.')}
          </p>
        ) : (
          <GraphView
            drawing={shown.api.drawing}
            selection={selection.value}
            onSelect={(next) => {
              selection.value = next;
            }}
          />
        )}
      </main>
      <aside aria-label="Selected part">
        <Panel />
      </aside>
    </div>
  );
}
