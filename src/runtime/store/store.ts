import type { Kysely } from 'kysely';
import type { StoreModel } from '../../analysis/store/model.js';

/** The rows of a store, by table; `gg-svc types` writes their types. */
// biome-ignore lint/suspicious/noExplicitAny: the tables are those of the topology, which this package does not know.
export type StoreRows = Record<string, Record<string, any>>;

/** The database behind an API, which keeps the rows of the nodes with the label `Stored`: `sqliteStore` or `postgresStore`. */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Opens the database at the first call, and gives Kysely over it, with the tables of the model. Its values are those
   * of the engine; `toDatabase` and `fromDatabase` convert them. An empty database gets its tables.
   *
   * @param model - The tables of the topology, for the kinds of their columns.
   * @throws {StoreError} If the database is away, or not in step with the topology.
   */
  open(model: StoreModel): Promise<Kysely<StoreRows>>;
  /** Closes the database. It can be opened again. */
  close(): Promise<void>;
}
