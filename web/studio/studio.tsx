import { Drawer } from './drawer.js';
import { GraphArea } from './graph-area.js';
import { Panel } from './panels/panel.js';
import { SearchBox } from './search-box.js';
import { panelShare, Splitter } from './splitter.js';
import { apiTitle, connected, state } from './store.js';
import { ThemeSwitch } from './theme.js';

/** The whole page: a header, the graph above its drawer, and the panel of the selected part. */
export function Studio() {
  return (
    <div class="studio" style={{ '--panel-share': `${panelShare.value}%` }}>
      <header>
        <h1>
          <span class="product">gg-svc</span> <bdi>{apiTitle.value ?? 'studio'}</bdi>
          {state.value === undefined || apiTitle.value === state.value.title ? null : (
            <small>
              <bdi>{state.value.title}</bdi>
            </small>
          )}
        </h1>
        <SearchBox />
        <span class={`connection ${connected.value ? 'open' : 'lost'}`} role="status">
          {connected.value ? 'connected' : state.value === undefined ? 'connecting …' : 'reconnecting …'}
        </span>
        <ThemeSwitch />
      </header>
      <main aria-label="Topology">
        <GraphArea />
        <Drawer />
      </main>
      <aside aria-label="Selected part">
        <Splitter />
        <div class="scroll">
          <Panel />
        </div>
      </aside>
    </div>
  );
}
