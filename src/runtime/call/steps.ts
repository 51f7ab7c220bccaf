import type { ExecutionResult } from 'graphql';
import { type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import { expiredDenial } from '../auth/denial.js';
import { errorOfDenial, refusedOperation } from '../auth/refused-operation.js';
import { PrintedResult } from '../execute/compiled/printed-result.js';
import type { RunArgs, Started } from '../execute/execution.js';
import { Outbox } from '../execute/resolvers/operation-root.js';
import { lastStep, PassedResults, type ResultStep, type Results } from '../execute/subscriptions/results.js';
import { isUploadFault } from '../uploads/upload-error.js';
import {
  type Admission,
  type Call,
  type CallResult,
  type CallSite,
  refusedBy,
  type UnmetPrecondition,
} from './call.js';
import { findFirstRun } from './find-repeat.js';
import { writeOutcome } from './kept-outcome.js';
import { isServerFault } from './problem.js';
import { publishEvents } from './publish-events.js';

/** Ends a call with its outcome, or returns undefined to continue with the next step. */
export type CallStep = (call: Call, site: CallSite) => MaybePromise<CallResult | Started | undefined>;

export type LastCallStep = (outcome: CallResult, call: Call, site: CallSite) => MaybePromise<CallResult>;

/** The steps of a call, in order, for every way in. The first step that has an outcome ends the list. */
export const callSteps: readonly CallStep[] = [
  // Finds what the call reaches: its operations, the queries that races run for them, guarded fields and types.
  reach,
  // Compares the caller with what all of these demand.
  demand,
  // Rates: counts the operations, and the further calls of a request.
  count,
  // Judges the arguments: an owner may name itself only, and guards and hooks may refuse.
  judge,
  // Checks the arguments of operations by their constraints.
  checkArguments,
  // Repeats: finds the first run of a mutation with the same key, and sends its events that are missing.
  findRepeat,
  // Runs the operation within its deadline, if its precondition holds, and masks its errors.
  run,
];

export const lastCallSteps: readonly LastCallStep[] = [
  // Publishes the events of mutations, and waits until they are acknowledged.
  publish,
  // Repeats: keeps the outcome of the first run.
  keep,
];

/** The steps that admit a call, which may refuse it before it runs. Those for its caller look at no arguments. */
const admitting: Readonly<Record<Admission, ReadonlySet<CallStep>>> = {
  caller: new Set([reach, demand, count]),
  all: new Set([reach, demand, count, judge, checkArguments]),
};

/**
 * Takes the steps of a call that it has not taken yet; synchronously if none waits.
 *
 * @param until - Takes only the steps that admit the call, and returns undefined if none refuses it.
 */
export function takeSteps(
  call: Call,
  site: CallSite,
  until?: Admission,
): MaybePromise<CallResult | Started | undefined> {
  for (;;) {
    const step = callSteps[call.at] as CallStep;
    if (until !== undefined && !admitting[until].has(step)) return undefined;
    call.at += 1;
    if (isPassed(step, call)) continue;
    const settled = step(call, site);
    if (settled instanceof Promise) return settled.then((outcome) => outcome ?? takeSteps(call, site, until));
    if (settled !== undefined) return settled;
  }
}

/** Whether the call was admitted by a step before. What it reaches is found again, which is a look-up. */
function isPassed(step: CallStep, { args: { admitted } }: Call): boolean {
  return admitted !== undefined && step !== reach && admitting[admitted].has(step);
}

function reach(call: Call, { reachOf }: CallSite): undefined {
  call.reach = reachOf(call.args.document, call.args.operationName);
}

function demand({ args: { principal }, reach }: Call, { guard }: CallSite): CallResult | undefined {
  if (guard === undefined || principal === undefined || reach === undefined) return undefined;
  const denial = guard.denial(reach.demand, principal);
  return denial && refusedBy(errorOfDenial(denial));
}

function count(call: Call, site: CallSite): MaybePromise<CallResult | undefined> {
  if (site.count === undefined || call.args.source === undefined) return undefined;
  return proceed(site.count(call, call.args.source), (error) => error && refusedBy(error));
}

function judge(call: Call, site: CallSite): MaybePromise<CallResult | undefined> {
  if (site.judge === undefined) return undefined;
  return proceed(site.judge(call), (error) => error && refusedBy(error));
}

function checkArguments(call: Call, site: CallSite): CallResult | undefined {
  const errors = site.argumentsCheck?.(call) ?? none;
  if (errors.length === 0) return undefined;
  return call.mode === 'subscribe' ? { errors } : { data: null, errors };
}

function findRepeat(call: Call, site: CallSite): MaybePromise<CallResult | undefined> {
  const { source } = call.args;
  const repeats = source?.isRun ? site.runRepeats : site.repeats;
  if (repeats === undefined || source === undefined || call.reach?.kind !== 'mutation') return undefined;
  return proceed(findFirstRun(call, source, repeats, site), (outcome) => {
    tellReceipt(call);
    return outcome;
  });
}

function run(call: Call, site: CallSite): MaybePromise<CallResult | Started> {
  const { precondition, protocol } = call.args;
  const ran = precondition === undefined ? start(call, site) : startIf(precondition, call, site);
  // REST and agents read the arguments before the call.
  if (protocol === 'rest' || protocol === 'mcp') return ran;
  return proceed(ran, (outcome) => explained(outcome, call, site));
}

function explained(outcome: CallResult | Started, { args }: Call, site: CallSite): CallResult | Started {
  if (!('errors' in outcome) || outcome.errors === undefined || outcome.data !== undefined) return outcome;
  return { ...outcome, errors: site.explain(outcome.errors, args) };
}

/** A call that its precondition refuses has changed nothing, so that its key can be used again. */
async function startIf(
  precondition: NonNullable<Call['args']['precondition']>,
  call: Call,
  site: CallSite,
): Promise<CallResult | Started> {
  let unmet: UnmetPrecondition | undefined;
  try {
    unmet = await precondition();
  } catch (thrown) {
    await call.firstRun?.release();
    throw thrown;
  }
  if (unmet === undefined) return start(call, site);
  await call.firstRun?.release();
  const { message, code, status } = unmet;
  return refusedBy(refusedOperation(message, { code }, status, {}));
}

function start(call: Call, site: CallSite): MaybePromise<CallResult | Started> {
  const { execution } = site;
  if (call.mode === 'subscribe') return subscribe(call, site);
  const isMutation = call.reach?.kind === 'mutation';
  if (isMutation) call.outbox = new Outbox(call.firstRun?.key);
  const args = runArgsOf(call, site);
  // Only what a mutation has changed matters when no client waits for its result any more.
  const late = isMutation ? (result: CallResult) => void finishLate(result, call, site) : undefined;
  const ran = execution.run(args, call.mode === 'print', late);
  return isMutation ? proceed(ran, (outcome) => finish(outcome, call, site, 0)) : ran;
}

function runArgsOf({ args, reach, outbox, firstRun }: Call, { owners }: CallSite): RunArgs {
  const { document, contextValue, operationName, variableValues, tracked, principal } = args;
  const { client = args.signal } = args;
  return {
    document,
    contextValue,
    operationName,
    variableValues,
    // The first run of a key runs to its end.
    client: firstRun === undefined ? client : undefined,
    tracked,
    outbox,
    // A mutation may name data of owners that its result does not show.
    owner:
      (reach?.hasOwners === true || outbox !== undefined) && principal !== undefined ? owners(principal) : undefined,
  };
}

async function subscribe(call: Call, site: CallSite): Promise<Started> {
  const { signal, after, principal } = call.args;
  const args = { ...runArgsOf(call, site), client: signal, signal };
  const started = await site.execution.start(args, after);
  const expiresAt = principal?.expiresAt;
  if (expiresAt === undefined || !(Symbol.asyncIterator in started)) return started;
  return new ExpiringResults(started, expiresAt, { errors: [errorOfDenial(expiredDenial)] });
}

function finish(outcome: CallResult, call: Call, site: CallSite, from: number): MaybePromise<CallResult> {
  const step = lastCallSteps[from];
  if (step === undefined) return outcome;
  return proceed(step(outcome, call, site), (next) => finish(next, call, site, from + 1));
}

/** Completes a mutation that ended after it was given up: its events and its outcome are not lost. */
async function finishLate(outcome: CallResult, call: Call, site: CallSite): Promise<void> {
  call.isLate = true;
  try {
    const settled = await finish(outcome, call, site, 0);
    if (!call.hasUnpublished || settled instanceof PrintedResult) return;
    for (const error of settled.errors ?? []) site.monitor.fault(error, undefined, call.args.tracked);
  } catch (error) {
    site.monitor.fault(error, undefined, call.args.tracked);
  }
}

function publish(outcome: CallResult, call: Call, site: CallSite): MaybePromise<CallResult> {
  const { source } = call.args;
  if (source !== undefined && call.outbox?.isReplayed === true) source.isReplayed = true;
  return proceed(publishEvents(outcome, call, site), (settled) => {
    tellReceipt(call);
    return settled;
  });
}

function tellReceipt({ receipt, args: { source, onReceipt } }: Call): void {
  if (receipt === undefined) return;
  if (source !== undefined) source.receipt = receipt;
  onReceipt?.(receipt);
}

/** The kept outcome depends on the run: a mutation that has returned never runs again, whatever failed after it. */
function keep(outcome: CallResult, call: Call): MaybePromise<CallResult> {
  const { firstRun, outbox } = call;
  if (firstRun === undefined) return outcome;
  // It is still running; what it does is kept when it has ended.
  if (outbox?.isGivenUp === true && !call.isLate) return outcome;
  const isKept = !call.hasUnpublished && (outbox?.hasChanged === true || hasRun(outcome));
  const kept = isKept ? firstRun.answered(writeOutcome(outcome, call.receipt)) : firstRun.release();
  return kept.then(() => outcome);
}

/** Whether an operation ran that changed nothing, and that would give the same again. */
function hasRun(outcome: CallResult): boolean {
  if (outcome instanceof PrintedResult) return true;
  const { data, errors = [] } = outcome as ExecutionResult;
  return data !== undefined && !errors.some(({ extensions: { code } }) => isServerFault(code) || isUploadFault(code));
}

const none: readonly never[] = [];

/** After how many milliseconds the clock is read again, because it may have been set. */
const longestWait = 30_000;

/** The results of a subscription until the credentials of its subscriber expire. Then the last result is an error. */
class ExpiringResults extends PassedResults {
  #timer: NodeJS.Timeout | undefined;
  #hasExpired = false;

  /**
   * @param results - Their `return` must end a pending `next`.
   * @param expiresAt - In seconds since 1970.
   * @param last - Undefined if it was read, or if the subscription has ended otherwise.
   */
  constructor(
    results: Results,
    private readonly expiresAt: number,
    private last: ExecutionResult | undefined,
  ) {
    super(results);
    this.#wait();
  }

  override get isCut(): boolean {
    return super.isCut && !this.#hasExpired;
  }

  override async next(): Promise<ResultStep> {
    const step = await super.next();
    if (Date.now() >= this.expiresAt * 1000) this.#expire();
    const last = this.#hasExpired ? this.last : undefined;
    if (last === undefined && step.done !== true) return step;
    this.left();
    return last === undefined ? lastStep : { done: false, value: last };
  }

  protected override left(): void {
    this.last = undefined;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const rest = this.expiresAt * 1000 - Date.now();
    // Also if it is not a number.
    if (!(rest > 0)) this.#expire();
    else {
      this.#timer = setTimeout(() => this.#wait(), Math.min(rest, longestWait));
      // A timer of a worker may be a number.
      this.#timer.unref?.();
    }
  }

  #expire(): void {
    if (this.#hasExpired) return;
    this.#hasExpired = true;
    clearTimeout(this.#timer);
    this.source.return().catch(() => undefined);
  }
}
