import { diagnose } from '../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { wholeFile } from '../../base/source/span.js';
import { proceed } from '../../base/values/maybe-promise.js';
import { readProperty } from '../../base/values/read-property.js';
import { partitionField } from '../../compiler/api/partition-field.js';
import { remember } from '../../compiler/graph/maps.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { LruMap } from '../limits/lru-map.js';
import type { BrokerEvent, BrokerListener, BrokerState, EventBroker, SharedLog } from './broker.js';
import type { EventCarrier } from './event-hub.js';
import { type EventLog, fnv1a } from './event-log.js';
import { inPartition, maxPartitions, PartitionedLog, vectorOf } from './partitioned-log.js';

/** The number of published events whose receipts stay the same when they are published again. */
const mostReceipts = 10_000;

/**
 * Makes a part for each partition; a single one is used as it is. The number is a power of two, so that a key that moves
 * because the number has grown moves to a partition with a higher number.
 *
 * @throws {OptionError} If there cannot be that many.
 */
export function partitioned<Part, Whole>(
  count: number,
  make: (at: number) => Part,
  join: (parts: readonly Part[]) => Whole,
): Part | Whole {
  if (!Number.isInteger(count) || count < 1 || count > maxPartitions || (count & (count - 1)) !== 0)
    throw new OptionError('events.partitions', `be a power of two from 1 to ${maxPartitions}`);
  return count === 1 ? make(0) : join(Array.from({ length: count }, (_, at) => make(at)));
}

/** The names of the streams or tables of a log. */
export interface PartitionNames {
  readonly log: string;
  /** The name of the partition. The first one is the log of a service without partitions. */
  readonly own: string;
  /** For the last partition: the name of the next one, which exists if other processes have more. */
  readonly next: string | undefined;
}

/** What stands between the name of a log and that of its partition, by the broker. */
const separators = { 'redis-streams': ':', nats: '-', postgres: '_' } as const;

export function partitionNames(
  log: string,
  at: number,
  count: number,
  broker: keyof typeof separators,
): PartitionNames {
  const nameOf = (one: number): string => (one === 0 ? log : `${log}${separators[broker]}p${one}`);
  return { log, own: nameOf(at), next: at === count - 1 ? nameOf(count) : undefined };
}

/** The error of a process that would neither get nor publish the events of all partitions. */
export function tooFewPartitions(log: string, count: number): Error {
  const { code, message, hint } = diagnose('GG5073', { log, count }, wholeFile(log));
  return new Error(`${code} ${message} ${hint}`);
}

function partitionOf(key: string, count: number): number {
  return fnv1a(key) % count;
}

/** A broker whose events are in several logs. Each is a broker of its own; events of one key are in one log. */
export class PartitionedBroker implements EventBroker {
  readonly name: string;
  readonly shared: SharedLog | undefined;

  /** @param partitions - At least one. */
  constructor(readonly partitions: readonly EventBroker[]) {
    const [first] = partitions as readonly [EventBroker];
    this.name = first.name;
    this.shared = first.shared && {
      url: first.shared.url,
      statementsOf: (events) => {
        const parts = new Map<number, BrokerEvent[]>();
        for (const event of events) remember(parts, this.#partitionOf(event), () => []).push(event);
        // All transactions lock the ends of the logs in one order.
        const given = [...parts].sort(([one], [other]) => one - other);
        const statements = given.map(([at, some]) => partitions[at]?.shared?.statementsOf(some));
        return statements.includes(undefined) ? undefined : statements.flatMap((some) => some ?? []);
      },
    };
  }

  /** The worst of all connections. */
  get state(): BrokerState {
    const states = this.partitions.map(({ state }) => state);
    return states.reduce((worst, state) =>
      gravity.indexOf(state.status) > gravity.indexOf(worst.status) ? state : worst,
    );
  }

  publish(event: BrokerEvent): ReturnType<EventBroker['publish']> {
    return (this.partitions[this.#partitionOf(event)] as EventBroker).publish(event);
  }

  async listen(listener: BrokerListener): Promise<void> {
    await Promise.all(this.partitions.map((partition) => partition.listen(listener)));
  }

  async close(): Promise<void> {
    await Promise.all(this.partitions.map((partition) => partition.close()));
  }

  #partitionOf({ key, subscription }: BrokerEvent): number {
    return partitionOf(key ?? subscription, this.partitions.length);
  }
}

const gravity: readonly BrokerState['status'][] = ['connected', 'refusing', 'reconnecting', 'connecting'];

/** The key of an event, from its subscription and its value. */
type KeyOf = (subscription: string, payload: unknown) => string;

/** The keys of the events of a schema. Events without a key keep the order of their subscription. */
export function partitionKeys(schema: GqlSchema): KeyOf {
  const fields = new Map(schema.subscriptions.map((operation) => [operation.name, partitionField(schema, operation)]));
  return (subscription, payload) => {
    const field = fields.get(subscription);
    if (field === undefined) return subscription;
    try {
      // The JSON form, so that 5 and “5” are the same ID, and a broker finds the same key.
      const value: unknown = JSON.parse(JSON.stringify(readProperty(payload, field)));
      return typeof value === 'object' ? subscription : String(value);
    } catch {
      return subscription;
    }
  };
}

/**
 * Carries events over several carriers that keep events, each with a partition of them.
 *
 * @param shared - The log of a transaction, if the events are in tables.
 */
export function carryOverPartitions(carriers: readonly EventCarrier[], keyOf: KeyOf, shared?: SharedLog): EventCarrier {
  const [first] = carriers as readonly [EventCarrier];
  const log = new PartitionedLog(carriers.map((carrier) => carrier.log as EventLog));
  /** The places before an event, by its id: all later events of other partitions come after them. */
  const before = new LruMap<string, readonly string[]>(mostReceipts);
  const placesBefore = (id: string): readonly string[] => {
    const places = before.get(id) ?? log.places;
    before.set(id, places);
    return places;
  };
  return {
    ...(first.system !== undefined && { system: first.system }),
    log,
    shared: shared && {
      ...shared,
      statementsOf: (events) =>
        shared.statementsOf(
          events.map((event) => {
            placesBefore(event.id);
            return { ...event, key: keyOf(event.subscription, JSON.parse(event.payload)) };
          }),
        ),
    },
    publish(subscription, payload, id) {
      const at = partitionOf(keyOf(subscription, payload), carriers.length);
      const places = id === undefined ? log.places : placesBefore(id);
      const publishing = (carriers[at] as EventCarrier).publish(subscription, payload, id);
      return proceed(publishing, (receipt) => receipt && vectorOf(at, receipt, places));
    },
    follow(subscription, listener) {
      const stops = carriers.map((carrier, at) =>
        carrier.follow(subscription, {
          event: (payload, place, traceparent) =>
            listener.event(payload, place && inPartition(at, place, log.places), traceparent),
          gap: (missing) => listener.gap(missing),
        }),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    opening() {
      const openings = carriers.flatMap((carrier) => carrier.opening() ?? []);
      return openings.length === 0 ? undefined : Promise.all(openings).then(() => undefined);
    },
  };
}
