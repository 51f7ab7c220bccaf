import { computed, effect, signal } from '@preact/signals';
import type { ShownRun } from '../../src/tools/studio/protocol.js';
import type { RunStep } from '../graph/live-graph.js';
import { showSteps } from './live.js';
import { listen } from './store.js';

/** The runs of chains since the page was opened, the newest first. */
export const runs = signal<readonly ShownRun[]>([]);

/** The id of the run whose way the graph shows; undefined for all that run now. */
export const shownRun = signal<string | undefined>(undefined);

/** As many as the server keeps. */
const most = 100;

/** The steps at the edges of the graph. */
const steps = computed(() => {
  const selected = runs.value.find(({ id }) => id === shownRun.value);
  const found = new Map<string, RunStep>();
  // The newest run counts at an edge.
  for (const run of selected === undefined ? [...runs.value].reverse() : [selected]) {
    for (const [at, { coordinate, state }] of run.steps.entries())
      if (selected !== undefined || state === 'running' || state === 'waiting' || state === 'retrying')
        found.set(coordinate, { state, place: at + 1 });
  }
  return found;
});

/** Follows the runs, and shows their steps on the graph. */
export function followRuns(): void {
  listen((message) => {
    if (message.kind === 'runs') runs.value = addRuns(runs.value, message.runs);
  });
  effect(() => showSteps(steps.value));
}

/** The runs with those that have changed. */
function addRuns(known: readonly ShownRun[], changed: readonly ShownRun[]): readonly ShownRun[] {
  const all = new Map([...known, ...changed].map((run) => [run.id, run]));
  return [...all.values()].sort((one, other) => other.start - one.start).slice(0, most);
}
