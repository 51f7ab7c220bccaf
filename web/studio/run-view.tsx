import type { ShownRun } from '../../src/tools/studio/protocol.js';
import { count, stepSigns } from '../graph/live-graph.js';
import { durationText } from '../try/exchange-view.js';
import { showCall } from './live.js';
import { timeText } from './panels/calls-tab.js';
import { PartLink } from './panels/part-link.js';
import { runs, shownRun } from './runs.js';

/** The text of the button of the list: `2 runs, 1 open`. */
export function runsTitle(): string {
  const { length } = runs.value;
  const open = runs.value.filter(({ end }) => end === undefined).length;
  const all = count(length, 'run');
  return length === 0 ? 'Runs' : open === 0 ? all : `${all}, ${open} open`;
}

/** The runs of chains: one at a time is shown on the graph. */
export function Runs() {
  if (runs.value.length === 0)
    return (
      <p class="quiet">No chain has run since the page was opened. Edges with “chain: true” are the goals of chains.</p>
    );
  return (
    <ol class="runs" aria-label="Runs of chains">
      {runs.value.map((run) => (
        <Run key={run.id} run={run} />
      ))}
    </ol>
  );
}

/** A run as one call: its state, and its steps below it. */
function Run({ run }: { readonly run: ShownRun }) {
  const { id, chain, isDurable, state, start, end, steps } = run;
  const isShown = shownRun.value === id;
  return (
    <li class={`run step-${state}`}>
      <button
        type="button"
        class="call"
        aria-pressed={isShown}
        title="Show its way on the graph"
        onClick={() => {
          shownRun.value = isShown ? undefined : id;
          if (!isShown) replay(run);
        }}
      >
        <time dateTime={new Date(start).toISOString()}>{timeText(start)}</time>
        <bdi class="name">{chain}</bdi>
        <span class="state">
          {stepSigns[state]} {state}
        </span>
        <span>{isDurable ? 'durable' : 'one request'}</span>
        <span>{end === undefined ? '' : durationText(end - start)}</span>
      </button>
      <ol class="steps" aria-label={`Steps of ${chain}`}>
        {steps.map(({ name, coordinate, state: own, duration, problem }) => (
          <li key={name} class={`step-${own}`}>
            <PartLink part={coordinate} tab="calls">
              {name}
            </PartLink>{' '}
            <span class="state">
              {stepSigns[own]} {own}
            </span>
            {duration === undefined ? null : <span class="quiet"> {durationText(duration)}</span>}
            {problem === undefined ? null : <span class="problem"> {problem}</span>}
          </li>
        ))}
      </ol>
    </li>
  );
}

/** Shows the steps that a run has taken on the graph again, one after another, in slow motion. */
function replay({ id, steps }: ShownRun): void {
  const taken = steps.filter(({ state }) => state !== 'open' && state !== 'running');
  for (const [at, { coordinate, state }] of taken.entries())
    setTimeout(() => {
      if (shownRun.value === id) showCall({ coordinate, hasFailed: state === 'failed', isSlow: true });
    }, at * 1800);
}
