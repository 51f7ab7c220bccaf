import { storeModelOf } from '../../analysis/store/model.js';
import { storeWritesOf } from '../../analysis/store/writes.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import type { StoreEvents, StoreOutbox } from '../store/outbox.js';
import { readResolvers } from '../store/read/read-resolvers.js';
import type { Store } from '../store/store.js';
import { writeResolvers } from '../store/write/write-resolvers.js';

/**
 * The resolvers that a store gives to a schema: of the operations that read and write rows, and of the fields that lead
 * to other rows. Those of the user win.
 */
export function storedResolvers(schema: GqlSchema, store: Store) {
  const { model, diagnostics } = storeModelOf(schema);
  const writes = storeWritesOf(schema, model);
  let events: StoreEvents | undefined;
  let loading: Promise<StoreOutbox> | undefined;
  const outbox = () => {
    loading ??= import('../store/outbox.js').then(({ StoreOutbox }) => new StoreOutbox(store, events));
    return loading;
  };
  let last: ReturnType<Store['open']> | undefined;
  const open = () => {
    const opening = store.open(model);
    if (opening !== last && writes.writes.length > 0)
      opening.then(async (db) => (await outbox()).begin(db)).catch(() => undefined);
    last = opening;
    return opening;
  };
  const opened = { engine: store.engine, open };
  return {
    resolvers: {
      ...readResolvers(schema, model, opened),
      Mutation: writeResolvers(writes, { ...opened, model, outbox }),
    } as Resolvers,
    diagnostics: [...diagnostics, ...writes.diagnostics],
    open,
    /** Says where the events of mutations go, before the first one. */
    connect(given: StoreEvents): void {
      events = given;
    },
    close: async () => (await loading)?.close(),
  };
}
