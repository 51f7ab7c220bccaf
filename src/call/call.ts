import type { ExecutionArgs, ExecutionResult, FieldNode, GraphQLError } from 'graphql';
import type { Guard } from '../auth/guard.js';
import type { OwnerOf } from '../auth/owner.js';
import type { Principal } from '../auth/principal.js';
import type { Printed } from '../execute/compiled/printed-result.js';
import type { Execution } from '../execute/execution.js';
import type { Outbox } from '../execute/resolvers/outbox.js';
import type { Watch, WatchedOperation } from '../logs/watch.js';
import type { FirstRun, Repeats } from '../repeats/repeats.js';
import type { MaybePromise } from '../values/maybe-promise.js';
import type { CancelSource } from '../values/run-until.js';
import type { Reach, ReachOf } from './reach.js';

/** The protocol of a call; undefined for GraphQL over HTTP, and for the program itself. */
export type CallProtocol = 'rest' | 'sse' | 'ws' | 'mcp' | undefined;

/** The request that calls came with: the same for all calls of a batch, or of a chain. */
export interface CallSource {
  /** The caller; null if it is unknown. */
  readonly principal: Principal | null;
  /** The IP address of the client; undefined without a connection. */
  readonly address: string | undefined;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined;
  /** How many calls the count of the request still covers: a request is counted as one call. */
  prepaid: number;
  /** How many mutations of the request have used its key. */
  keyed: number;
  /** Whether a result is that of an earlier call with the same key. */
  isReplayed: boolean;
  /** The id of the last event that its mutations have published; undefined without one. */
  receipt: string | undefined;
}

/** What one caller wants from the schema: an operation of a valid document, or one that this package has written. */
export interface CallArgs extends Omit<ExecutionArgs, 'schema' | 'rootValue'> {
  readonly protocol?: CallProtocol;
  /** The caller; undefined for the program itself, which may run every operation. */
  readonly principal: Principal | null | undefined;
  /** The request of the call; undefined for the program itself. */
  readonly source?: CallSource | undefined;
  /** The key of its repeats, if it is not that of the request; with the name of the step in a chain. */
  readonly key?: string | undefined;
  readonly step?: string | undefined;
  /** Gets the id of the last event that the call has published, or that its first run did. */
  readonly onReceipt?: ((receipt: string) => void) | undefined;
  /** Reports that the caller has left. */
  readonly client?: CancelSource | undefined;
  /** Aborted when the caller of a subscription has left. */
  readonly signal?: AbortSignal | undefined;
  /** The request in metrics and logs, if they are on. */
  readonly watched?: WatchedOperation | undefined;
  /** The id of the event after which a subscription begins; undefined if it begins with the next event. */
  readonly after?: string | undefined;
  /** How far `admit` has admitted it before. */
  readonly admitted?: Admission | undefined;
}

/** A call on its way through the steps of `steps.ts`. */
export class Call {
  /** The number of steps that it has taken. */
  at = 0;
  /** What it reaches. The step `reach` sets it. */
  reach: Reach | undefined = undefined;
  /** The calls of root fields with their arguments. {@link rootCallsOf} sets it. */
  roots: RootCalls | undefined = undefined;
  /** Takes the events of mutations. The step `run` sets it. */
  outbox: Outbox | undefined = undefined;
  /** The first run of its key, until its outcome is kept. The step `findRepeat` sets it. */
  firstRun: FirstRun | undefined = undefined;
  /** The id of the last event that it has published. The step `publish` sets it. */
  receipt: string | undefined = undefined;
  /** Whether an event of it was not published. The step `publish` sets it. */
  hasUnpublished = false;
  /** Whether its operation was given up, and has ended all the same. */
  isLate = false;

  constructor(
    readonly args: CallArgs,
    readonly mode: CallMode,
  ) {}
}

/** How a call runs: `print` for a result that a compiled plan may print. */
export type CallMode = 'print' | 'execute' | 'subscribe';

/** The parts of a server that the steps use. */
export interface CallSite {
  readonly execution: Execution;
  readonly reachOf: ReachOf;
  /** Compares callers with demands; undefined on a server that does not authenticate. */
  readonly guard: Guard | undefined;
  /** Finds the owner that a caller is. */
  readonly owners: OwnerOf;
  /** Counts a call for the limits of its client; undefined without limits. The error refuses the call. */
  readonly count: CallCount | undefined;
  readonly judge: Judge;
  readonly argumentsCheck: ArgumentsCheck;
  /** The option `idempotency`; undefined without it. */
  readonly repeats: Repeats | undefined;
  /** Whether a mutation may only be called with a key. */
  needsKey(mutation: string): boolean;
  /** Gets the faults. */
  readonly watch: Watch;
}

/** Judges the caller of a call by its arguments; the error refuses the call. Undefined if nothing looks at arguments. */
export type Judge = ((call: Call) => MaybePromise<GraphQLError | undefined>) | undefined;

/** Checks the arguments of a call by their constraints; the errors refuse the call. Undefined without constraints. */
export type ArgumentsCheck = ((call: Call) => readonly GraphQLError[]) | undefined;

/** The call of one root field. */
export interface RootCall {
  /** The name of the operation in the topology. */
  readonly name: string;
  /** Its name in the result. */
  readonly key: string;
  readonly node: FieldNode;
  /** Its coerced arguments. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls of root fields, in their order. */
export type RootCalls = readonly RootCall[];

/** Counts a call for the limits of its client. The error refuses it. */
export type CallCount = (call: Call, source: CallSource) => MaybePromise<GraphQLError | undefined>;

/** How far a call is admitted: by its caller alone, or by its arguments as well. */
export type Admission = 'caller' | 'all';

/** The result of a query or a mutation, or of a call that was refused. */
export type Outcome = Printed;

/** An outcome without data: the call did not run. */
export function refusedBy(...errors: readonly GraphQLError[]): ExecutionResult {
  return { errors };
}
