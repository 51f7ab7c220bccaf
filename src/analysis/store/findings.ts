import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { storeModelOf } from './model.js';

/** The findings about the tables of a schema (GG7001), and about the operations that a store does not serve (GG7002). */
export function findStoreProblems(schema: GqlSchema): readonly Diagnostic[] {
  return storeModelOf(schema).diagnostics;
}
