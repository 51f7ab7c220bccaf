import type { Redis } from 'ioredis';
import { assertPeers } from '../load/load-peer.js';
import type { BrokerEvent, BrokerListener, DeliveredEvent, EventBroker } from './broker.js';
import { type BrokerDriver, ConnectedBroker } from './connected-broker.js';
import { connectRedis } from './redis-connection.js';

/** The number of events that may wait for a slow process; further ones are dropped, and reported as missing. */
const mostWaiting = 10_000;

/** The address of Redis, for {@link redisEvents}. */
export interface RedisEventsOptions {
  /** `redis://user:password@host:6379`, or `rediss://…` over TLS. */
  readonly url: string;
  /** The channel, which all processes of a service share. Default: `gg-svc:events`. */
  readonly channel?: string;
  /** How long an event may wait for its acknowledgement, in milliseconds. Default: 5000. */
  readonly timeout?: number;
}

/**
 * Carries events over the channels of Redis: at most once. Events that are published while a process is not connected
 * are lost for that process. It needs `npm install ioredis`.
 *
 * @throws {Error} If ioredis is not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, redisEvents } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   events: redisEvents({ url: process.env.EVENTS_URL ?? 'redis://localhost:6379' }),
 * });
 * ```
 */
export function redisEvents({ url, channel = 'gg-svc:events', timeout }: RedisEventsOptions): EventBroker {
  assertPeers(['ioredis']);
  const driver: BrokerDriver = {
    name: 'redis',
    async connect(lost) {
      const publisher = await connectRedis(url, lost);
      let subscriber: Redis | undefined;
      return {
        async send(events) {
          const pipeline = publisher.pipeline();
          for (const event of events) {
            pipeline.publish(channel, `${tracedIdOf(event)} ${event.subscription} ${event.payload}`);
          }
          resultsOf(await pipeline.exec());
          return undefined;
        },
        async listen(_from, listener) {
          subscriber = await connectRedis(url, lost);
          const take = createTaker(listener);
          subscriber.on('message', (_channel, message) => take(message));
          await subscriber.subscribe(channel);
          return undefined;
        },
        async close() {
          publisher.disconnect();
          subscriber?.disconnect();
        },
      };
    },
  };
  return new ConnectedBroker(driver, timeout);
}

/** The results of the commands of a pipeline; throws the first error. */
export function resultsOf(results: readonly (readonly [Error | null, unknown])[] | null): unknown[] {
  const error = results === null ? new Error('the connection was closed') : results.find(([one]) => one)?.[0];
  if (error) throw error;
  return (results ?? []).map(([, result]) => result);
}

/** Redis pushes messages, so the queue of waiting ones is limited here. */
function createTaker(listener: BrokerListener): (message: string) => void {
  const waiting: DeliveredEvent[] = [];
  let dropped = 0;
  let isWorking = false;
  const work = async (): Promise<void> => {
    isWorking = true;
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      await listener.event(event);
      if (dropped > 0 && waiting.length === 0) {
        listener.gap(dropped);
        dropped = 0;
      }
    }
    isWorking = false;
  };
  return (message) => {
    const event = readMessage(message);
    if (event === undefined) return listener.log('The event broker redis delivered something else than an event.');
    if (waiting.length >= mostWaiting || dropped > 0) dropped += 1;
    else waiting.push(event);
    if (!isWorking) void work();
  };
}

function readMessage(message: string): DeliveredEvent | undefined {
  const [, id, subscription, payload] = /^(\S+) (\w+) (.*)$/s.exec(message) ?? [];
  if (id === undefined || subscription === undefined || payload === undefined) return undefined;
  return { ...readTracedId(id), subscription, payload };
}

/** The id of an event and the span that published it. An older process takes the whole for the id: it is as unique. */
function tracedIdOf({ id, traceparent }: Pick<BrokerEvent, 'id' | 'traceparent'>): string {
  return traceparent === undefined ? id : `${id};${traceparent}`;
}

function readTracedId(text: string): Pick<BrokerEvent, 'id' | 'traceparent'> {
  const end = text.lastIndexOf(';');
  return end < 0 ? { id: text } : { id: text.slice(0, end), traceparent: text.slice(end + 1) };
}
