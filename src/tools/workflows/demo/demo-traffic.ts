import { setTimeout as pause } from 'node:timers/promises';
import { randomOf } from '../../../analysis/store/seed-values.js';
import type { ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import { schemaToWorkflows } from '../../../compiler/emit/arazzo.js';
import { schemaToOpenAPI } from '../../../compiler/emit/openapi.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import type { OwnerOptions } from '../../../runtime/auth/owner.js';
import { ownInputs } from '../object-access/own-inputs.js';
import { ownerNames } from '../object-access/rules.js';
import { inputsOf, runSteps, type StepOutputs } from '../run-workflow.js';
import { createStepCallers, type SignedCaller } from '../step-callers.js';
import { operationsOfSteps } from '../step-operations.js';

/** The API that gets the traffic. */
export interface DemoApi {
  readonly schema: GqlSchema;
  /** `http://127.0.0.1:4000`, without a final slash. */
  readonly origin: string;
  /** The callers that send the calls; none without authentication. */
  readonly callers: readonly SignedCaller[];
  readonly owners: OwnerOptions | undefined;
}

/**
 * Calls all operations of an API over HTTP, one after another, and listens to the events of its mutations, until it is
 * closed. The calls are those of the workflows, so ids come from earlier answers. From the second round on, mutations get
 * other values.
 */
export class DemoTraffic {
  readonly #stop = new AbortController();
  readonly #random = randomOf('demo');
  #api: DemoApi | undefined;

  /**
   * @param clock - A monotonic clock in milliseconds.
   * @param fault - Gets the error for which an API is not called any more.
   * @param between - The average time between two calls, in milliseconds.
   */
  constructor(
    private readonly clock: () => number,
    private readonly fault: (error: unknown) => void,
    private readonly between = 500,
  ) {}

  /** Calls this API from now on; the workflow that runs is not finished. */
  follow(api: DemoApi): void {
    const isFirst = this.#api === undefined;
    this.#api = api;
    if (isFirst) void this.#run();
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const api = this.#api as DemoApi;
      try {
        await this.#call(api);
      } catch (error) {
        this.fault(error);
      }
      // Nothing of it can be called; the next API may have operations.
      while (this.#isFor(api)) await this.#rest();
    }
  }

  /** Runs the workflows of an API, until there is another one. */
  async #call(api: DemoApi): Promise<void> {
    const workflows = schemaToWorkflows(api.schema, '')?.workflows ?? [];
    const run = this.#runner(api);
    for (let round = 0; workflows.length > 0 && this.#isFor(api); round++)
      for (const workflow of workflows) if (this.#isFor(api)) await run(workflow, round);
  }

  #isFor(api: DemoApi): boolean {
    return this.#api === api && !this.#stop.signal.aborted;
  }

  /** Runs workflows of an API. A call that fails ends its workflow. */
  #runner(api: DemoApi) {
    const { origin, callers, owners } = api;
    const schema = wireView(api.schema);
    const documents = { openapi: schemaToOpenAPI(api.schema, ''), origin };
    const operationOf = operationsOfSteps(schema);
    const names = ownerNames(schema);
    const [first] = callers;
    return async (workflow: ArazzoWorkflow, round: number): Promise<void> => {
      const given = { inputs: {}, callers: first && (() => first) };
      const make = (variation?: string) =>
        ownInputs(schema, workflow, inputsOf(workflow, given), {
          ...{ owner: first?.id ?? 'demo', names, given: {} },
          ...(variation && { variation }),
        });
      const { inputs: examples, isOwn } = make();
      // With other values, queries would find nothing.
      const asked = JSON.stringify(workflow.steps.filter((step) => operationOf(step).kind === 'query'));
      const kept = Object.entries(examples).filter(([name]) => asked.includes(`$inputs.${name}"`));
      const inputs = round === 0 ? examples : { ...make(String(round)).inputs, ...Object.fromEntries(kept) };
      const options = {
        ...given,
        callers: first && createStepCallers(schema, callers, owners, isOwn),
        headers: {},
        timeout: longest,
        signal: this.#stop.signal,
        clock: this.clock,
      };
      const outputs: StepOutputs = new Map();
      for (const step of workflow.steps) {
        const [result] = await runSteps(documents, [{ step, inputs }], outputs, options);
        await this.#rest();
        if (result?.outcome !== 'passed' || !this.#isFor(api)) return;
      }
    };
  }

  /** Waits for about the pause between two calls. */
  async #rest(): Promise<void> {
    const { signal } = this.#stop;
    await pause(this.between * (0.5 + this.#random()), undefined, { signal }).catch(() => undefined);
  }
}

/** How long an answer may take, and an event after it, in milliseconds. */
const longest = 10_000;
