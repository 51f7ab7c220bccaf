import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GraphList } from '../graph/graph-list.js';
import { GraphView } from '../graph/graph-view.js';
import { Legend } from '../graph/legend.js';
import { marks } from './changes.js';
import { drawing, isAlone, isFocused, isPart, opened, openGroup } from './drawing.js';
import { isBroken } from './findings.js';
import { live } from './live.js';
import { openView, selection, state } from './store.js';
import { chosen, chosenVersion, shortText, shownVersion } from './versions.js';

const isList = signal(false);

/** The keys of the switches, wherever the focus is but in a field. */
const keys: Readonly<Record<string, Signal<boolean>>> = { f: isFocused, a: isAlone, l: isList };

/** The graph or the list, with what is to be said about it. */
export function GraphArea() {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
      const value = keys[key];
      if (value !== undefined && !isTyping && !ctrlKey && !metaKey && !altKey) value.value = !value.value;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const shown = drawing.value;
  const tools = (
    <>
      <span class="group">
        <Toggle label="Focus" title="Dim everything far from the selection (F)" value={isFocused} />
        <Toggle label="Alone" title="Draw only what is around the selected operation (A)" value={isAlone} />
        <Toggle label="List" title="Show the same as a list (L)" value={isList} />
      </span>
      {opened.value.length === 0 ? null : (
        <button type="button" title="Show the groups as at first" onClick={() => (opened.value = [])}>
          Close groups
        </button>
      )}
      {isList.value ? null : <Legend />}
    </>
  );
  const shared = {
    selection: selection.value,
    onSelect: (part: typeof selection.value) => {
      selection.value = part;
    },
    onOpen: openGroup,
    marks: marks.value,
    // The calls are those of now.
    ...(shownVersion.value === undefined && { live }),
  };
  return (
    <>
      {shownVersion.value === undefined ? null : <Past />}
      {isBroken.value && state.value?.api !== undefined ? <Banner /> : null}
      {shown === undefined ? (
        <p class="notice graph">{reasonOfNothing()}</p>
      ) : isList.value ? (
        <div class="graph">
          <GraphList drawing={shown} {...shared} />
          <div class="graph-tools">{tools}</div>
        </div>
      ) : (
        // The drawing of a part has a camera of its own.
        <GraphView key={isPart.value ? 'part' : 'whole'} drawing={shown} {...shared} isFocused={isFocused.value}>
          {tools}
        </GraphView>
      )}
    </>
  );
}

/** Says that the graph is not that of now. */
function Past() {
  const version = chosenVersion();
  return (
    <p class="banner past">
      The graph shows {version === undefined ? 'an earlier version' : shortText(version)}. The signs show what has
      changed since.{' '}
      <button type="button" onClick={() => (chosen.value = undefined)}>
        Back to now
      </button>
    </p>
  );
}

function Banner() {
  return (
    <p class="banner" role="alert">
      The topology has errors. This is the last working API, which is still being served.{' '}
      <button type="button" onClick={() => (openView.value = 'findings')}>
        Show errors
      </button>
    </p>
  );
}

/** Why nothing is drawn. */
function reasonOfNothing(): string {
  if (state.value === undefined) return 'Loading the topology …';
  const { api } = state.value;
  if (api === undefined) return 'The topology has errors, and no API is served yet.';
  if (api.undrawn === undefined) return 'Computing the layout …';
  return `${api.undrawn} Search for an operation to draw what is around it.`;
}

interface ToggleProps {
  readonly label: string;
  readonly title: string;
  readonly value: Signal<boolean>;
}

function Toggle({ label, title, value }: ToggleProps) {
  return (
    <button type="button" title={title} aria-pressed={value.value} onClick={() => (value.value = !value.value)}>
      {label}
    </button>
  );
}
