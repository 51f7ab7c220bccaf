import { Tabs } from '../../tabs.js';
import { openTab, selection, state } from '../store.js';
import { shownVersion } from '../versions.js';
import { Landing } from './landing.js';
import { type Subject, subjectOf } from './subject.js';
import { type Tab, tabs } from './tabs.js';

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
  const ofNow = version === undefined ? [] : ['try', 'calls'];
  const own = tabs.filter(({ id, appliesTo }) => appliesTo(subject) && !ofNow.includes(id));
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
        onOpen={(id) => {
          openTab.value = id;
        }}
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
  switch (subject.kind) {
    case 'operation':
      return subject.operation.name;
    case 'union':
      return subject.union.name;
    case 'node':
      return subject.id;
  }
}
