import type { Principal } from '../auth/principal.js';
import type { NamedChain, StepResult } from '../call/chains/named-chains.js';
import type { ChainCaller } from '../call/chains/run-chain.js';

/** Where the runs of durable chains are kept: a file of SQLite, or PostgreSQL. */
export type RunsOptions = { readonly file: string } | { readonly url: string };

/** A run of a durable chain, as clients read it. */
export interface Run {
  readonly id: string;
  /** The name of the chain. */
  readonly chain: string;
  /** `completed`, `failed` and `cancelled` are final. */
  readonly state: 'running' | 'waiting' | 'undoing' | 'completed' | 'failed' | 'cancelled';
  /** The steps that ran, in their order. */
  readonly steps: readonly StepResult[];
  /** The step that runs or waits, or that failed; absent if there is none. */
  readonly step?: string;
  /**
   * The event that the step waits for, and when the wait ends, as RFC 3339; without an event, the step pauses. Absent
   * if it does not wait.
   */
  readonly waitsFor?: { readonly event?: string; readonly until?: string };
  /** The steps that were undone, in the order in which they were; absent without any. */
  readonly undone?: readonly string[];
  /** Why a step failed, or is tried again; absent if none did. */
  readonly problem?: { readonly status: number; readonly detail: string; readonly [member: string]: unknown };
  /** When it began, as RFC 3339 in UTC. */
  readonly createdAt: string;
  /** When it ended; absent until then. */
  readonly endedAt?: string;
}

/** A run at a time, with an id that tells its state apart from the others. */
export interface RunState {
  readonly id: string;
  readonly run: Run;
}

/** The data that the engine keeps of a run from its beginning. */
export interface KeptRun {
  readonly chain: string;
  /** The digest of the steps: a run goes on with those that it began with. */
  readonly version: string;
  readonly inputs: unknown;
  /** The names of the steps, in the order in which they run; absent in runs of earlier versions. */
  readonly plan?: readonly string[];
  /** Whether a step names its `undo`; absent if none does. */
  readonly isUndoable?: true;
  /** The caller that it belongs to; empty for one that cannot be told apart. */
  readonly owner: string;
  readonly principal: Principal | null;
  readonly isTrusted: boolean;
  /** Tells a new run from an earlier one with the same key. */
  readonly nonce: string;
  /** The prefix of the keys of its steps, if it is not its own id: the run that it retries. */
  readonly key?: string;
  /** The id of the last event before it began; absent if that was not known. */
  readonly since?: string;
  /** The results that it takes over from the run that it tries again. */
  readonly done?: readonly StepResult[];
}

/** The runs of a server. The methods throw a `ProblemError` to refuse. */
export interface Runs {
  /** Begins a run, or finds the one that the caller has begun with the same key. */
  start(chain: NamedChain, inputs: unknown, caller: ChainCaller, name: string): Promise<Run>;
  /** Finds a run of a caller; with the name of a chain, a run of that. */
  read(id: string, caller: ChainCaller, chain?: string): Promise<Run>;
  /**
   * The run as it is, and again after each change, until it ends, the reader leaves or the server shuts down.
   *
   * @param after - The id of the state that the reader has seen last: it is not given again.
   */
  follow(first: Run, caller: ChainCaller, signal: AbortSignal, after?: string): AsyncGenerator<RunState, void, void>;
  /** The last runs of a caller, the newest first; none of a caller that cannot be told apart. */
  list(caller: ChainCaller): Promise<readonly Run[]>;
  /** Cancels a run; steps that name an `undo` are undone. */
  cancel(id: string, caller: ChainCaller): Promise<Run>;
  /** False while the database is away. */
  readonly isUp: boolean;
  /** Whether the server shuts down: streams of progress end, so that their clients connect again. */
  readonly isDraining: boolean;
  drain(): void;
  /** Stops taking steps, and closes the database. Runs go on elsewhere, or later. */
  close(): Promise<void>;
}
