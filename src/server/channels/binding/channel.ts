/** Which way the records of a channel go: into the topology, out of it, or both. */
export type ChannelDirection = 'in' | 'out' | 'inout';

/**
 * A node's way to the outside world. Each method may fail; the operation then fails with the name of the
 * node, and the server goes on. An error that says why in words for the caller is a `ChannelError`.
 */
export interface RuntimeIoChannel {
  /** The id of the node. */
  readonly node: string;
  readonly direction: ChannelDirection;
  /** What carries the records, in a word for documents and messages: `http`, `jsonl`. */
  readonly transport: string;
  /** How long a read or a write may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** Whether `subscribe` hears what `write` has written, so that nobody is to be told of it twice. */
  readonly echoes?: boolean;
  /** Gives the value of a query: a record, a list of them where `call.many` says so, null for none. */
  read?(call: ChannelCall): unknown;
  /**
   * Takes a record: the input of a mutation, or an event of a FORK edge. It settles when the record has been
   * taken, and may give the value of the mutation; without one that is the record itself.
   */
  write?(record: unknown, call: ChannelCall): unknown;
  /** Gives the events of a subscription. They are asked for one by one, as fast as they are worked off. */
  subscribe?(call: ChannelCall): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
  /** Lets go of what the channel holds: processes, connections, files. */
  close?(): void | Promise<void>;
}

/** What a channel is told of the operation that it works for. */
export interface ChannelCall {
  /** The id of the node. */
  readonly node: string;
  /** The name of the query, mutation or subscription. */
  readonly operation: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Those arguments that are given, not null, and called like a field of the result. */
  readonly match: Readonly<Record<string, unknown>>;
  /** Whether a list is asked for. */
  readonly many: boolean;
  /** The context of the request; undefined for events that no request has made. */
  readonly context: unknown;
  /** Aborted when nobody waits any more: the time is over, the client has gone, another branch has won. */
  readonly signal: AbortSignal;
}

/** The methods of a channel that do its work. */
export type ChannelAccess = 'read' | 'write' | 'subscribe';
