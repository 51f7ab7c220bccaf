import type { ArazzoStep, ArazzoWorkflow } from '../../compiler/emit/arazzo/format.js';
import type { Facts } from '../workflows/expressions.js';
import { type RunOptions, runWorkflow, type WorkflowApi } from '../workflows/run-workflow.js';
import type { DrillServer } from './server.js';
import type { Published } from './tally.js';

/** A chain of calls that publishes events, with other inputs for each run. */
export interface Job {
  /** Without the streams of its steps, since clients follow all events. */
  readonly workflow: ArazzoWorkflow;
  /** The subscriptions of the events of its steps. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly inputs: (run: number) => Facts['inputs'];
}

/** How the calls of a drill are made. */
export interface TrafficOptions {
  readonly openapi: WorkflowApi['openapi'];
  readonly servers: readonly DrillServer[];
  readonly jobs: readonly Job[];
  readonly run: RunOptions;
  /** Whether a call without an answer is repeated with its key. */
  readonly hasKeys: boolean;
}

/** The number of calls at a time. */
const width = 4;

/** How often a call with a key is repeated, and the pause between, in milliseconds: over 20 s. */
const repeats = 100;
const pause = 200;

/** Calls that go on while something breaks. */
export class Traffic {
  #count = 0;
  #ended = 0;
  #isOn = false;
  #workers: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<() => void>();
  #published = new Tape();

  constructor(private readonly options: TrafficOptions) {}

  /** Begins a phase. @param late - The events that calls before it may still publish. */
  start(late: ReadonlyMap<string, number> = new Map()): void {
    this.#published = new Tape();
    for (const [subscription, count] of late) this.#published.possible.set(subscription, count);
    this.#isOn = true;
    this.#workers = Promise.all(Array.from({ length: width }, () => this.#work()));
  }

  /** Ends a phase, when the calls in flight have ended. */
  async stop(): Promise<Published> {
    this.#isOn = false;
    await this.#workers;
    return this.#published;
  }

  /** Resolves when more calls have ended. */
  async ended(calls: number, signal: AbortSignal): Promise<void> {
    const goal = this.#ended + calls;
    while (this.#ended < goal) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  async #work(): Promise<void> {
    const { run } = this.options;
    while (this.#isOn && !run.signal.aborted) await this.call();
  }

  /** Makes the next call. Returns undefined if it was acknowledged, or else the reason. */
  async call(): Promise<string | undefined> {
    const { jobs, servers, run, hasKeys } = this.options;
    const number = this.#count++;
    const { workflow, events, inputs } = jobs[number % jobs.length] as Job;
    const given = inputs(number);
    let reason: string | undefined;
    for (let attempt = 0; attempt <= (hasKeys ? repeats : 0); attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const serving = servers.filter(({ isServing }) => isServing);
      const server = serving[(number + attempt) % serving.length];
      const passed = new Map<string, Facts>();
      const onPassed = ({ stepId }: ArazzoStep, facts: Facts) => passed.set(stepId, facts);
      const api = { openapi: this.options.openapi, origin: server?.origin ?? 'http://127.0.0.1:1' };
      const result = await runWorkflow(api, workflow, { ...run, onPassed }, given);
      const failed = result.steps.find(({ outcome }) => outcome === 'failed');
      reason = failed && `${failed.request}: ${failed.problems[0]}`;
      if (reason !== undefined && attempt < repeats && hasKeys && !run.signal.aborted) continue;
      for (const [step, facts] of passed) this.#acknowledge(events.get(step) ?? [], facts);
      if (failed !== undefined) {
        this.#published.unanswered += 1;
        for (const one of events.get(failed.step) ?? []) addTo(this.#published.possible, one, 1);
        // A server that is away refuses at once.
        await new Promise((resolve) => setTimeout(resolve, 20));
      } else this.#published.acknowledged += 1;
      break;
    }
    this.#ended += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    return reason;
  }

  #acknowledge(subscriptions: readonly string[], { response }: Facts): void {
    // A list publishes each of its items, null nothing.
    const items = [response?.body].flat(Number.POSITIVE_INFINITY).filter((item) => item !== null);
    const published = response?.body === undefined ? 1 : items.length;
    if (published === 0 || subscriptions.length === 0) return;
    for (const one of subscriptions) addTo(this.#published.events, one, published);
    if (response?.eventId !== undefined) this.#published.receipts.push({ id: response.eventId, subscriptions });
  }
}

/** The events that a phase has published so far. */
class Tape implements Published {
  acknowledged = 0;
  unanswered = 0;
  readonly events = new Map<string, number>();
  readonly possible = new Map<string, number>();
  readonly receipts: { readonly id: string; readonly subscriptions: readonly string[] }[] = [];
}

function addTo(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
