/** The direction of a channel: into the topology, out of it, or both. */
export type ChannelDirection = 'in' | 'out' | 'inout';

/**
 * A connection of a node to the outside. If a method fails, only the operation fails. Throw a `ChannelError` for a reason
 * that callers may see.
 */
export interface RuntimeIoChannel {
  /** The id of the node. */
  readonly node: string;
  readonly direction: ChannelDirection;
  /** The transport in documents and messages: `http`, `jsonl`. */
  readonly transport: string;
  /** The timeout of reads and writes, in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /** Whether `subscribe` also delivers what `write` has written, so that events must not be delivered twice. */
  readonly echoes?: boolean;
  /**
   * How a query treats a record that does not fit the node: it skips and reports the record, or fails. Default:
   * `skip`.
   */
  readonly badRecords?: 'skip' | 'fail';
  /**
   * Whether `write` keeps records as they are, so that a record needs all required fields of the node. Without it, a
   * record needs those that the source of the FOLD edge requires, too: `write` may add the others.
   */
  readonly stores?: boolean;
  /** Returns the value of a query: a record, a list if `call.many`, or null. */
  read?(call: ChannelCall): unknown;
  /**
   * Writes a record: the input of a mutation, or an event of a FORK edge. Settles once the record is written. The value
   * is the result of the mutation; without one, the result is the record.
   */
  write?(record: unknown, call: ChannelCall): unknown;
  /** Returns the events of a subscription. They are requested one by one (backpressure). */
  subscribe?(call: ChannelCall): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
  /** Releases processes, connections and files. */
  close?(): void | Promise<void>;
}

/** The operation that a channel is called for. */
export interface ChannelCall {
  /** The id of the node. */
  readonly node: string;
  /** The name of the query, mutation or subscription. */
  readonly operation: string;
  /** The arguments; standard scalars such as DateTime are in their JSON form. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments that are not null and named like a field of the result. */
  readonly match: Readonly<Record<string, unknown>>;
  /** Whether the operation returns a list. */
  readonly many: boolean;
  /**
   * Whether a record fits the node. A record that does not is reported, or fails the query, as `badRecords` says.
   *
   * @param place - The place of the record, for the report: `line 3`.
   * @throws {ChannelError} If `badRecords` is `fail`.
   */
  readonly accepts: (record: unknown, place: string) => boolean;
  /** Reports a record that cannot be read, or throws the error, as `badRecords` says. */
  readonly skip: (error: ChannelError) => void;
  /** The context of the request; undefined for events without a request. */
  readonly context: unknown;
  /** Aborted at the timeout, when the client disconnects, or when another branch of a race has won. */
  readonly signal: AbortSignal;
}

/** The methods of a channel that serve operations. */
export type ChannelAccess = 'read' | 'write' | 'subscribe';

/** Why a channel failed: an error, a timeout, an unreadable value, or overload. */
export type ChannelFault = 'failed' | 'timeout' | 'unreadable' | 'overrun';

/**
 * Whether a value is a `ChannelError`, by its name: a module of channels may import another copy of this package than
 * the server.
 */
export function isChannelError(error: unknown): error is ChannelError {
  return error instanceof Error && error.name === 'ChannelError';
}

/**
 * Thrown by a channel that fails, with a reason that callers see unless errors are masked. Details for the operator,
 * such as paths, addresses and stacks, belong in the cause, which goes to the console.
 *
 * @example
 * ```ts
 * import { ChannelError, type RuntimeIoChannel } from 'gg-svc/channels';
 *
 * const channel: RuntimeIoChannel = {
 *   node: 'stock',
 *   direction: 'in',
 *   transport: 'warehouse',
 *   read: () => {
 *     throw new ChannelError('failed', 'the warehouse is closed');
 *   },
 * };
 * ```
 */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';

  /** @param reason - A clause without a full stop: `the process has ended`. */
  constructor(
    readonly fault: ChannelFault,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
