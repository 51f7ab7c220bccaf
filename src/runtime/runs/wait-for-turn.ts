import { stepTimes } from '../../compiler/api/chains/api-chains.js';
import type { Wait } from '../../compiler/api/chains/waits.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { EventPlace } from '../brokers/event-log.js';
import type { PlannedStep } from '../call/chains/plan-chain.js';
import { idsAt } from '../call/chains/read-inputs.js';
import type { StepResults } from '../call/chains/run-chain.js';
import { type Problem, ProblemError } from '../call/problem.js';
import { type EventFollower, signalOf } from './follow-events.js';
import { never, type StepApi, turnSteps } from './open-backend.js';

/** The trace of an event: the place after which the next one counts, or the reason why the run fails. */
type Turn = { readonly since: string | null } | { readonly isPast: true } | { readonly problem: Problem };

/**
 * Waits until the turn of a step has come: for its event, then for its pause. Each event moves a run once: the next one
 * must come after it.
 *
 * @returns The place of the event in the log, or `since`; the problem, if the event did not come in time.
 */
export async function waitForTurn(
  { step: { name, operation }, args }: PlannedStep,
  wait: Wait | undefined,
  done: StepResults,
  since: string | undefined,
  { engine, follower }: { readonly engine: StepApi; readonly follower: EventFollower },
): Promise<{ readonly since: string | undefined } | { readonly problem: Problem }> {
  let at = since;
  if (wait !== undefined) {
    const turn = await waitForEvent(wait, idsOf(wait, args, done), since, { engine, follower });
    if ('problem' in turn) return turn;
    at = turn.since ?? since;
  }
  const { pause } = stepTimes(operation);
  if (pause !== undefined) await engine.sleep(turnSteps.pause + name, `${pause}ms`);
  return { since: at };
}

async function waitForEvent(
  { of: { name, operation }, event, field, from }: Wait,
  ids: readonly JsonValue[],
  since: string | undefined,
  { engine, follower }: { readonly engine: StepApi; readonly follower: EventFollower },
): Promise<Exclude<Turn, { readonly isPast: true }>> {
  const [id, ...others] = ids;
  const decide = (turn: () => Turn | Promise<Turn>) =>
    engine.run<Turn>({ name: turnSteps.event + name, retryPolicy: { maximumAttempts: 0 } }, turn);
  if (id === undefined || others.length > 0) {
    const detail = `${name} waits for ${event.name} with one id of ${from.name}, which gave ${ids.length}.`;
    return (await decide(() => ({ problem: { status: 400, detail } }))) as { readonly problem: Problem };
  }
  const signal = signalOf(event.name, field, id);
  for (;;) {
    const timeout = stepTimes(operation).within ?? never;
    let got: { readonly data: EventPlace | null } | null;
    try {
      got = await engine.waitForSignal<EventPlace | null>({ name: turnSteps.wait + name, signal, timeout });
    } catch (error) {
      // The run waits now, so that the engine keeps each event that comes later: those before are in the log.
      await follower.look(event.name, signal, since);
      throw error;
    }
    const turn = await decide(async () => {
      if (got?.data === null) return { since: null };
      const place = got?.data ?? (await follower.first(event.name, signal, since));
      if (place === undefined) {
        const detail = `${event.name} did not come within ${operation.within}.`;
        return { problem: { status: 504, detail } };
      }
      const isPast = since !== undefined && (await follower.isPast(event.name, place, since));
      return isPast ? { isPast } : { since: place.id };
    });
    if (!('isPast' in turn)) return turn;
  }
}

/** The id that an event of the run has: that of the argument which takes it, else that of the result. */
function idsOf({ argument, from, result }: Wait, args: PlannedStep['args'], done: StepResults) {
  const given = argument === undefined ? [] : idsAt(args, argument);
  return given.length > 0 ? given : idsAt(done[from.name] ?? null, result);
}

/**
 * Checks that a run will have the ids of the events that it waits for.
 *
 * @throws {ProblemError} If the inputs neither give one nor name the step that does.
 */
export function checkWaits(waits: readonly Wait[], plan: readonly PlannedStep[]): void {
  for (const wait of waits) {
    const at = plan.findIndex(({ step }) => step === wait.of);
    const planned = plan[at];
    if (planned === undefined || idsOf(wait, planned.args, {}).length > 0) continue;
    if (plan.slice(0, at).some(({ step }) => step === wait.from)) continue;
    const { of, event, argument, from } = wait;
    const other = argument === undefined ? '' : `“${of.name}.${argument.join('.')}” or `;
    const detail = `${of.name} waits for ${event.name} with the id of ${from.name}. Pass ${other}“${from.name}”.`;
    throw new ProblemError({ status: 400, detail });
  }
}
