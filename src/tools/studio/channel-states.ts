import { isChannelError, type RuntimeIoChannel } from '../../runtime/server/channels/binding/channel.js';
import type { ChannelGauge } from './protocol.js';

/** The states of channels, learned from their use. They outlive a reload of the topology, as channels do. */
export class ChannelStates {
  readonly #states = new Map<string, ChannelGauge>();

  /** The same channels, whose use is noted. Values that are not channels stay untouched: the server reports them. */
  watch(channels: readonly RuntimeIoChannel[]): readonly RuntimeIoChannel[] {
    return channels.map((channel) =>
      typeof channel === 'object' && channel !== null && typeof channel.node === 'string'
        ? this.#watch(channel)
        : channel,
    );
  }

  read(): readonly ChannelGauge[] {
    return [...this.#states.values()];
  }

  #watch(channel: RuntimeIoChannel): RuntimeIoChannel {
    const { node } = channel;
    if (!this.#states.has(node)) this.#states.set(node, { node, state: 'idle' });
    const note: Note = (failure) =>
      void this.#states.set(node, failure ? { node, state: 'failing', failure } : { node, state: 'open' });
    // A class may have private fields, so its methods and accessors run on the channel itself.
    return new Proxy(channel, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        if (key !== 'read' && key !== 'write' && key !== 'subscribe') return value.bind(target);
        return (...args: readonly unknown[]) => noteOutcome(() => value.apply(target, args), args, note);
      },
    });
  }
}

type Note = (failure?: string) => void;

/** Calls a method of a channel, and notes its success, its failure or its timeout. A cancelled call is none of them. */
function noteOutcome(call: () => unknown, args: readonly unknown[], note: Note): unknown {
  const signal = (args.at(-1) as { readonly signal?: AbortSignal } | undefined)?.signal;
  // At the timeout, the server stops waiting for the channel, and aborts the signal with the reason.
  signal?.addEventListener('abort', () => isChannelError(signal.reason) && note(reasonOf(signal.reason)), {
    once: true,
  });
  const fail = (error: unknown): never => {
    if (signal?.aborted !== true) note(reasonOf(error));
    throw error;
  };
  const succeed = (value: unknown): unknown => {
    if (signal?.aborted !== true) note();
    return isIterable(value) ? noteRecords(value, fail) : value;
  };
  try {
    const given = call();
    return given instanceof Promise ? given.then(succeed, fail) : succeed(given);
  } catch (error) {
    return fail(error);
  }
}

/** The same records; a failure among them is noted. */
function noteRecords(records: AsyncIterable<unknown>, fail: (error: unknown) => never) {
  return {
    [Symbol.asyncIterator]() {
      const iterator = records[Symbol.asyncIterator]();
      return {
        next: async () => iterator.next().catch(fail),
        ...(iterator.return && { return: iterator.return.bind(iterator) }),
      };
    },
  };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The reason that callers may see; other messages are for the terminal alone, where the server reports them. */
function reasonOf(error: unknown): string {
  return isChannelError(error) ? error.reason : 'It threw an error; see the terminal.';
}
