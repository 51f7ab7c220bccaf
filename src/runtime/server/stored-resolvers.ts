import { storeModelOf } from '../../analysis/store/model.js';
import { storeWritesOf } from '../../analysis/store/writes.js';
import { eventsOfMutations } from '../../compiler/api/chains/chains.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import { StoreOutbox } from '../store/outbox.js';
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
  const outbox = new StoreOutbox(store);
  const open = () => {
    const opening = store.open(model);
    if (writes.writes.length > 0) outbox.begin(opening);
    return opening;
  };
  const opened = { engine: store.engine, open };
  const events = eventsOfMutations(schema);
  const eventsOf = (mutation: string) => (events.get(mutation) ?? []).map(({ name }) => name);
  return {
    resolvers: {
      ...readResolvers(schema, model, opened),
      Mutation: writeResolvers(writes, eventsOf, { ...opened, model, outbox }),
    } as Resolvers,
    diagnostics: [...diagnostics, ...writes.diagnostics],
    open,
    outbox,
  };
}
