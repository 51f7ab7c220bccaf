import type { FunctionComponent } from 'preact';
import { CallTape, callsTitle } from './call-tape.js';
import { Changes, changesTitle } from './changes.js';
import { Findings, findingsTitle } from './findings.js';
import { EventTape, eventsTitle } from './panels/event-tape.js';
import { Runs, runsTitle } from './run-view.js';
import { openView } from './store.js';
import { TimeTravel, timeTitle } from './time-travel.js';

/** A view of the drawer below the graph. */
interface DrawerView {
  readonly id: string;
  /** The text of its tab, such as `2 findings`. */
  readonly title: () => string;
  readonly View: FunctionComponent;
}

const views: readonly DrawerView[] = [
  { id: 'findings', title: findingsTitle, View: Findings },
  { id: 'changes', title: changesTitle, View: Changes },
  { id: 'time', title: timeTitle, View: TimeTravel },
  { id: 'calls', title: callsTitle, View: CallTape },
  { id: 'runs', title: runsTitle, View: Runs },
  { id: 'events', title: eventsTitle, View: EventTape },
];

/** The bar below the graph; each of its buttons opens a view. */
export function Drawer() {
  const shown = views.find(({ id }) => id === openView.value);
  return (
    <section class="drawer" aria-label="Findings, changes, calls and events">
      <div class="bar">
        {views.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="tab"
            aria-expanded={id === openView.value}
            onClick={() => (openView.value = id === openView.value ? undefined : id)}
          >
            {title()}
          </button>
        ))}
      </div>
      {shown === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the view.
        <div class="view" tabIndex={0} role="region" aria-label={shown.title()}>
          <shown.View />
        </div>
      )}
    </section>
  );
}
