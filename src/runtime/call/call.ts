import type { ExecutionResult, FieldNode, GraphQLError } from 'graphql';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { Guard } from '../auth/guard.js';
import type { OwnerOf } from '../auth/owner.js';
import type { Principal } from '../auth/principal.js';
import type { Printed } from '../execute/compiled/printed-result.js';
import type { Execution, RunArgs } from '../execute/execution.js';
import type { Outbox } from '../execute/resolvers/operation-root.js';
import type { Monitor } from '../logs/monitor.js';
import type { FirstRun, Repeats } from '../repeats/repeats.js';
import type { Reach, ReachOf } from './reach.js';

/** The request that calls came with: the same for all calls of a batch, or of a chain. */
export interface CallSource {
  readonly principal: Principal | null;
  readonly address: string | undefined;
  header(name: string): string | undefined;
  /** Whether it is a run of a durable chain, which goes on after its request. */
  readonly isRun?: boolean | undefined;
  /** How many calls the count of the request still covers: a request is counted as one call, the program never. */
  prepaid: number;
  /** How many mutations of the request have used its key. */
  keyed: number;
  /** Whether a result is that of an earlier call with the same key. */
  isReplayed: boolean;
  /** The id of the last event that its mutations have published; undefined without one. */
  receipt: string | undefined;
}

/** Why a call does not run. It becomes an error only in a call, because graphql-js is loaded on first use. */
export interface UnmetPrecondition {
  readonly message: string;
  readonly code: string;
  readonly status: number;
}

/** A request of one caller: an operation of a valid document, or one that this package has written. */
export interface CallArgs extends Omit<RunArgs, 'outbox' | 'owner'> {
  /** Undefined for GraphQL over HTTP, and for the program itself. */
  readonly protocol?: 'rest' | 'sse' | 'ws' | 'mcp' | undefined;
  /** The caller; undefined for the program itself, which may run every operation. */
  readonly principal: Principal | null | undefined;
  readonly source?: CallSource | undefined;
  /** The key of its repeats, if it is not that of the request; with the name of the step in a chain. */
  readonly key?: string | undefined;
  readonly step?: string | undefined;
  /** The id of the run of a chain that it is a step of. */
  readonly run?: string | undefined;
  /** Gets the id of the last event that the call has published, or that its first run did. */
  readonly onReceipt?: ((receipt: string) => void) | undefined;
  /** Aborted when the caller of a subscription has left. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the event after which a subscription begins; undefined if it begins with the next event. */
  readonly after?: string | undefined;
  /** Gives the reason to refuse a call that has passed all other checks and is not a repeat. */
  readonly precondition?: (() => Promise<UnmetPrecondition | undefined>) | undefined;
  /** How far `admit` has admitted it before. */
  readonly admitted?: Admission | undefined;
}

export class Call {
  at = 0;
  /** The reach of its operations. The step `reach` sets it. */
  reach: Reach | undefined = undefined;
  /** The calls of root fields with their arguments. {@link rootCallsOf} sets it. */
  roots: readonly RootCall[] | undefined = undefined;
  /** Takes the events of mutations. The step `run` sets it. */
  outbox: Outbox | undefined = undefined;
  /** The first run of its key, until its outcome is kept. The step `findRepeat` sets it. */
  firstRun: FirstRun | undefined = undefined;
  /** The id of the last event that it has published. The step `publish` sets it. */
  receipt: string | undefined = undefined;
  /** Whether an event of it was not published. The step `publish` sets it. */
  hasUnpublished = false;
  /** Whether its operation ended after it was given up. */
  isLate = false;

  constructor(
    readonly args: CallArgs,
    readonly mode: CallMode,
  ) {}
}

/** How a call runs: `print` for a result that a compiled plan may print. */
export type CallMode = 'print' | 'execute' | 'subscribe';

export interface CallSite {
  readonly execution: Execution;
  readonly reachOf: ReachOf;
  readonly guard: Guard | undefined;
  readonly owners: OwnerOf;
  readonly count: CallCount | undefined;
  readonly judge: Judge;
  readonly argumentsCheck: ArgumentsCheck;
  /** Adds all mistakes in the arguments to the errors of variables that graphql-js refuses. */
  explain(errors: readonly GraphQLError[], args: CallArgs): readonly GraphQLError[];
  readonly repeats: Repeats | undefined;
  /** Those of the steps of runs; undefined without durable chains. */
  readonly runRepeats: Repeats | undefined;
  /** Whether a mutation may only be called with a key. */
  needsKey(mutation: string): boolean;
  readonly monitor: Monitor;
}

/** Judges the caller of a call by its arguments; the error refuses the call. Undefined if nothing looks at arguments. */
export type Judge = ((call: Call) => MaybePromise<GraphQLError | undefined>) | undefined;

/** Checks the arguments of a call by their constraints; the errors refuse the call. Undefined without constraints. */
export type ArgumentsCheck = ((call: Call) => readonly GraphQLError[]) | undefined;

export interface RootCall {
  /** The name of the operation in the topology. */
  readonly name: string;
  /** Its name in the result. */
  readonly key: string;
  readonly node: FieldNode;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Counts a call for the limits of its client. The error refuses it. */
export type CallCount = (call: Call, source: CallSource) => MaybePromise<GraphQLError | undefined>;

/** How far a call is admitted: by its caller alone, or by its arguments as well. */
export type Admission = 'caller' | 'all';

/** The result of a query or a mutation, or of a call that was refused. */
export type CallResult = Printed;

/** An outcome without data: the call did not run. */
export function refusedBy(...errors: readonly GraphQLError[]): ExecutionResult {
  return { errors };
}
