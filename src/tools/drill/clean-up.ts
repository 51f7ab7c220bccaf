import type { EventsConfig } from '../../runtime/brokers/brokers.js';
import { readServers } from '../../runtime/brokers/nats.js';
import { partitionNames } from '../../runtime/brokers/partitions.js';
import { connectRedis } from '../../runtime/brokers/redis-connection.js';

/** Deletes the log that a drill has made at a broker, with all of its partitions. */
export async function deleteLog({
  broker,
  url = '',
  stream = '',
  table = '',
  partitions = 1,
}: EventsConfig): Promise<void> {
  if (broker === 'memory' || broker === 'redis') return;
  const log = broker === 'postgres' ? table : stream;
  const names = Array.from({ length: partitions }, (_, at) => partitionNames(log, at, partitions, broker).own);
  if (broker === 'redis-streams') {
    const client = await connectRedis(url, () => undefined);
    await client.del(names.flatMap((name) => [name, `${name}:ids`]));
    client.disconnect();
  }
  if (broker === 'nats') {
    const [{ connect }, { jetstreamManager }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const connection = await connect(readServers(url));
    const { streams } = await jetstreamManager(connection);
    for (const name of names) await streams.delete(name);
    await connection.close();
  }
  if (broker === 'postgres') {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const tables = names.flatMap((name) => [`"${name}"`, `"${name}_head"`]);
    await client.query(`DROP TABLE IF EXISTS ${tables.join()}`);
    await client.end();
  }
}
