import type { EventsConfig } from '../../runtime/brokers/brokers.js';
import { readServers } from '../../runtime/brokers/nats.js';
import { connectRedis } from '../../runtime/brokers/redis-connection.js';

/** Deletes the log that a drill has made at a broker. */
export async function deleteLog({ broker, url = '', stream = '', table = '' }: EventsConfig): Promise<void> {
  if (broker === 'redis-streams') {
    const client = await connectRedis(url, () => undefined);
    await client.del(stream, `${stream}:ids`);
    client.disconnect();
  }
  if (broker === 'nats') {
    const [{ connect }, { jetstreamManager }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const connection = await connect(readServers(url));
    await (await jetstreamManager(connection)).streams.delete(stream);
    await connection.close();
  }
  if (broker === 'postgres') {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`DROP TABLE IF EXISTS "${table}", "${table}_head"`);
    await client.end();
  }
}
