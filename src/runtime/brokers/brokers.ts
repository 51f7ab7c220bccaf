import { OptionError } from '../../base/diagnostics/option-error.js';
import type { EventBroker } from './broker.js';
import { memoryEvents } from './memory.js';
import { natsEvents } from './nats.js';
import { postgresEvents } from './postgres.js';
import { redisEvents } from './redis.js';
import { redisStreamEvents } from './redis-streams.js';

/** The name of a broker, as in the project file and in metrics. */
export type BrokerName = 'memory' | 'redis' | 'redis-streams' | 'nats' | 'postgres';

/** The broker of events between processes, in the project file. */
export interface EventsConfig {
  /** The broker. */
  readonly broker: BrokerName;
  /** The URL of the broker. */
  readonly url?: string;
  /** The environment variable that has the URL, so that its password stays out of the file. */
  readonly urlFrom?: string;
  /** How long an event may wait for its acknowledgement, in milliseconds. */
  readonly timeout?: number;
  /** The channel of `redis`. */
  readonly channel?: string;
  /** The stream of `redis-streams` and `nats`. */
  readonly stream?: string;
  /** The table of `postgres`. */
  readonly table?: string;
  /** How many events are kept; not for `redis`. */
  readonly maxLength?: number;
  /** How long an event is kept, in milliseconds; not for `redis`. */
  readonly maxAge?: number;
  /** The number of partitions of the events; not for `redis`. */
  readonly partitions?: number;
}

type Options = Omit<EventsConfig, 'broker' | 'url' | 'urlFrom'> & { readonly url: string };

/** The settings of the brokers that keep events. */
const ofLogs = ['maxLength', 'maxAge', 'partitions'] as const;

/** How each broker is made, and the settings that it has beside its URL and `timeout`. */
const brokers: Readonly<
  Record<
    Exclude<BrokerName, 'memory'>,
    { make(options: Options): EventBroker; settings: readonly (keyof EventsConfig)[] }
  >
> = {
  redis: { make: redisEvents, settings: ['channel'] },
  'redis-streams': { make: redisStreamEvents, settings: ['stream', ...ofLogs] },
  nats: { make: ({ url, ...options }) => natsEvents({ ...options, servers: url }), settings: ['stream', ...ofLogs] },
  postgres: { make: postgresEvents, settings: ['table', ...ofLogs] },
};

/**
 * Makes the broker that a project file names.
 *
 * @param environment - Where `urlFrom` is looked up.
 * @throws {OptionError} If a setting does not fit.
 */
export function brokerOf(config: EventsConfig, environment: Readonly<Record<string, string | undefined>>) {
  const { broker, url, urlFrom, ...settings } = config;
  const known: readonly string[] =
    broker === 'memory' ? ofLogs : ['url', 'urlFrom', 'timeout', ...brokers[broker].settings];
  const unknown = Object.entries(config).find(
    ([name, value]) => value !== undefined && name !== 'broker' && !known.includes(name),
  );
  if (unknown !== undefined)
    throw new OptionError(`events.${unknown[0]}`, `be absent: the broker ${broker} does not use it`);
  if (broker === 'memory') return memoryEvents(settings);
  if ((url === undefined) === (urlFrom === undefined)) throw new OptionError('events.url', 'be given, or “urlFrom”');
  const found = url ?? environment[urlFrom ?? ''];
  if (found === undefined || found === '') {
    throw new OptionError('events.urlFrom', `name an environment variable that is set; ${urlFrom} is not`);
  }
  return brokers[broker].make({ ...settings, url: found });
}
