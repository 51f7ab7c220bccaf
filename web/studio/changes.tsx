import { computed, signal } from '@preact/signals';
import type { ChangeReach, SchemaChange } from '../../src/analysis/diff/model/change.js';
import { changeLevels } from '../../src/analysis/diff/model/change-level.js';
import type { GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { changeMarks, partOfChange } from './change-marks.js';
import { PartLink } from './panels/part-link.js';
import { state } from './store.js';
import { shownVersion, withReplays } from './versions.js';

/** The list of changes that was cleared. */
const cleared = signal<readonly SchemaChange[] | undefined>(undefined);

/** What the last save that changed the API has changed, until it is cleared. */
const changes = computed(() => {
  const latest = state.value?.changes ?? [];
  const key = JSON.stringify(latest);
  return cleared.value !== undefined && JSON.stringify(cleared.value) === key ? [] : latest;
});

/** The marks of these changes on the graph, or of those since the version that is shown. */
export const marks = computed(() => {
  const version = shownVersion.value;
  if (version !== undefined) return withReplays(changeMarks(version.schema, version.changes));
  const schema = state.value?.api?.schema;
  return schema === undefined ? new Map() : changeMarks(schema, changes.value);
});

/** `1 breaking, 2 safe`, or `No changes`. */
export function changesTitle(): string {
  const counts = changeLevels.flatMap((level) => {
    const count = changes.value.filter((change) => change.level === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  });
  return counts.length === 0 ? 'No changes' : `Last save: ${counts.join(', ')}`;
}

/** The changes of the last save, with what they reach; what was removed is only here. */
export function Changes() {
  const api = state.value?.api;
  if (changes.value.length === 0) return <p>The last save has not changed the API.</p>;
  return (
    <>
      <button type="button" class="clear" onClick={() => (cleared.value = changes.value)}>
        Clear
      </button>
      <ChangeList schema={api?.schema} changes={changes.value} absent="gone" />
    </>
  );
}

interface ChangeListProps {
  /** The schema of the graph that is shown. */
  readonly schema: GqlSchema | undefined;
  readonly changes: readonly SchemaChange[];
  /** What the parts are that this schema lacks. */
  readonly absent: 'gone' | 'added';
}

/** Changes with what they reach. */
export function ChangeList({ schema, changes, absent }: ChangeListProps) {
  return (
    <ul class="changes">
      {changes.map(({ kind, level, coordinate, message, reach }) => {
        const part = schema && partOfChange(schema, coordinate);
        return (
          <li key={`${kind} ${coordinate}`} class={level}>
            <p>
              <strong>{level}</strong> {message}{' '}
              {part === undefined ? (
                <code class={absent}>
                  <bdi>{coordinate}</bdi>
                </code>
              ) : (
                <PartLink part={part}>
                  <bdi>{coordinate}</bdi>
                </PartLink>
              )}
            </p>
            <Reach reach={reach} />
          </li>
        );
      })}
    </ul>
  );
}

function Reach({ reach }: { readonly reach: ChangeReach }) {
  const { queries, mutations, subscriptions, routes, isComplete } = reach;
  const groups = { queries, mutations, subscriptions, routes };
  const parts = Object.entries(groups).flatMap(([name, list]) =>
    list.length === 0 ? [] : [`${name} ${list.join(', ')}`],
  );
  if (parts.length === 0) return null;
  return (
    <p class="reach">
      Reaches {parts.join('; ')}
      {isComplete ? '' : ' and more'}.
    </p>
  );
}
