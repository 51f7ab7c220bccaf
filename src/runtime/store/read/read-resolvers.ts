import type { Kysely } from 'kysely';
import type { StoreModel } from '../../../analysis/store/model.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../../execute/resolvers/contract.js';
import type { Store, StoreRows } from '../store.js';

/** The database of a running server. */
export interface OpenStore {
  readonly engine: Store['engine'];
  readonly open: () => Promise<Kysely<StoreRows>>;
}

/** The resolvers of queries into stored nodes, and of the fields of stored nodes that lead to other rows. */
export function readResolvers(_schema: GqlSchema, _model: StoreModel, _store: OpenStore): Resolvers {
  return {};
}
