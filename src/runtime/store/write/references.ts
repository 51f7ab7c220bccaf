import { foreignKeysOf, keysOf, type Table, tableNamed } from '../../../analysis/store/model.js';
import type { Session } from '../database.js';
import { keyText, owned, tested, testOf } from '../read/conditions.js';
import { badInput, type GivenRow, type WriteScope } from './given-row.js';

/** Both engines bind at least 32,766 parameters in one statement. */
export const maxParameters = 32_766;

/**
 * Refuses rows that refer to rows of other owners, as if those did not exist: a caller learns nothing of rows that it may
 * not read. Foreign keys refuse references to no row at all.
 */
export async function refuseForeignReferences(
  session: Session,
  scope: WriteScope,
  rows: readonly GivenRow[],
): Promise<void> {
  if (scope.owner === undefined) return;
  const missing = await missingReference(session, scope, rows, ({ owner }) => owner !== undefined);
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
  session: Session,
  { engine, model, owner }: WriteScope,
  rows: readonly GivenRow[],
  isAsked: (table: Table) => boolean = () => true,
): Promise<string | undefined> {
  const [first] = rows;
  for (const { columns, to } of first === undefined ? [] : foreignKeysOf(first.table)) {
    const table = tableNamed(model, to);
    const given = rows.flatMap((row) => referenceOf(row, columns) ?? []);
    if (given.length === 0 || !isAsked(table)) continue;
    const owners = table.owner === undefined ? [] : [table.owner];
    const keys = keysOf(table);
    // One parameter is the owner.
    const size = Math.floor((maxParameters - 1) / keys.length);
    for (let from = 0; from < given.length; from += size) {
      const some = given.slice(from, from + size);
      const among = testOf(
        keys,
        some.map(({ key }) => key),
      );
      const query = session.db
        .selectFrom(to)
        .select([...keys])
        .where((is) => is.and([...tested(is, engine, [among]), ...owned(is, engine, table, owners, owner)]));
      const found = await session.run(query.compile());
      const known = new Set(found.map((row) => keyText(keys.map((name) => row[name]))));
      const missing = some.find(({ key }) => !known.has(keyText(key)));
      if (missing !== undefined) return missing.path;
    }
  }
  return undefined;
}

/** The key that the columns of a foreign key hold; undefined if callers gave none of them, or one is null. */
function referenceOf({ values, rest }: GivenRow, columns: readonly string[]) {
  const path = columns.map((name) => values.get(name)?.path).findLast((given) => given !== undefined);
  if (path === undefined) return undefined;
  const key = columns.map((name) => (values.has(name) ? values.get(name)?.value : rest[name]));
  return key.some((value) => value === undefined || value === null) ? undefined : { path, key };
}
