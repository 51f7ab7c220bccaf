import { defined } from '../../base/values/defined.js';
import type { FollowedRun, RunNews } from '../../runtime/logs/monitor.js';
import { redactText } from '../../runtime/logs/redact.js';
import type { ShownRun, ShownStep } from './protocol.js';

/** The number of runs that are kept. */
export const keptRuns = 100;

/** The last runs of chains, and how far each has come. */
export class RunList {
  /** By id, the one that began first in front. */
  readonly #runs = new Map<string, ShownRun>();
  readonly #changed = new Set<string>();

  change(followed: FollowedRun, news: RunNews): void {
    const { id } = followed;
    const { step, state, detail } = news;
    const now = Date.now();
    const run = this.#runs.get(id) ?? newRun(followed);
    const problem = detail === undefined ? undefined : redactText(detail, []);
    if (step === undefined) {
      const end = state === 'undoing' ? undefined : { end: news.at ?? now };
      this.#runs.set(id, { ...run, state, steps: run.steps.map(stopped), ...end });
    } else {
      const steps = run.steps.map((one) => (one.name === step ? changed(one, state, now, problem) : one));
      this.#runs.set(id, { ...run, steps });
    }
    this.#changed.add(id);
    if (this.#runs.size > keptRuns) this.#forget(this.#runs.keys().next().value as string);
  }

  /** Marks all runs as changed, for a page that has connected. */
  touch(): void {
    for (const id of this.#runs.keys()) this.#changed.add(id);
  }

  /** The runs that have changed since the last call. */
  take(): readonly ShownRun[] {
    const taken = [...this.#changed].map((id) => this.#runs.get(id) as ShownRun);
    this.#changed.clear();
    return taken;
  }

  #forget(id: string): void {
    this.#runs.delete(id);
    this.#changed.delete(id);
  }
}

function newRun({ id, chain, isDurable, steps, start = Date.now() }: FollowedRun): ShownRun {
  const open = steps.map((one) => ({ ...one, state: 'open' as const }));
  return { id, chain, isDurable, state: 'running', start, steps: open };
}

/** A run that has failed or was cancelled takes no further step: one that waits, runs or is tried again has no result. */
function stopped(step: ShownStep): ShownStep {
  const { name, coordinate, state } = step;
  const isOpen = state === 'waiting' || state === 'running' || state === 'retrying';
  return isOpen ? { name, coordinate, state: 'open' } : step;
}

/** A durable run reports the steps that it has taken each time that the engine goes on with it. */
function changed(step: ShownStep, state: RunNews['state'], now: number, problem: string | undefined): ShownStep {
  if (state === 'waiting' && step.state !== 'open') return step;
  const { name, coordinate, start } = step;
  if (step.state === state || (step.state === 'undone' && state === 'done')) return step;
  const known = { name, coordinate, state: state as ShownStep['state'] };
  if (state === 'running') return { ...known, start: start ?? now };
  if (state === 'undone') return { ...step, ...known };
  return defined({ ...known, start, problem, duration: start === undefined ? undefined : now - start });
}
