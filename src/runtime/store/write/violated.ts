import { nameOf } from '../../../analysis/store/ddl.js';
import { type Column, keysOf, type Table } from '../../../analysis/store/model.js';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import type { GivenRow } from './given-row.js';

/** The rules that a database holds rows to. */
export type Rule = 'unique' | 'reference' | 'value';

/** Thrown if a statement broke a rule of the database. It has the rows that the statement wrote, for the answer. */
export class Violated extends Error {
  override readonly name = 'Violated';

  constructor(
    readonly rule: Rule,
    readonly table: Table,
    /** The columns that the rule is about; empty if they are unknown. */
    readonly columns: readonly string[],
    readonly rows: readonly GivenRow[],
    options: ErrorOptions,
  ) {
    super(`${table.name} broke a rule of the database: ${rule}`, options);
  }
}

/** Runs a statement. Throws a {@link Violated} if it breaks a rule of the database. */
export async function run<T>(table: Table, rows: readonly GivenRow[], statement: () => MaybePromise<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    const { rule, name } = ruleOf(error as DatabaseError) ?? {};
    if (rule === undefined) throw error;
    throw new Violated(rule, table, columnsNamed(table, name), rows, { cause: error });
  }
}

/** An error of `node:sqlite`, with the extended result code, or of `pg`, with the SQLSTATE. */
interface DatabaseError {
  readonly message?: string;
  readonly errcode?: number;
  readonly code?: string;
  readonly constraint?: string;
}

/** The rule that an error is about, and the name that the database gives it; undefined for other errors. */
export function ruleOf({ message = '', errcode, code = '', constraint }: DatabaseError) {
  if (errcode !== undefined) {
    const rule = sqliteRules.get(errcode);
    // `UNIQUE constraint failed: user.email, user.name`: the names stand behind the colon.
    return rule && { rule, name: message.slice(message.lastIndexOf(': ') + 2) };
  }
  const rule = postgresRules.get(code) ?? postgresRules.get(code.slice(0, 2));
  return rule && { rule, name: constraint };
}

/** https://sqlite.org/rescode.html#extrc */
const sqliteRules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [2067, 'unique'],
  [1555, 'unique'],
  [787, 'reference'],
  [1811, 'reference'],
  [275, 'value'],
  [1299, 'value'],
  [3091, 'value'],
  // SQLITE_TOOBIG
  [18, 'value'],
]);

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['23505', 'unique'],
  ['23503', 'reference'],
  ['23001', 'reference'],
  ['23514', 'value'],
  ['23502', 'value'],
  // Data exceptions, and values that exceed a limit, such as that of an index.
  ['22', 'value'],
  ['54', 'value'],
]);

/** The columns of the rule with a name: `user.email` in SQLite, `user_pkey` of a key in PostgreSQL. */
export function columnsNamed(table: Table, name: string | undefined): readonly string[] {
  const keys = keysOf(table);
  if (name === `${table.name}_pkey`) return keys;
  const isNamed = ({ name: column }: Pick<Column, 'name'>) =>
    (['unique', 'check', 'fkey'] as const).some((what) => name === nameOf(table, { name: column }, what));
  const wide = (table.foreignKeys ?? []).map(({ columns }) => columns);
  const rules = [...table.columns.map((column) => [column.name]), keys, ...(table.uniques ?? []), ...wide];
  return (
    rules.find(
      (columns) =>
        name === columns.map((column) => `${table.name}.${column}`).join(', ') || isNamed({ name: columns.join() }),
    ) ?? []
  );
}
