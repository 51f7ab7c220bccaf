import type { Backend } from 'openworkflow/internal';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { isServerFault, type Problem } from '../call/problem.js';
import { chainStep, never, turnStep, turnSteps, undoStep } from './open-backend.js';
import type { KeptRun, Run } from './runs.js';

/** A run as the engine keeps it. */
export type EngineRun = NonNullable<Awaited<ReturnType<Backend['getWorkflowRun']>>>;
export type StepAttempt = Awaited<ReturnType<Backend['listStepAttempts']>>['data'][number];

/** The outcome of a step of a run: its result, or the reason why it failed for good. */
export type StepOutput = { readonly result: JsonValue } | { readonly problem: Problem };

/** The most attempts that a run may have: the engine ends it before. */
const most = 1_000;

/**
 * The attempts of the steps of a run, in their order. The engine does not order those of one millisecond, and clocks go
 * back: so those of a chain are in the order of its steps. Of one step, an attempt that has ended comes before the next,
 * and the one that completed it is the last.
 *
 * @param plan - The names of the steps of the chain; without it, times alone decide.
 */
export async function attemptsOf(
  backend: Backend,
  workflowRunId: string,
  plan: readonly string[] = [],
): Promise<readonly StepAttempt[]> {
  const { data } = await backend.listStepAttempts({ workflowRunId, limit: most });
  const keysOf = (attempt: StepAttempt) => {
    const { createdAt, finishedAt, status } = attempt;
    const place = plan.indexOf(stepOf(attempt));
    const ofPlan = place < 0 ? [] : [place, turnOf(attempt), Number(status === 'completed')];
    return [...ofPlan, createdAt.getTime(), finishedAt?.getTime() ?? Number.MAX_SAFE_INTEGER];
  };
  const keys = new Map(data.map((attempt) => [attempt, keysOf(attempt)]));
  return data.toSorted((one, other) => compare(keys.get(one) ?? [], keys.get(other) ?? []));
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at < 0 ? 0 : (one[at] as number) - (other[at] ?? 0);
}

/** The place of an attempt among those of its step, which waits, decides about the event, pauses, and then runs. */
function turnOf({ stepName }: StepAttempt): number {
  const [, turn, , round = '0'] = turnStep.exec(stepName) ?? [];
  if (turn === undefined) return Number.MAX_SAFE_INTEGER;
  return turn === 'pause' ? most : Number(round) + (turn === 'event' ? 0.5 : 0);
}

/** The runs of a query, the newest first; `limit` is how many are read at a time. */
export async function* listRuns(backend: Backend, query: Parameters<Backend['listWorkflowRuns']>[0]) {
  let after: string | undefined;
  do {
    const page = await backend.listWorkflowRuns({ ...query, ...(after !== undefined && { after }) });
    yield* page.data;
    after = page.pagination.next ?? undefined;
  } while (after !== undefined);
}

/** The run of the steps of a chain, and its attempts; undefined until it has begun. */
export async function chainRunOf(backend: Backend, attempts: readonly StepAttempt[]) {
  const begun = attempts.find((one) => one.stepName === chainStep && one.childWorkflowRunId !== null);
  const id = begun?.childWorkflowRunId ?? undefined;
  const run = id === undefined ? undefined : await backend.getWorkflowRun({ workflowRunId: id });
  if (!run) return undefined;
  return { run, attempts: await attemptsOf(backend, run.id, (run.input as unknown as KeptRun).plan) };
}

/** The results of steps, each once: a step that was tried again has several attempts. */
export function resultsOf(attempts: readonly StepAttempt[]) {
  return attempts.flatMap((attempt) => {
    const output = outputOf(attempt);
    return output !== undefined && 'result' in output ? [{ operation: attempt.stepName, result: output.result }] : [];
  });
}

/** The step that an attempt belongs to; the engine numbers the waits of a step. */
export function stepOf({ stepName }: StepAttempt): string {
  const [, , name = stepName] = turnStep.exec(stepName) ?? [];
  return name;
}

/**
 * The event with its signal, or the time, for which an attempt waits, and its deadline; undefined if it does not wait.
 */
export function waitingFor(attempt: StepAttempt | undefined) {
  if (attempt?.status !== 'running') return undefined;
  const { context, createdAt } = attempt;
  if (context?.kind === 'sleep') return { until: context.resumeAt };
  if (context?.kind !== 'signal-wait') return undefined;
  const { signal, timeoutAt } = context;
  const isEndless = Date.parse(timeoutAt) - createdAt.getTime() > never / 2;
  return { event: signal.split(' ', 1)[0] as string, signal, ...(!isEndless && { until: timeoutAt }) };
}

/** The problem of an attempt that failed: that of its caller, or that of the server with which it is tried again. */
function problemOf(attempt: StepAttempt): Problem | undefined {
  const output = outputOf(attempt);
  if (output !== undefined) return 'problem' in output ? output.problem : undefined;
  const { error } = attempt;
  return error === null ? undefined : readProblem((error as { readonly message: string }).message);
}

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

/** What a run that tries another one again takes over from it; nothing of steps that were undone. */
export async function leftOf(backend: Backend, run: EngineRun, { steps, undone }: Run): Promise<Partial<KeptRun>> {
  const { attempts = [] } = (await chainRunOf(backend, await attemptsOf(backend, run.id))) ?? {};
  const done = new Set(undone === undefined ? steps.map(({ operation }) => operation) : attempts.map(stepOf));
  // The event that a step has waited for does not move another one.
  const since = attempts
    .filter((one) => one.stepName.startsWith(turnSteps.event) && done.has(stepOf(one)))
    .map(({ output }) => (output as { readonly since?: string | null } | null)?.since)
    .findLast((place) => typeof place === 'string');
  const problem = attempts.map(problemOf).at(-1);
  const { key = run.id } = run.input as unknown as KeptRun;
  return {
    ...(typeof since === 'string' && { since }),
    ...(undone === undefined && { done: steps }),
    // A step that was refused has changed nothing, and its key would give the refusal again.
    ...(undone === undefined && (problem === undefined || isTransient(problem)) && { key }),
  };
}

function outputOf({ kind, output }: StepAttempt): StepOutput | undefined {
  return kind === 'function' && output !== null ? (output as unknown as StepOutput) : undefined;
}

function readProblem(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return { status: 500, detail: 'Unexpected error.' };
  }
}

/** A run as its caller reads it. */
export async function readRun(backend: Backend, run: EngineRun): Promise<Run> {
  const kept = run.input as unknown as KeptRun;
  const own = await attemptsOf(backend, run.id);
  const chain = await chainRunOf(backend, own);
  const attempts = chain?.attempts ?? [];
  const last = attempts.at(-1);
  const isLost = chain?.run.status === 'pending' && / is not registered$/.test(chain.run.error?.message ?? '');
  const undone = resultsOf(own)
    .flatMap(({ operation }) => (operation.startsWith(undoStep) ? [operation.slice(undoStep.length)] : []))
    .sort((one, other) => (kept.plan?.indexOf(other) ?? 0) - (kept.plan?.indexOf(one) ?? 0));
  const state = stateOf(run, chain?.run, isLost);
  const problem = isLost ? lost : last && problemOf(last);
  const isCurrent = last !== undefined && (state === 'running' || state === 'waiting' || problem !== undefined);
  const waiting = state === 'running' ? waitingFor(last) : undefined;
  // The run itself ends a moment after its steps, and what was told once as the end stays.
  const ended = (state === 'completed' ? chain?.run.finishedAt : undefined) ?? run.finishedAt;
  return defined({
    id: run.id,
    chain: kept.chain,
    state,
    steps: [...(kept.done ?? []), ...resultsOf(attempts)],
    step: isCurrent && (last.output === null || problem !== undefined) ? stepOf(last) : undefined,
    waitsFor: waiting && withoutSignal(waiting),
    undone: undone.length === 0 ? undefined : undone,
    problem: problem && { ...problem.members, status: problem.status, detail: problem.detail },
    createdAt: run.createdAt.toISOString(),
    endedAt: ended?.toISOString(),
  });
}

function withoutSignal(waiting: NonNullable<ReturnType<typeof waitingFor>>): NonNullable<Run['waitsFor']> {
  if (!('signal' in waiting)) return waiting;
  const { signal: _, ...shown } = waiting;
  return shown;
}

const lost: Problem = {
  status: 503,
  detail:
    'The run began with other steps than the chain has now: it waits for a server with those, or can be cancelled.',
};

function stateOf(run: EngineRun, chain: EngineRun | undefined, isLost: boolean): Run['state'] {
  if (run.status === 'completed' || chain?.status === 'completed') return 'completed';
  if (run.status === 'canceled') return 'cancelled';
  if (run.status === 'failed') return chain?.status === 'canceled' ? 'cancelled' : 'failed';
  if (chain?.status === 'failed' || chain?.status === 'canceled') return 'undoing';
  return isLost ? 'waiting' : 'running';
}
