import type { GraphQLField } from 'graphql';
import type { EventHub } from '../../brokers/event-hub.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';
import { eventsLost, type ForkSource, type ForkStep, openFork } from './fork-source.js';

/**
 * Merges the events of a subscription's FORK edges with those of its own source. The arguments filter both. The
 * source has backpressure: the next event is requested after the last one was executed. Events of mutations have no
 * backpressure and wait in a queue of limited length.
 */
export function joinEvents(
  hub: EventHub,
  field: GraphQLField<unknown, unknown>,
  subscribe: FieldResolver,
): FieldResolver {
  return async (parent, args, context, info) => {
    // The listener is added before the source is opened, so that no event is lost.
    const fork = await openFork(hub, field, args, info);
    try {
      const opened = (await subscribe(parent, args, context, info)) as AsyncIterable<unknown>;
      const source = opened[Symbol.asyncIterator]();
      let isOpen = true;
      const close = (): Promise<IteratorResult<unknown, void>> => {
        if (isOpen) source.return?.().then(undefined, () => undefined);
        isOpen = false;
        return fork.return();
      };
      // An async generator that waits cannot be ended; this ends the queue that it waits for.
      return Object.assign(join(source, fork, context, close), { return: close });
    } catch (error) {
      void fork.return();
      throw error;
    }
  };
}

/** A request to the source: its event, which waits in the queue of the fork, or its failure. */
interface Asked {
  step?: ForkStep;
  failure?: { readonly error: unknown };
}

/** Reads both from the queue of the fork, in which the source has at most one event. */
async function* join(
  source: AsyncIterator<unknown>,
  fork: ForkSource,
  context: unknown,
  close: () => unknown,
): AsyncGenerator<unknown, void> {
  let asked: Asked | undefined;
  try {
    for (;;) {
      asked ??= ask(source, fork);
      const { done, value: step } = await fork.next();
      if (done === true) break;
      if (step === asked.step) asked = undefined;
      if (step === 'overflow') throw fork.tooSlow();
      if ('missing' in step) throw eventsLost(step.missing);
      const { payload } = step;
      // An error of a source fails all subscribers.
      const isMeant = fork.filter === undefined || payload instanceof Error;
      if (isMeant || (await fork.filter?.(payload, context))) yield payload;
    }
    if (asked.failure !== undefined) throw asked.failure.error;
  } finally {
    close();
  }
}

function ask(source: AsyncIterator<unknown>, fork: ForkSource): Asked {
  const asked: Asked = {};
  source.next().then(
    ({ done, value }) => {
      if (done === true) return fork.end();
      asked.step = { payload: value, place: undefined };
      fork.push(asked.step);
    },
    (error: unknown) => {
      asked.failure = { error };
      fork.end();
    },
  );
  return asked;
}
