import type { Redis } from 'ioredis';
import { assertPeers } from '../load/load-peer.js';
import {
  type BrokerListener,
  beforeFirst,
  type DeliveredEvent,
  type EventBroker,
  type EventPosition,
  type LogPage,
} from './broker.js';
import { type BrokerDriver, ConnectedBroker } from './connected-broker.js';
import { PartitionedBroker, type PartitionNames, partitioned, partitionNames, tooFewPartitions } from './partitions.js';
import { resultsOf } from './redis.js';
import { connectRedis } from './redis-connection.js';

/** The number of events that are read at once. */
const page = 200;

/** How long a read waits for events, in milliseconds. */
const patience = 5_000;

/** The address of Redis and its limits, for {@link redisStreamEvents}. */
export interface RedisStreamEventsOptions {
  /** `redis://user:password@host:6379`, or `rediss://…` over TLS. */
  readonly url: string;
  /** The key of the stream, which all processes of a service share. Default: `gg-svc:events`. */
  readonly stream?: string;
  /** About how many events Redis keeps. Default: 100000. */
  readonly maxLength?: number;
  /** About how long Redis keeps an event, in milliseconds. Default: unlimited. */
  readonly maxAge?: number;
  /** How long an event may wait for its acknowledgement, in milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** The number of partitions of the events, a power of two up to 64; it can only grow. Default: 1. */
  readonly partitions?: number;
}

/** How often a process deletes events that are too old, in milliseconds. */
const sweepInterval = 10_000;

/**
 * Adds an event with the id `<log>-<number>`, where the log is the time at which the stream began: readers see by the
 * ids whether they missed events. It has the id of the event before it, so that they also see a stream that has lost
 * its end. A second key has the ids of the last events, so that none is added twice.
 */
const addEvent = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local time = redis.call('TIME')
local now = time[1] .. string.format('%03d', math.floor(time[2] / 1000))
local log, number
local previous = {}
if last then
  previous = {'previous', last[2][2]}
  log, number = string.match(last[1], '^(%d+)-(%d+)$')
  local known = redis.call('ZSCORE', KEYS[2], ARGV[2])
  if known then return log .. '-' .. known end
else
  redis.call('DEL', KEYS[2])
  log, number = now, 0
end
number = string.format('%d', number + 1)
redis.call('ZADD', KEYS[2], number, ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -10001)
for at = 5, #ARGV do previous[#previous + 1] = ARGV[at] end
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], log .. '-' .. number,
  'id', ARGV[2], 'subscription', ARGV[3], 'payload', ARGV[4], 'at', now, unpack(previous))
`;

/** Deletes the events that are older than the given age, but not the last one, which has the position. */
const deleteOld = `
local time = redis.call('TIME')
local oldest = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
while true do
  local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 101)
  local old = {}
  for at = 1, #entries - 1 do
    local fields = entries[at][2]
    local stored = fields[7] == 'at' and tonumber(fields[8])
    if not stored or stored >= oldest then break end
    old[at] = entries[at][1]
  end
  if #old > 0 then redis.call('XDEL', KEYS[1], unpack(old)) end
  if #old < 100 then return end
end
`;

/**
 * Carries events over a stream of Redis, which keeps the last ones: a process that has lost its connection continues
 * after its last event. It needs `npm install ioredis`.
 *
 * @throws {Error} If ioredis is not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, redisStreamEvents } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   events: redisStreamEvents({ url: process.env.EVENTS_URL ?? 'redis://localhost:6379' }),
 * });
 * ```
 */
export function redisStreamEvents(options: RedisStreamEventsOptions): EventBroker {
  const { stream = 'gg-svc:events', partitions = 1 } = options;
  assertPeers(['ioredis']);
  return partitioned(
    partitions,
    (at) => eventsOfStream(options, partitionNames(stream, at, partitions, 'redis-streams')),
    (parts) => new PartitionedBroker(parts),
  );
}

function eventsOfStream(options: RedisStreamEventsOptions, { log, own: stream, next }: PartitionNames): EventBroker {
  const { url, maxAge, timeout, partitions = 1 } = options;
  const maxLength = Math.ceil((options.maxLength ?? 100_000) / partitions);
  const driver: BrokerDriver = {
    name: 'redis-streams',
    log,
    async connect(lost) {
      const publisher = await connectRedis(url, lost);
      let reader: Redis | undefined;
      // A user may have no access to a stream that it does not use.
      const after = next === undefined ? beforeFirst : await lastOf(publisher, next).catch(() => beforeFirst);
      if (after.sequence > 0) {
        publisher.disconnect();
        throw tooFewPartitions(log, partitions);
      }
      publisher.defineCommand('addEvent', { numberOfKeys: 2, lua: addEvent });
      // A later attempt deletes the rest.
      const sweep = (): void => void publisher.eval(deleteOld, 1, stream, maxAge ?? 0).catch(() => undefined);
      const sweeping = maxAge === undefined ? undefined : setInterval(sweep, sweepInterval);
      return {
        async send(events) {
          const pipeline = publisher.pipeline() as ReturnType<Redis['pipeline']> & {
            addEvent(...args: (string | number)[]): unknown;
          };
          for (const { id, subscription, payload, traceparent } of events) {
            const traced = traceparent === undefined ? [] : ['traceparent', traceparent];
            pipeline.addEvent(stream, `${stream}:ids`, maxLength, id, subscription, payload, ...traced);
          }
          return resultsOf(await pipeline.exec()).map((id) => positionOf(String(id)));
        },
        async listen(from, listener) {
          reader = await connectRedis(url, lost);
          const start = from ?? (await lastOf(reader, stream));
          readOn(reader, stream, start, listener).catch(lost);
          return start;
        },
        read: (after, most) => readPage(publisher, stream, after, most),
        async close() {
          clearInterval(sweeping);
          publisher.disconnect();
          reader?.disconnect();
        },
      };
    },
  };
  return new ConnectedBroker(driver, timeout);
}

async function lastOf(client: Redis, stream: string): Promise<EventPosition> {
  const [last] = await client.xrevrange(stream, '+', '-', 'COUNT', 1);
  return last === undefined ? beforeFirst : positionOf(last[0]);
}

async function readOn(client: Redis, stream: string, start: EventPosition, listener: BrokerListener): Promise<void> {
  let last = start;
  for (;;) {
    const read = await client.xread('COUNT', page, 'BLOCK', patience, 'STREAMS', stream, idOf(last));
    const [found] = read ?? [];
    for (const [id, fields] of found?.[1] ?? []) {
      last = positionOf(id);
      const event = readEvent(fields, last);
      if (event === undefined) listener.log(`The stream ${stream} has an entry that is not an event: ${id}.`);
      else await listener.event(event);
    }
  }
}

async function readPage(client: Redis, stream: string, after: number, most: number): Promise<LogPage> {
  const last = await lastOf(client, stream);
  if (last.sequence === 0) return { log: last.log, last: 0, reached: 0, events: [] };
  const start = idOf({ log: last.log, sequence: after + 1 });
  const entries = await client.xrange(stream, start, '+', 'COUNT', most);
  const read = entries.at(-1);
  const newest = read === undefined ? last : positionOf(read[0]);
  // The caller reads again.
  if (newest.log !== last.log) throw new Error('the stream has begun anew');
  const end = Math.max(last.sequence, newest.sequence);
  return {
    log: last.log,
    last: end,
    reached: entries.length < most ? end : newest.sequence,
    events: entries.flatMap(([id, fields]) => readEvent(fields, positionOf(id)) ?? []),
  };
}

function readEvent(fields: readonly string[], position: EventPosition): DeliveredEvent | undefined {
  const values: Record<string, string | undefined> = {};
  for (let at = 0; at < fields.length; at += 2) values[fields[at] as string] = fields[at + 1];
  const { id, subscription, payload, at, traceparent, previous } = values;
  if (id === undefined || subscription === undefined || payload === undefined) return undefined;
  const storedAt = at === undefined ? undefined : Number(at);
  return { id, subscription, payload, position, storedAt, traceparent, previous };
}

function positionOf(id: string): EventPosition {
  const [log = '', sequence = ''] = id.split('-');
  return { log, sequence: Number(sequence) };
}

function idOf({ log, sequence }: EventPosition): string {
  return `${log === beforeFirst.log ? '0' : log}-${sequence}`;
}
