import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { GraphView } from '../graph/graph-view.js';
import type { Selection } from '../studio/store.js';
import { Tabs } from '../tabs.js';
import { CopyButton } from '../try/code-text.js';
import { offsetIn, revealRange } from './editor/editor.js';
import type { ArtifactName } from './protocol.js';
import { type Finding, findingCount, findings, isStale, results, tab } from './store.js';
import { TryTab } from './try-tab.js';

/** The tabs of results, in order. */
const tabs: readonly {
  readonly id: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
  /** Absent if the tab is always there. */
  readonly isShown?: () => boolean;
}[] = [
  { id: 'graph', label: 'Graph', content: () => <Graph /> },
  { id: 'sdl', label: 'SDL', content: () => <Artifact name="schema.graphql" /> },
  { id: 'openapi', label: 'OpenAPI', content: () => <Artifact name="openapi.json" /> },
  { id: 'collection', label: 'Collection', content: () => <Artifact name="collection.json" /> },
  {
    id: 'asyncapi',
    label: 'AsyncAPI',
    content: () => <Artifact name="asyncapi.json" />,
    isShown: () => results.value?.artifacts['asyncapi.json'] !== undefined,
  },
  { id: 'types', label: 'TypeScript', content: () => <Artifact name="types.ts" /> },
  { id: 'findings', label: 'Findings', content: () => <Findings /> },
  { id: 'try', label: 'Try it', content: () => <TryTab /> },
];

/** What the topology compiles to, in tabs. */
export function ResultsView() {
  const shown = tabs.filter(({ isShown }) => isShown?.() ?? true);
  const open = shown.find(({ id }) => id === tab.value) ?? shown[0];
  if (open === undefined) return null;
  return (
    <section class="results" aria-label="Results">
      <Tabs
        label="Results"
        panel="results-panel"
        tabs={shown.map(({ id, label }) => ({
          id,
          label: id === 'findings' && findingCount.value > 0 ? `${label} (${findingCount.value})` : label,
        }))}
        open={open.id}
        onOpen={(id) => (tab.value = id)}
      />
      {isStale.value && open.id !== 'findings' ? (
        <p class="stale" role="status">
          {results.value === undefined
            ? 'The topology has errors.'
            : 'The topology has errors. This is the result of the last one without errors.'}{' '}
          <button type="button" onClick={() => (tab.value = 'findings')}>
            Show the findings
          </button>
        </p>
      ) : null}
      <div id="results-panel" role="tabpanel" aria-label={open.label} class="panel">
        {open.content()}
      </div>
    </section>
  );
}

function Graph() {
  const selection = useSignal<Selection | undefined>(undefined);
  const shown = results.value;
  if (shown === undefined) return null;
  const { drawing } = shown;
  if (drawing === undefined) return <p>The topology is too large to be drawn.</p>;
  const select = (next: Selection | undefined) => {
    selection.value = next;
    const part =
      next?.kind === 'node'
        ? drawing.boxes.find(({ node }) => node === next.id)
        : drawing.lines.find(({ coordinate }) => next !== undefined && coordinate === next.coordinate);
    if (part !== undefined) revealRange(part.span.file, part.span);
  };
  return <GraphView drawing={drawing} selection={selection.value} onSelect={select} />;
}

function Artifact({ name }: { readonly name: ArtifactName }) {
  const text = results.value?.artifacts[name];
  if (text === undefined) return null;
  return (
    <>
      <div class="file">
        <code>{name}</code>
        <CopyButton text={text} what={name} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
      <section class="text" tabIndex={0} aria-label={name}>
        <pre>{text}</pre>
      </section>
    </>
  );
}

function Findings() {
  const all = [...findings.value].flatMap(([file, list]) => list.map((finding) => ({ file, finding })));
  if (all.length === 0) return <p>There are no findings.</p>;
  return (
    <ul class="findings">
      {all.map(({ file, finding }) => (
        <li key={`${file} ${JSON.stringify(finding.range)} ${finding.message}`}>
          <FindingView file={file} finding={finding} />
        </li>
      ))}
    </ul>
  );
}

const severities = ['', 'error', 'warning', 'information', 'hint'] as const;

function FindingView({ file, finding }: { readonly file: string; readonly finding: Finding }) {
  const { range, severity = 1, code, message, fixes } = finding;
  const { line, character } = range.start;
  const reveal = () => revealRange(file, { start: offsetIn(file, range.start), end: offsetIn(file, range.end) });
  return (
    <>
      <button type="button" class="place" onClick={reveal}>
        {file}:{line + 1}:{character + 1}
      </button>{' '}
      <span class={severities[severity]}>
        {severities[severity]} {code}
      </span>
      <p>{message}</p>
      {fixes.map(({ title, apply }) => (
        <button type="button" key={title} onClick={apply}>
          Fix: {title}
        </button>
      ))}
    </>
  );
}
