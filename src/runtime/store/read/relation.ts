import { KeyedBatch } from '../../execute/resolvers/batch.js';
import type { Source } from './plan.js';

/** A relation: the rows whose `columns` are the columns `own` of the outer row. */
export class StoredRelation extends KeyedBatch {
  constructor(
    readonly source: Source,
    readonly own: readonly string[],
    readonly columns: readonly string[],
    ...more: ConstructorParameters<typeof KeyedBatch>
  ) {
    super(...more);
  }
}

/** The column with the number of all rows, beside the one of this name with those of a page. */
export function countOf(name: string): string {
  return `${name}#`;
}

/** The property of a row that holds the rows of a relation, by the response name of its field. No column has such a name. */
export function heldAs(key: string | number): string {
  return `#${key}`;
}
