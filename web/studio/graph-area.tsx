import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GraphList } from '../graph/graph-list.js';
import { GraphView } from '../graph/graph-view.js';
import { Legend } from '../graph/legend.js';
import type { OnSelect } from '../graph/part.js';
import { changeMarks } from './change-marks.js';
import { changes } from './changes.js';
import { openView } from './drawer.js';
import { isBroken } from './findings.js';
import { live } from './live.js';
import { selection, state } from './store.js';

const isList = signal(false);
const isFocused = signal(false);

const marks = computed(() => {
  const schema = state.value?.api?.schema;
  return schema === undefined ? new Map() : changeMarks(schema, changes.value);
});

const select: OnSelect = (part) => {
  selection.value = part;
};

/** The graph or the list, with what is to be said about it. */
export function GraphArea() {
  const drawing = state.value?.api?.drawing;
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isTyping =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
      if (key === 'f' && !isTyping && !ctrlKey && !metaKey && !altKey) isFocused.value = !isFocused.value;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (state.value === undefined) return <p class="notice">Loading the topology …</p>;
  if (drawing === undefined) return <p class="notice">The topology has errors, and no API is served yet.</p>;
  const shared = { drawing, selection: selection.value, onSelect: select, marks: marks.value, live };
  const tools = (
    <>
      <span class="group">
        <Toggle label="Focus" title="Dim everything far from the selection (F)" value={isFocused} />
        <Toggle label="List" title="Show the same as a list" value={isList} />
      </span>
      {isList.value ? null : <Legend />}
    </>
  );
  return (
    <>
      {isBroken.value ? (
        <p class="banner" role="alert">
          The topology has errors. This is the last working API, which is still being served.{' '}
          <button
            type="button"
            onClick={() => {
              openView.value = 'findings';
            }}
          >
            Show errors
          </button>
        </p>
      ) : null}
      {isList.value ? (
        <div class="graph">
          <GraphList {...shared} />
          <div class="graph-tools">{tools}</div>
        </div>
      ) : (
        <GraphView {...shared} isFocused={isFocused.value}>
          {tools}
        </GraphView>
      )}
    </>
  );
}

function Toggle({
  label,
  title,
  value,
}: {
  readonly label: string;
  readonly title: string;
  readonly value: { value: boolean };
}) {
  return (
    <button
      type="button"
      title={title}
      aria-pressed={value.value}
      onClick={() => {
        value.value = !value.value;
      }}
    >
      {label}
    </button>
  );
}
