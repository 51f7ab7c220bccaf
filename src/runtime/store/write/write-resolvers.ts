import type { StoreModel } from '../../../analysis/store/model.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { TypeResolvers } from '../../execute/resolvers/contract.js';
import type { OpenStore } from '../read/select-rows.js';

/** The resolvers of mutations that write rows of stored nodes. */
export function writeResolvers(_schema: GqlSchema, _model: StoreModel, _store: OpenStore): TypeResolvers {
  return {};
}
