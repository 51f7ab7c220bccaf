import type { Kysely } from 'kysely';
import { type Table, tableNamed } from '../../../analysis/store/model.js';
import { owned } from '../read/conditions.js';
import type { StoreRows } from '../store.js';
import { badInput, type GivenRow, type WriteScope } from './given-row.js';

/** Both engines bind at least 32,766 parameters in one statement. */
export const maxParameters = 32_766;

/**
 * Refuses rows that refer to rows of other owners, as if those did not exist: a caller learns nothing of rows that it may
 * not read. Foreign keys refuse references to no row at all.
 */
export async function refuseForeignReferences(
  db: Kysely<StoreRows>,
  scope: WriteScope,
  rows: readonly GivenRow[],
): Promise<void> {
  if (scope.owner === undefined) return;
  const missing = await missingReference(db, scope, rows, ({ owner }) => owner !== undefined);
  if (missing !== undefined) throw namesNothing(missing);
}

/** The answer to a reference that names no row. */
export function namesNothing(path: string): Error {
  return badInput(path, `“${path}” names no object.`);
}

/**
 * The path of the first given value that names no row, or the row of another owner.
 *
 * @param isAsked - Whether references to a table are looked at.
 */
export async function missingReference(
  db: Kysely<StoreRows>,
  { engine, model, owner }: WriteScope,
  rows: readonly GivenRow[],
  isAsked: (table: Table) => boolean = () => true,
): Promise<string | undefined> {
  for (const { name, references } of rows[0]?.table.columns ?? []) {
    const given = rows.flatMap(({ values }) => values.get(name) ?? []).filter(({ value }) => value !== null);
    if (references === undefined || given.length === 0) continue;
    const table = tableNamed(model, references);
    if (!isAsked(table)) continue;
    const owners = table.owner === undefined ? [] : [table.owner];
    // One parameter is the owner.
    const size = maxParameters - 1;
    for (let from = 0; from < given.length; from += size) {
      const some = given.slice(from, from + size);
      const keys = some.map(({ value }) => value);
      const found = await db
        .selectFrom(references)
        .select(table.key)
        .where((is) => is.and([is(table.key, 'in', keys), ...owned(is, engine, table, owners, owner)]))
        .execute();
      const known = new Set(found.map((row) => String(row[table.key])));
      const missing = some.find(({ value }) => !known.has(String(value)));
      if (missing !== undefined) return missing.path;
    }
  }
  return undefined;
}
