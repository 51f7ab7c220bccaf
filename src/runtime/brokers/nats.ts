import type {
  Consumer,
  ConsumerMessages,
  JetStreamClient,
  JetStreamManager,
  JsMsg,
  StoredMsg,
  StreamInfo,
} from '@nats-io/jetstream';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { assertPeers } from '../load/load-peer.js';
import type { DeliveredEvent, EventBroker, LogPage } from './broker.js';
import { type BrokerDriver, ConnectedBroker } from './connected-broker.js';
import { PartitionedBroker, type PartitionNames, partitioned, partitionNames, tooFewPartitions } from './partitions.js';

/** The number of messages that the server sends ahead of the listener. */
const ahead = 100;

/** How long the server may take to answer, in milliseconds. */
const patience = 5_000;

/** How long the server recognizes an event that is published again, in milliseconds. */
const duplicateWindow = 120_000;

const headerBytes = 1_024;

/** The address of NATS and its limits, for {@link natsEvents}. */
export interface NatsEventsOptions {
  /** `nats://user:password@host:4222`, or `tls://…`; the servers of a cluster as a list, or separated by commas. */
  readonly servers: string | readonly string[];
  /** The stream, and the first token of its subjects: letters, digits, `-` and `_`. Default: `gg-svc`. */
  readonly stream?: string;
  /** How many events the stream keeps; it counts when the stream is created. Default: 100000. */
  readonly maxLength?: number;
  /** How long the stream keeps an event, in milliseconds; it counts when the stream is created. Default: unlimited. */
  readonly maxAge?: number;
  /** How long an event may wait for its acknowledgement, in milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** The number of partitions of the events, a power of two up to 64; it can only grow. Default: 1. */
  readonly partitions?: number;
}

/**
 * Carries events over a stream of NATS JetStream, which is created if it is missing: a process that has lost its
 * connection continues after its last event. It needs `npm install @nats-io/transport-node @nats-io/jetstream`.
 *
 * @throws {Error} If the packages are not installed.
 *
 * @example
 * ```ts
 * import { createGqlServer, natsEvents } from 'gg-svc';
 *
 * const server = createGqlServer({
 *   topologies: ['service.gg'],
 *   events: natsEvents({ servers: process.env.EVENTS_URL ?? 'nats://localhost:4222' }),
 * });
 * ```
 */
export function natsEvents(options: NatsEventsOptions): EventBroker {
  const { stream = 'gg-svc', partitions = 1 } = options;
  if (!/^[\w-]+$/.test(stream)) throw new OptionError('events.stream', 'have letters, digits, - and _ alone');
  assertPeers(['@nats-io/transport-node', '@nats-io/jetstream']);
  return partitioned(
    partitions,
    (at) => eventsOfStream(options, partitionNames(stream, at, partitions, 'nats')),
    (parts) => new PartitionedBroker(parts),
  );
}

function eventsOfStream(options: NatsEventsOptions, { log, own: stream, next }: PartitionNames): EventBroker {
  const { servers, timeout, partitions = 1, maxAge } = options;
  const kept = { maxLength: Math.ceil((options.maxLength ?? 100_000) / partitions), maxAge };
  const driver: BrokerDriver = {
    name: 'nats',
    log,
    async connect(lost) {
      const [{ connect, headers }, { jetstream }] = await Promise.all([
        import('@nats-io/transport-node'),
        import('@nats-io/jetstream'),
      ]);
      const connection = await connect(readServers(servers));
      connection.closed().then((error) => lost(error ?? new Error('the connection was closed')), lost);
      try {
        const client = jetstream(connection, { timeout: patience });
        const manager = await client.jetstreamManager();
        // With one partition, the user may have access to its stream alone, and would wait for an answer.
        if (next !== undefined && partitions > 1 && (await findStream(manager, next)) !== undefined)
          throw tooFewPartitions(log, partitions);
        let info = await ensureStream(manager, stream, kept);
        let messages: ConsumerMessages | undefined;
        return {
          maxBytes: (connection.info?.max_payload ?? 1_048_576) - headerBytes,
          async send(events) {
            const acknowledged = await Promise.all(
              events.map(({ id, subscription, payload, traceparent }) => {
                const given = traceparent === undefined ? undefined : headers();
                given?.set('traceparent', traceparent as string);
                const options = { msgID: id, timeout: patience, ...(given && { headers: given }) };
                return client.publish(`${stream}.${subscription}`, payload, options);
              }),
            );
            return acknowledged.map(({ seq }) => ({ log: info.created, sequence: seq }));
          },
          async listen(from, listener) {
            info = await manager.streams.info(stream);
            const { created: log, state } = info;
            const start = { log, sequence: from?.sequence ?? state.last_seq };
            const consumer = await consumerFrom(client, stream, start.sequence + 1);
            messages = await consumer.consume({ max_messages: ahead });
            watch(messages, lost).catch(lost);
            const delivered = deliver(messages, (message) => listener.event(eventOf(message, stream, log)));
            delivered.then(() => lost(new Error('the consumer has ended')), lost);
            return start;
          },
          read: (after, most) => readPage(client, manager, stream, after, most),
          async close() {
            messages?.stop();
            await connection.close();
          },
        };
      } catch (error) {
        lost(error);
        await connection.close();
        throw error;
      }
    },
  };
  return new ConnectedBroker(driver, timeout);
}

/** The options of a connection that ends with its first failure. NATS reads no user from URLs. */
export function readServers(servers: string | readonly string[]) {
  const urls = [servers].flat().flatMap((list) => list.split(','));
  const parsed = urls.map((url) => new URL(url.includes('://') ? url : `nats://${url}`));
  const [first] = parsed;
  const [user, pass] = [decodeURIComponent(first?.username ?? ''), decodeURIComponent(first?.password ?? '')];
  return {
    servers: parsed.map(({ host }) => host),
    reconnect: false,
    timeout: patience,
    pingInterval: 10_000,
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
  };
}

async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  const { JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream');
  try {
    return await manager.streams.info(name);
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
    return undefined;
  }
}

/** A stream that exists stays as it is. */
async function ensureStream(
  manager: JetStreamManager,
  name: string,
  { maxLength, maxAge = 0 }: { readonly maxLength: number; readonly maxAge: number | undefined },
): Promise<StreamInfo> {
  const found = await findStream(manager, name);
  if (found !== undefined) return found;
  const window = maxAge === 0 ? duplicateWindow : Math.min(duplicateWindow, maxAge);
  return manager.streams.add({
    name,
    subjects: [`${name}.*`],
    max_msgs: maxLength,
    max_age: maxAge * 1e6,
    duplicate_window: window * 1e6,
  });
}

async function consumerFrom(client: JetStreamClient, stream: string, from: number): Promise<Consumer> {
  const { DeliverPolicy } = await import('@nats-io/jetstream');
  return client.consumers.get(stream, { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from });
}

/** Ends the connection with its consumer: a new consumer would go on at a number that may belong to another event by now. */
async function watch(messages: ConsumerMessages, lost: (reason: unknown) => void): Promise<void> {
  for await (const { type } of messages.status()) {
    if (consumerEnds.has(type)) lost(new Error(type.replaceAll('_', ' ')));
  }
}

const consumerEnds: ReadonlySet<string> = new Set([
  'consumer_deleted',
  'consumer_not_found',
  'ordered_consumer_recreated',
  'stream_not_found',
]);

async function deliver(messages: ConsumerMessages, take: (message: JsMsg) => unknown): Promise<void> {
  for await (const message of messages) await take(message);
}

/** Reads a page with a consumer of its own, or a single message without one. */
async function readPage(
  client: JetStreamClient,
  manager: JetStreamManager,
  stream: string,
  after: number,
  most: number,
): Promise<LogPage> {
  const { created: log, state } = await manager.streams.info(stream);
  const first = Math.max(after + 1, state.first_seq);
  const reached = Math.min(state.last_seq, first + most - 1);
  const page = { log, last: state.last_seq, reached };
  if (first > reached) return { ...page, events: [] };
  if (first < reached) {
    const messages = await readMessages(client, stream, first, reached);
    return { ...page, events: messages.map((message) => eventOf(message, stream, log)) };
  }
  // Null for a message that the stream has dropped in the meantime.
  const found = await manager.streams.getMessage(stream, { seq: first });
  return { ...page, events: found === null ? [] : [eventOf(found, stream, log)] };
}

/** The kept messages between two numbers, both included. */
async function readMessages(client: JetStreamClient, stream: string, first: number, last: number) {
  const consumer = await consumerFrom(client, stream, first);
  const read: JsMsg[] = [];
  try {
    const { num_pending: kept } = await consumer.info(true);
    if (kept === 0) return read;
    for await (const message of await consumer.fetch({ max_messages: last - first + 1, expires: patience })) {
      if (message.seq <= last) read.push(message);
      if (message.seq >= last || message.info.pending === 0) break;
    }
  } finally {
    // The server deletes it when it is not used, too.
    consumer.delete().catch(() => undefined);
  }
  return read;
}

function eventOf(message: JsMsg | StoredMsg, stream: string, log: string): DeliveredEvent {
  const { seq: sequence, subject, time } = message;
  const header = 'headers' in message ? message.headers : (message as StoredMsg).header;
  return {
    id: header?.get('Nats-Msg-Id') || `${log}-${sequence}`,
    subscription: subject.slice(stream.length + 1),
    payload: message.string(),
    position: { log, sequence },
    storedAt: time.getTime(),
    traceparent: header?.get('traceparent') || undefined,
  };
}
