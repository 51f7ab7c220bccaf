import type { Backend } from 'openworkflow/internal';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { Problem } from '../call/problem.js';
import { chainStep, never, turnStep, undoStep } from './open-backend.js';
import type { KeptRun, Run } from './runs.js';

/** A run as the engine keeps it. */
export type EngineRun = NonNullable<Awaited<ReturnType<Backend['getWorkflowRun']>>>;
export type StepAttempt = Awaited<ReturnType<Backend['listStepAttempts']>>['data'][number];

/** What a step of a run has left: its result, or why it failed for good. */
export type StepOutput = { readonly result: JsonValue } | { readonly problem: Problem };

/** The most attempts that a run may have: the engine ends it before. */
const most = 1_000;

/**
 * The attempts of the steps of a run, in their order. The engine does not order those of one millisecond; one that has
 * ended comes before the next.
 */
export async function attemptsOf(backend: Backend, workflowRunId: string): Promise<readonly StepAttempt[]> {
  const { data } = await backend.listStepAttempts({ workflowRunId, limit: most });
  const endOf = ({ finishedAt }: StepAttempt) => finishedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return data.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || endOf(one) - endOf(other),
  );
}

/** The run of the steps of a chain, and its attempts; undefined until it has begun. */
export async function chainRunOf(backend: Backend, attempts: readonly StepAttempt[]) {
  const id = attempts.find(({ stepName }) => stepName === chainStep)?.childWorkflowRunId ?? undefined;
  const run = id === undefined ? undefined : await backend.getWorkflowRun({ workflowRunId: id });
  return run ? { run, attempts: await attemptsOf(backend, run.id) } : undefined;
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
  const [, name = stepName] = turnStep.exec(stepName) ?? [];
  return name;
}

/** What an attempt waits for, and until when: an event with its signal, or time; undefined if it does not wait. */
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
  const undone = resultsOf(own).flatMap(({ operation }) =>
    operation.startsWith(undoStep) ? [operation.slice(undoStep.length)] : [],
  );
  const state = stateOf(run, chain?.run, isLost);
  const problem = isLost ? lost : last && problemOf(last);
  const isCurrent = last !== undefined && (state === 'running' || state === 'waiting' || problem !== undefined);
  const waiting = state === 'running' ? waitingFor(last) : undefined;
  const ended = run.finishedAt ?? (state === 'completed' ? chain?.run.finishedAt : undefined);
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
