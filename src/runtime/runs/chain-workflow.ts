import type { Workflow } from 'openworkflow';
import type { Backend } from 'openworkflow/internal';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { detachedCaller } from '../call/chains/detached-caller.js';
import type { NamedChain } from '../call/chains/named-chains.js';
import { planChain } from '../call/chains/plan-chain.js';
import type { createChainRunner } from '../call/chains/run-chain.js';
import { contextOf, type Environment } from '../call/environment.js';
import { isServerFault, type Problem } from '../call/problem.js';
import { chainStep, runWorkflow } from './open-backend.js';
import type { StepOutput } from './read-run.js';
import type { KeptRun } from './runs.js';

/** What the workflows of a server need. */
export interface RunSite {
  readonly environment: Environment;
  readonly runner: ReturnType<typeof createChainRunner>;
  readonly chains: ReadonlyMap<string, NamedChain>;
  readonly backend: Backend;
}

/** The steps of a run, with the id of the run. */
interface ChainInput extends KeptRun {
  readonly run: string;
}

type AnyWorkflow = Workflow<unknown, unknown, unknown>;

/** The run itself: the steps of its chain are a run below it, which can be cancelled and leave this one to undo them. */
export function runOfChain(_site: RunSite): AnyWorkflow {
  return {
    spec: { name: runWorkflow },
    fn: async ({ input, step, run }) => {
      const kept = input as KeptRun;
      const spec = { name: kept.chain, version: kept.version };
      await step.runWorkflow(spec, { ...kept, run: run.id }, { name: chainStep, timeout: never });
      return null;
    },
  };
}

/** Ten years, in milliseconds: a run has no deadline of its own. */
const never = 315_360_000_000;

/** The steps of a chain, one after another. The engine keeps the result of each, and does not run it again. */
export function chainWorkflow(site: RunSite, name: string, version: string): AnyWorkflow {
  const { environment, runner, chains, backend } = site;
  const { runnable } = chains.get(name) as NamedChain;
  return {
    spec: { name, version },
    fn: async ({ input, step: engine }) => {
      const kept = input as ChainInput;
      const done: Record<string, JsonValue> = {};
      for (const { operation, result } of kept.done ?? []) done[operation] = result;
      const caller = callerOf(kept);
      for (const planned of planChain(runnable, kept.inputs, environment.limits.rootFields, [])) {
        const { name: stepName } = planned.step;
        if (Object.hasOwn(done, stepName)) continue;
        const output = await engine.run<StepOutput>({ name: stepName, retryPolicy }, async () => {
          const run = await backend.getWorkflowRun({ workflowRunId: kept.run });
          if (run?.status === 'canceled') return { problem: cancelled };
          try {
            const context = await contextOf(environment, await environment.execution(), caller);
            return { result: await runner.take(planned, done, caller, { context, admitted: undefined }) };
          } catch (error) {
            const problem = runner.mask(error, caller);
            // The engine tries an error again, and keeps its message.
            if (isTransient(problem)) throw new Error(JSON.stringify(problem));
            return { problem };
          }
        });
        if ('problem' in output) throw new Error(JSON.stringify(output.problem));
        done[stepName] = output.result;
      }
      return null;
    },
  };
}

const cancelled: Problem = { status: 409, detail: 'The run was cancelled.' };

/** The caller of the steps: the principal that began the run. The keys of its steps begin with the id of the run. */
export function callerOf({ principal, isTrusted, owner, key, run }: ChainInput) {
  return detachedCaller({ principal, isTrusted, key: key ?? run }, owner);
}

/** A step that fails is tried again after 1 s, 2 s, 4 s, … */
const retryPolicy = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '100s',
  maximumAttempts: 4,
} as const;

/** Whether a failure may pass: the server or something behind it failed, or is busy. A refusal is kept for its key. */
export function isTransient({ status, members }: Problem): boolean {
  const code = members?.code;
  if (code === undefined) return status >= 500;
  return (isServerFault(code) && status !== 501) || busy.has(code);
}

const busy: ReadonlySet<unknown> = new Set([
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_STORE_FULL',
  'IDEMPOTENCY_UNAVAILABLE',
]);
