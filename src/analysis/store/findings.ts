import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { readsOf } from './reads.js';
import { storeModelOf } from './tables.js';
import { storeWritesOf } from './writes.js';

/** The findings about the tables of a schema (GG7001), and about the operations that a store does not serve (GG7002). */
export function findStoreProblems(schema: GqlSchema): readonly Diagnostic[] {
  const { model, diagnostics } = storeModelOf(schema);
  // Without a table, its operations are not served: one mistake, one finding.
  if (diagnostics.length > 0) return diagnostics;
  return [...readsOf(schema, model).diagnostics, ...storeWritesOf(schema, model).diagnostics];
}
