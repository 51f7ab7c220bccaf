import type { FunctionComponent } from 'preact';
import { Tabs } from '../../tabs.js';
import { openTab, selection, state } from '../store.js';
import { shownVersion } from '../versions.js';
import { CallsTab } from './calls-tab.js';
import { Landing } from './landing.js';
import { ReferenceTab } from './reference-tab.js';
import { SourceTab } from './source-tab.js';
import { type Subject, subjectOf, type TabProps } from './subject.js';
import { TryTab } from './try-tab.js';

/** A tab of the panel. */
interface Tab {
  readonly id: string;
  readonly label: string;
  /** Whether nodes and unions have it, too. */
  readonly isForAll: boolean;
  readonly View: FunctionComponent<TabProps>;
}

/** The tabs, in order. */
const tabs: readonly Tab[] = [
  { id: 'source', label: 'Source', isForAll: true, View: SourceTab },
  { id: 'reference', label: 'Reference', isForAll: true, View: ReferenceTab },
  { id: 'try', label: 'Try it', isForAll: false, View: TryTab },
  { id: 'calls', label: 'Calls', isForAll: false, View: CallsTab },
];

/** The panel of the selected node, operation or union. */
export function Panel() {
  const shown = state.value;
  const selected = selection.value;
  const api = shown?.api;
  if (shown === undefined || api === undefined) return <p class="notice">No API is served yet.</p>;
  if (selected === undefined) return <Landing state={shown} api={api} />;
  const version = shownVersion.value;
  const shownApi = version === undefined ? api : { ...api, ...version };
  const subject = subjectOf(shownApi.schema, selected);
  if (subject === undefined) return <p class="notice">The API has no such part. Select another one.</p>;
  // Calls are those of now.
  const isCalled = subject.kind === 'operation' && version === undefined;
  const own = tabs.filter(({ isForAll }) => isForAll || isCalled);
  const tab = own.find(({ id }) => id === openTab.value) ?? (own[0] as Tab);
  const key = subject.kind === 'node' ? `(${subject.id})` : subject.coordinate;
  return (
    <div class="panel">
      <h2>
        <span class={`kind ${kindOf(subject)}`}>{kindOf(subject)}</span> <bdi>{nameOf(subject)}</bdi>
        {subject.kind === 'operation' && subject.operation.chain ? (
          <span class="kind chain">{subject.operation.durable ? 'durable chain' : 'chain'}</span>
        ) : null}
      </h2>
      <Tabs
        label="About the selected part"
        panel="panel"
        tabs={own}
        open={tab.id}
        onOpen={(id) => (openTab.value = id)}
      />
      <div role="tabpanel" id="panel" aria-label={tab.label} key={`${tab.id} ${key}`}>
        <tab.View state={shown} api={shownApi} subject={subject} />
      </div>
    </div>
  );
}

function kindOf(subject: Subject): string {
  return subject.kind === 'operation' ? subject.operation.kind : subject.kind;
}

function nameOf(subject: Subject): string {
  if (subject.kind === 'node') return subject.id;
  return subject.kind === 'operation' ? subject.operation.name : subject.union.name;
}
