import { storeModelOf } from '../../analysis/store/model.js';
import { storeWritesOf } from '../../analysis/store/writes.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
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
  const open = () => store.open(model);
  const opened = { engine: store.engine, open };
  return {
    resolvers: {
      ...readResolvers(schema, model, opened),
      Mutation: writeResolvers(writes, model, opened),
    } as Resolvers,
    diagnostics: [...diagnostics, ...writes.diagnostics],
    open,
  };
}
