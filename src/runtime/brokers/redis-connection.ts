import type { Redis } from 'ioredis';

/** How often an idle connection is tested, in milliseconds. A connection that does not answer is given up. */
const pingInterval = 10_000;

/** Opens a connection to Redis that ends with its first failure. */
export async function connectRedis(url: string, lost: (reason: unknown) => void): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    keepAlive: pingInterval,
    retryStrategy: () => null,
  });
  let failure: unknown;
  client.on('error', (error) => {
    failure = error;
  });
  client.on('end', () => lost(failure ?? new Error('the connection was closed')));
  try {
    await client.connect();
    // With a wrong password, Redis takes the connection and refuses every command.
    await client.ping();
  } catch (error) {
    client.disconnect();
    throw failure ?? error;
  }
  keepTesting(client, lost);
  return client;
}

/** Tests a connection from time to time, until it ends. A command that blocks must answer before the next test. */
function keepTesting(client: Redis, lost: (reason: unknown) => void): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) {
      lost(new Error('the server does not answer'));
      return;
    }
    answered = false;
    client.ping().then(
      () => {
        answered = true;
      },
      () => undefined,
    );
  }, pingInterval);
  client.once('end', () => clearInterval(timer));
}
