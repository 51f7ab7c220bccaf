import type { Redis } from 'ioredis';
import { runUntil } from '../../base/values/run-until.js';
import { connectRedis } from './redis-connection.js';

/** The command of Redis that this package needs. A client of ioredis has it. */
export interface RedisClient {
  /** Runs a script. */
  eval(script: string, keyCount: number, ...args: string[]): Promise<unknown>;
}

/** How long a script may take, with the connection that it may need, in milliseconds. */
const patience = 1_000;

function noAnswer(): Promise<never> {
  return Promise.reject(new Error(`Redis does not answer within ${patience} ms.`));
}

/** How long calls fail at once after a failure, in milliseconds; one of them then tries again. */
const pause = 1_000;

/** How long an unused connection stays open, in milliseconds. */
const maxIdle = 30_000;

/** Runs scripts on the Redis of a client or a URL; a connection to a URL is opened for the first script. */
export function createRedisScripts(store: string | RedisClient) {
  const connection = typeof store === 'string' ? createConnection(store) : undefined;
  let brokenUntil = 0;
  return {
    /** Rejects within {@link patience}, whatever the state of the connection. */
    async run(script: string, key: string, ...args: string[]): Promise<unknown> {
      const now = performance.now();
      if (now < brokenUntil) throw new Error('Redis has just failed.');
      // While one call tries again, the others do not wait for it.
      if (brokenUntil > 0) brokenUntil = now + patience;
      try {
        const call = async () => {
          const client = connection === undefined ? (store as RedisClient) : await connection.open();
          return client.eval(script, 1, key, ...args);
        };
        const result = await runUntil({ timeout: patience }, call, noAnswer);
        brokenUntil = 0;
        return result;
      } catch (error) {
        brokenUntil = performance.now() + pause;
        connection?.drop();
        throw error;
      }
    },
  };
}

/** Opens a connection when it is needed; it keeps no process running, and is closed when it was not used for a while. */
function createConnection(url: string) {
  let opened: Promise<{ readonly client: Redis; readonly idle: NodeJS.Timeout }> | undefined;
  const begin = () => {
    const forget = (): void => {
      if (opened === begun) opened = undefined;
    };
    const begun = connectRedis(url, forget).then((client) => {
      client.stream.unref();
      return { client, idle: setTimeout(() => client.disconnect(), maxIdle).unref() };
    });
    begun.catch(forget);
    return begun;
  };
  return {
    async open(): Promise<RedisClient> {
      opened ??= begin();
      const { client, idle } = await opened;
      idle.refresh();
      return client;
    },
    /** A connection that does not answer may never end by itself. */
    drop(): void {
      opened?.then(({ client }) => client.disconnect()).catch(() => undefined);
      opened = undefined;
    },
  };
}
