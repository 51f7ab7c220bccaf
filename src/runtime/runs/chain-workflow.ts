import type { Backend } from 'openworkflow/internal';
import { omit, stepTimes, usualRetries } from '../../compiler/api/chains/api-chains.js';
import type { JsonObject, JsonValue } from '../../compiler/graph/json-value.js';
import { detachedCaller } from '../call/chains/chain-caller.js';
import type { NamedChain } from '../call/chains/named-chains.js';
import { type PlannedStep, planChain, progressOf } from '../call/chains/plan-chain.js';
import { idsAt } from '../call/chains/read-inputs.js';
import type { createChainRunner, StepResults } from '../call/chains/run-chain.js';
import { contextOf, type Environment } from '../call/environment.js';
import type { Problem } from '../call/problem.js';
import type { EventFollower } from './follow-events.js';
import { type AnyWorkflow, chainStep, never, runWorkflow, type StepApi, undoStep } from './open-backend.js';
import {
  attemptsOf,
  chainRunOf,
  type EngineRun,
  isTransient,
  readRun,
  resultsOf,
  type StepAttempt,
  type StepOutput,
  stepOf,
} from './read-run.js';
import type { KeptRun } from './runs.js';
import { waitForTurn } from './wait-for-turn.js';

/** The environment of the workflows of a server. */
export interface RunSite {
  readonly environment: Environment;
  readonly runner: ReturnType<typeof createChainRunner>;
  readonly chains: ReadonlyMap<string, NamedChain>;
  readonly backend: Backend;
  readonly follower: EventFollower;
}

interface ChainInput extends KeptRun {
  readonly run: string;
}

/**
 * The run itself: the steps of its chain are a run below it, which can be cancelled and leave this one to undo them.
 */
export function runOfChain(site: RunSite): AnyWorkflow {
  return {
    // Until a server with the chain undoes its steps: one with another topology may have the turn.
    spec: { name: runWorkflow, retryPolicy: { ...retryPolicy, backoffCoefficient: 1, maximumAttempts: 0 } },
    fn: async ({ input, step, run }) => {
      const kept = { ...(input as KeptRun), run: run.id };
      const spec = { name: kept.chain, version: kept.version };
      try {
        await step.runWorkflow(spec, kept, { name: chainStep, timeout: never });
        return null;
      } catch (error) {
        // The engine throws other errors to end the function, which it calls again later.
        if (error instanceof Error && error.name === 'StepError') {
          await undoSteps(site, kept, step);
          await tellEnd(site, kept);
        }
        throw error;
      }
    },
  };
}

/** The plan of a run, which was compared with the limits of the server that it began in. */
function planOf({ runnable }: NamedChain, { inputs }: ChainInput) {
  return planChain(runnable, inputs, Number.POSITIVE_INFINITY, []);
}

/** Follows a run for the monitor; undefined if it follows none. */
function followed({ environment }: RunSite, { run, chain }: ChainInput, plan: readonly PlannedStep[], start?: number) {
  return progressOf(environment.monitor, { id: run, chain, isDurable: true, plan, start });
}

/** Tells the monitor how far a run has come that it has not followed. */
export async function tellRun(site: RunSite, run: EngineRun): Promise<void> {
  const kept = { ...(run.input as unknown as KeptRun), run: run.id };
  const named = site.chains.get(kept.chain);
  if (named === undefined) return;
  const { steps, step, state, waitsFor, undone, problem, endedAt } = await readRun(site.backend, run);
  const tell = followed(site, kept, planOf(named, kept), run.createdAt.getTime());
  if (tell === undefined) return;
  for (const { operation } of steps) tell({ step: operation, state: 'done' });
  const isOpen = state === 'running';
  if (step !== undefined) {
    const { event } = waitsFor ?? {};
    const detail = problem?.detail ?? (event && waitText(event));
    const now = problem === undefined ? (waitsFor === undefined ? 'running' : 'waiting') : 'retrying';
    tell({ step, state: isOpen ? now : 'failed', detail });
  }
  for (const one of undone ?? []) tell({ step: one, state: 'undone' });
  if (state !== 'waiting' && !isOpen) tell({ state, at: endedAt === undefined ? undefined : Date.parse(endedAt) });
}

function waitText(event: string): string {
  return `It waits for ${event}.`;
}

/** Tells how a run has ended whose steps have not completed. */
async function tellEnd(site: RunSite, kept: ChainInput): Promise<void> {
  const named = site.chains.get(kept.chain);
  if (named === undefined || site.environment.monitor.runChanged === undefined) return;
  const tell = followed(site, kept, planOf(named, kept));
  const chain = await chainRunOf(site.backend, await attemptsOf(site.backend, kept.run));
  tell?.({ state: chain?.run.status === 'canceled' ? 'cancelled' : 'failed' });
}

/** Undoes the steps of a run that has failed or was cancelled, the last one first. */
async function undoSteps(site: RunSite, kept: ChainInput, engine: StepApi): Promise<void> {
  const { backend, chains } = site;
  const chain = chains.get(kept.chain);
  if (chain === undefined && kept.isUndoable) throw new Error(`No topology of this server has ${kept.chain}.`);
  if (chain === undefined || chain.undos.length === 0) return;
  const { attempts = [] } = (await chainRunOf(backend, await attemptsOf(backend, kept.run))) ?? {};
  const plan = planOf(chain, kept);
  const tell = followed(site, kept, plan);
  tell?.({ state: 'undoing' });
  const done: Record<string, JsonValue> = {};
  for (const { operation, result } of [...(kept.done ?? []), ...resultsOf(attempts)]) done[operation] = result;
  const undos = new Map(chain.undos.map((undo) => [undo.of.name, undo]));
  // Whether the step that ran at the end has changed something is not known: its repeat tells.
  const last = attempts.at(-1);
  const open = plan.find(({ step: { name } }) => name === last?.stepName && undos.has(name));
  if (last?.status === 'running' && last.kind === 'function' && open !== undefined) {
    const name = `repeat ${open.step.name}`;
    const output = await engine.run<StepOutput>({ name, retryPolicy: patient }, () =>
      takeStep(site, kept, open, done, { tell }),
    );
    if ('result' in output) done[open.step.name] = output.result;
  }
  for (const of of Object.keys(done).reverse()) {
    const undo = undos.get(of);
    if (undo === undefined) continue;
    const { by: step, takes } = undo;
    const given = plan.find((one) => one.step.name === of)?.args ?? {};
    const names = new Set(step.operation.arguments.map((one) => one.name));
    // The id of what the step has made goes before one that it was given.
    const own = takes.filter((taken) => taken.from === undo.of && idsAt(done[of] ?? null, taken.result).length > 0);
    const args = own.reduce<JsonObject>(
      (left, { path }) => omit(left, path) as JsonObject,
      Object.fromEntries(Object.entries(given).filter(([argument]) => names.has(argument))),
    );
    const name = undoStep + of;
    const output = await engine.run<StepOutput>({ name, retryPolicy: patient }, () =>
      takeStep(site, kept, { step, args, place: `${step.name}.`, takes }, done, { name, tell }),
    );
    if ('result' in output) tell?.({ step: of, state: 'undone' });
  }
}

interface StepTaking {
  /** The part of its key that stands for its name. */
  readonly name?: string;
  /** Whether its time is over, so that a failure is final. */
  readonly isOver?: () => Promise<boolean>;
  readonly tell: ReturnType<typeof progressOf>;
}

/** Takes a step as the caller of the run. The engine tries it again if it throws. */
async function takeStep(
  site: RunSite,
  kept: ChainInput,
  planned: PlannedStep,
  done: StepResults,
  { name = planned.step.name, isOver, tell }: StepTaking,
): Promise<StepOutput> {
  const { environment, runner } = site;
  const caller = callerOf(kept);
  try {
    const context = await contextOf(environment, await environment.execution(), caller);
    const run = environment.monitor.runChanged && kept.run;
    return { result: await runner.take(planned, done, caller, { context, admitted: undefined, name, run }) };
  } catch (error) {
    const problem = runner.mask(error, caller);
    if (isTransient(problem) && !(await isOver?.())) {
      tell?.({ step: planned.step.name, state: 'retrying', detail: problem.detail });
      // The engine keeps the message of an error.
      throw new Error(JSON.stringify(problem));
    }
    return { problem };
  }
}

/** The steps of a chain, one after another. The engine keeps the result of each, and does not run it again. */
export function chainWorkflow(site: RunSite, name: string, version: string): AnyWorkflow {
  const { chains, backend, follower } = site;
  const named = chains.get(name) as NamedChain;
  return {
    spec: { name, version },
    fn: async ({ input, step: engine, run: own }) => {
      const kept = input as ChainInput;
      let { since } = kept;
      const done: Record<string, JsonValue> = {};
      for (const { operation, result } of kept.done ?? []) done[operation] = result;
      const plan = planOf(named, kept);
      for (const planned of plan) {
        const { name: stepName, operation } = planned.step;
        // The monitor may begin to follow while a step waits.
        const tell = followed(site, kept, plan);
        if (Object.hasOwn(done, stepName)) {
          tell?.({ step: stepName, state: 'done' });
          continue;
        }
        const wait = named.waits.find(({ of }) => of.name === stepName);
        const { awaits, pause } = operation;
        if ((awaits ?? pause) !== undefined)
          tell?.({ step: stepName, state: 'waiting', detail: awaits && waitText(awaits) });
        const turn = await waitForTurn(planned, wait, done, since, { engine, follower });
        if ('problem' in turn) {
          tell?.({ step: stepName, state: 'failed', detail: turn.problem.detail });
          throw new Error(`${stepName} failed`);
        }
        since = turn.since;
        const { retries = usualRetries } = operation;
        const { within } = stepTimes(operation);
        const isOver = async (): Promise<boolean> =>
          within !== undefined && isLate(await attemptsOf(backend, own.id), stepName, within);
        const policy = { ...retryPolicy, maximumAttempts: retries + 1 };
        const output = await engine.run<StepOutput>({ name: stepName, retryPolicy: policy }, async () => {
          const run = await backend.getWorkflowRun({ workflowRunId: kept.run });
          if (run?.status === 'canceled') return { problem: cancelled };
          tell?.({ step: stepName, state: 'running' });
          return takeStep(site, kept, planned, done, { isOver, tell });
        });
        // The engine keeps the problem as the output of the step.
        if ('problem' in output) {
          tell?.({ step: stepName, state: 'failed', detail: output.problem.detail });
          throw new Error(`${stepName} failed`);
        }
        done[stepName] = output.result;
        tell?.({ step: stepName, state: 'done' });
      }
      followed(site, kept, plan)?.({ state: 'completed' });
      return null;
    },
  };
}

/** Whether the time of a step is over, which begins with its wait or its first attempt. */
function isLate(attempts: readonly StepAttempt[], name: string, within: number): boolean {
  const first = attempts.find((one) => stepOf(one) === name) as StepAttempt;
  return Date.now() - first.createdAt.getTime() >= within;
}

const cancelled: Problem = { status: 409, detail: 'The run was cancelled.' };

/** The caller of the steps: the principal that began the run. The keys of its steps begin with the id of the run. */
function callerOf({ principal, isTrusted, owner, key, run }: ChainInput) {
  return detachedCaller({ principal, isTrusted, isRun: true, key: key ?? run }, owner);
}

/** A step that fails is tried again after 1 s, 2 s, 4 s, … */
const retryPolicy = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '100s' } as const;

/** A compensation is retried until it succeeds or is refused. */
const patient = { ...retryPolicy, maximumAttempts: 0 };
