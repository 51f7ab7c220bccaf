import type { Redis } from 'ioredis';

/** The command of Redis that this package needs. A client of ioredis has it. */
export interface RedisClient {
  /** Runs a script. */
  eval(script: string, keyCount: number, ...args: string[]): Promise<unknown>;
}

/** Runs scripts on a Redis. A call rejects within {@link patience}, whatever the state of the connection. */
export interface RedisScripts {
  run(script: string, key: string, ...args: string[]): Promise<unknown>;
}

/** How long a script may take, with the connection that it may need, in milliseconds. */
const patience = 1_000;

/** How long calls fail at once after a failure, in milliseconds; one of them then tries again. */
const pause = 1_000;

/** How long an unused connection stays open, in milliseconds. */
const maxIdle = 30_000;

/** Runs scripts on the Redis of a client or a URL; a connection to a URL is opened for the first script. */
export function createRedisScripts(store: string | RedisClient): RedisScripts {
  const open = typeof store === 'string' ? createConnection(store) : async () => store;
  let brokenUntil = 0;
  return {
    async run(script, key, ...args) {
      const now = performance.now();
      if (now < brokenUntil) throw new Error('Redis has just failed.');
      // While one call tries again, the others do not wait for it.
      if (brokenUntil > 0) brokenUntil = now + patience;
      try {
        const answered = open().then((client) => client.eval(script, 1, key, ...args));
        const result = await within(patience, answered);
        brokenUntil = 0;
        return result;
      } catch (error) {
        brokenUntil = performance.now() + pause;
        throw error;
      }
    },
  };
}

/** Opens a connection when it is needed; it keeps no process running, and is closed when it was not used for a while. */
function createConnection(url: string): () => Promise<RedisClient> {
  let opening: Promise<Redis> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const connect = async (): Promise<Redis> => {
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      connectTimeout: patience,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // The calls report errors.
    client.on('error', () => undefined);
    client.once('end', () => {
      opening = undefined;
    });
    await client.connect();
    client.stream.unref();
    clearTimeout(idle);
    idle = setTimeout(() => client.disconnect(), maxIdle).unref();
    return client;
  };
  return async () => {
    opening ??= connect().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const client = await opening;
    idle?.refresh();
    return client;
  };
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Redis does not answer within ${milliseconds} ms.`)),
      milliseconds,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
