import { didYouMean } from '../../compiler/graph/suggest.js';
import type { Principal } from '../auth/principal.js';
import { programCaller } from '../call/chains/chain-caller.js';
import { namedChains, type StepResult, stepsOf } from '../call/chains/named-chains.js';
import { createChainRunner } from '../call/chains/run-chain.js';
import type { Environment } from '../call/environment.js';
import type { Run, Runs } from '../runs/runs.js';

/** The inputs of a chain: the arguments of the steps to run, by the names of the steps. */
export type ChainInputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The outcome of a chain: the steps that ran, and why it ended early. */
export interface ChainResult {
  /** The steps that ran, in their order. */
  readonly steps: readonly (Omit<StepResult, 'result'> & { readonly result: unknown })[];
  /** The run that was begun, or found by its key; absent unless the chain is durable. */
  readonly run?: Run;
  /** The id of the last event that the steps have published; absent without one. */
  readonly eventId?: string;
  /** Why the chain ended early, as over REST; absent if all its steps ran. */
  readonly problem?: {
    readonly status: number;
    readonly detail: string;
    /** The step that failed; absent if the chain failed as a whole. */
    readonly failed?: string;
    readonly [member: string]: unknown;
  };
}

/** How a program runs a chain. */
export interface ChainOptions<TContext = unknown> {
  /** Replaces the option `context` of the server. */
  readonly context?: TContext;
  /**
   * The caller, which needs access to all steps; null if it is unknown. Absent for the program itself, which may run every
   * step.
   */
  readonly principal?: Principal | null;
  /** The idempotency key: with the same key, a chain continues where it ended early. */
  readonly key?: string;
  /** Cancels the current step, and the steps after it do not run. */
  readonly signal?: AbortSignal;
}

/** Makes `server.run` for a loaded server. */
export function createChainProgram(environment: Environment, runs: (() => Promise<Runs>) | undefined) {
  const way = { protocol: undefined, tellsNames: true } as const;
  const chains = namedChains(environment.schema, way);
  const { run } = createChainRunner(environment, way);
  return async (name: string, inputs: ChainInputs, options: ChainOptions): Promise<ChainResult> => {
    const chain = chains.get(name);
    if (chain === undefined) throw new TypeError(`There is no chain ${name}.${didYouMean(name, chains.keys())}`);
    if (chain.isDurable && runs !== undefined) {
      if (options.context !== undefined || options.signal !== undefined)
        throw new TypeError(`${name} is durable: its run outlives the options context and signal.`);
      const begun = await (await runs()).start(chain, inputs, programCaller(options), name);
      return { steps: begun.steps, run: begun };
    }
    const outcome = await run(chain.runnable, inputs, programCaller(options));
    const { failure, receipt } = outcome;
    const result = { steps: stepsOf(outcome), ...(receipt !== undefined && { eventId: receipt }) };
    if (failure === undefined) return result;
    const { problem, step } = failure;
    const { status, detail, members } = problem;
    return { ...result, problem: { ...members, status, detail, ...(step !== undefined && { failed: step }) } };
  };
}
