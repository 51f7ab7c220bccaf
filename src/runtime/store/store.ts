import type { Kysely } from 'kysely';
import type { MigrationPlan } from '../../analysis/store/migrations/plan.js';
import type { StoreModel } from '../../analysis/store/model.js';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { SharedLog } from '../brokers/broker.js';
import type { EventHub } from '../brokers/event-hub.js';
import type { Refusal } from '../execute/errors/mask-errors.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import type { Monitor } from '../logs/monitor.js';

/** The rows of a store, by table; `gg-svc types` writes their types. */
// biome-ignore lint/suspicious/noExplicitAny: the tables are those of the topology, which this package does not know.
export type StoreRows = Record<string, Record<string, any>>;

/** Options of {@link Store.migrate}. */
export interface MigrateOptions {
  /** Whether the steps are taken, and not only found. Default: false. */
  readonly apply?: boolean;
  /** Whether a step may delete values: drop a table or a column. Default: false. */
  readonly allowLoss?: boolean;
  /**
   * Whether only those steps are taken on whose tables programs with the old and with the new topology can both run; the
   * next `apply` takes the others. For PostgreSQL. Default: false.
   */
  readonly expand?: boolean;
}

/** The steps of {@link Store.migrate}. */
export interface Migration extends MigrationPlan {
  /** How often the tables were changed; 0 for an empty database. */
  readonly version: number;
  /** Whether the steps were taken. */
  readonly isApplied: boolean;
  /** Whether programs can run before the steps, because the tables are expanded; absent if they cannot. */
  readonly isServed?: true;
}

/** Where a server publishes the events of the outbox. */
export interface StoreEvents {
  readonly publish: EventHub['publish'];
  readonly monitor: Monitor;
  /** The log of the broker that is a table; undefined if events must pass others before they are stored. */
  readonly log: SharedLog | undefined;
}

/** The contribution of a store to the projection of a schema. */
export interface ServedStore {
  readonly resolvers: Resolvers;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if it has no database. */
  readonly open?: () => Promise<Kysely<StoreRows>>;
  /** The answer to a statement of a resolver that broke a rule of the database; undefined for other errors. */
  readonly refusal?: (error: unknown) => Refusal | undefined;
  /** Says where the events of mutations go, before the first one. */
  readonly connect?: (events: StoreEvents) => void;
  /** Ends what publishes the events of mutations. */
  readonly close?: () => Promise<void>;
}

/**
 * The database behind an API, which keeps the rows of the nodes with the label `Stored`: `sqliteStore` or
 * `postgresStore`.
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  /** The URL of the database; absent for a file. */
  readonly url?: string | undefined;
  /** The file of SQLite; absent for PostgreSQL. */
  readonly file?: string | undefined;
  /**
   * Opens the database at the first call, and gives Kysely over it, with the tables of the model. Its values are those
   * of the engine; `toDatabase` and `fromDatabase` convert them. An empty database gets its tables.
   *
   * @param model - The tables of the topology, for the kinds of their columns.
   * @throws {StoreError} If the database is away, or not in step with the topology.
   */
  open(model: StoreModel): Promise<Kysely<StoreRows>>;
  /**
   * Finds the steps from the tables that the database has to those of a model, and with `apply` takes them.
   *
   * @throws {StoreError} If the database is away, or a step fails. SQLite is as it was then; a later call finishes what
   *   PostgreSQL has begun.
   */
  migrate(model: StoreModel, options?: MigrateOptions): Promise<Migration>;
  /**
   * Serves a schema in a way of its own: the operations of stored nodes, unless it says otherwise.
   *
   * @internal
   */
  readonly serve?: (schema: GqlSchema, given: readonly Resolvers[]) => ServedStore;
  /** Whether the database answers: false from a failed connection on, until it answers again. */
  readonly isUp: boolean;
  /** Closes the database. It can be opened again. */
  close(): Promise<void>;
}
