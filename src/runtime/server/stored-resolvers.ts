import type { CompiledQuery } from 'kysely';
import { readsOf } from '../../analysis/store/reads.js';
import { storeModelOf } from '../../analysis/store/tables.js';
import { storeWritesOf } from '../../analysis/store/writes.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import { lookUpResolvers } from '../execute/resolvers/given-resolvers.js';
import { LruMap } from '../limits/lru-map.js';
import { type Database, databaseOf } from '../store/database.js';
import type { StoreOutbox } from '../store/outbox.js';
import { readResolvers } from '../store/read/read-resolvers.js';
import type { Store, StoreEvents } from '../store/store.js';
import { refusalOf } from '../store/write/refusal.js';
import { writeResolvers } from '../store/write/write-resolvers.js';

/** The maximum number of statements that a server keeps; each connection keeps its own prepared ones. */
const mostStatements = 500;

/**
 * The resolvers that a store gives to a schema: of the operations that read and write rows, and of the fields that lead
 * to other rows. Those of the user win.
 *
 * @param given - The resolvers of the user.
 */
export function storedResolvers<TContext>(schema: GqlSchema, store: Store, given: readonly Resolvers<TContext>[]) {
  const { model, diagnostics } = storeModelOf(schema);
  const { has } = lookUpResolvers(given, schema);
  const isGiven = (coordinate: string) => has(...(coordinate.split('.') as [string, string]));
  const reads = readsOf(schema, model, isGiven);
  const writes = storeWritesOf(schema, model, isGiven);
  let events: StoreEvents | undefined;
  let loading: MaybePromise<StoreOutbox> | undefined;
  const outbox = () => {
    loading ??= import('../store/outbox.js').then(({ StoreOutbox }) => {
      loading = new StoreOutbox(store, events);
      return loading;
    });
    return loading;
  };
  let last: ReturnType<Store['open']> | undefined;
  let database: MaybePromise<Database> | undefined;
  const open = () => {
    const opening = store.open(model);
    if (opening !== last || database === undefined) {
      if (writes.writes.length > 0) opening.then(async (db) => (await outbox()).begin(db)).catch(() => undefined);
      last = opening;
      database = opening.then((db) => {
        const found = databaseOf(db);
        // Requests do not wait for a database that is open.
        if (opening === last) database = found;
        return found;
      });
    }
    return database;
  };
  const statements = new LruMap<string, CompiledQuery>(mostStatements);
  const opened = { engine: store.engine, statements, open };
  return {
    resolvers: {
      ...readResolvers(schema, model, reads.reads, opened),
      Mutation: writeResolvers(writes, { ...opened, model, outbox }),
    } as Resolvers,
    diagnostics: [...diagnostics, ...reads.diagnostics, ...writes.diagnostics],
    open: async () => (await open()).db,
    refusal: (error: unknown) => refusalOf(model, error),
    /** Says where the events of mutations go, before the first one. */
    connect(destination: StoreEvents): void {
      events = destination;
    },
    close: async () => (await loading)?.close(),
  };
}
