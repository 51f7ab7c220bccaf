import { GraphQLError } from 'graphql';
import { nameOf } from '../../../analysis/store/ddl.js';
import type { Column, Table } from '../../../analysis/store/model.js';
import { fragmentOf } from '../../../base/source/json-pointer.js';
import type { GivenRow } from './given-row.js';

/** The rules that a database holds rows to. */
export type Rule = 'unique' | 'reference' | 'value';

/** Thrown if a statement broke a rule of the database. It has the rows that the statement wrote, for the answer. */
export class Violated extends Error {
  override readonly name = 'Violated';

  constructor(
    readonly rule: Rule,
    readonly table: Table,
    readonly column: Column | undefined,
    readonly rows: readonly GivenRow[],
    options: ErrorOptions,
  ) {
    super(`${table.name} broke a rule of the database: ${rule}`, options);
  }
}

/** Runs a statement. Throws a {@link Violated} if it breaks a rule of the database. */
export async function run<T>(
  table: Table,
  rows: readonly GivenRow[],
  statement: () => Promise<T>,
): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    const { rule, name } = ruleOf(error as DatabaseError) ?? {};
    if (rule === undefined) throw error;
    throw new Violated(rule, table, columnNamed(table, name), rows, { cause: error });
  }
}

/** An error of `node:sqlite`, with the extended result code, or of `pg`, with the SQLSTATE. */
interface DatabaseError {
  readonly message?: string;
  readonly errcode?: number;
  readonly code?: string;
  readonly constraint?: string;
}

function ruleOf({ message = '', errcode, code = '', constraint }: DatabaseError) {
  if (errcode !== undefined) {
    const rule = sqliteRules.get(errcode);
    // `UNIQUE constraint failed: user.email`: the name is the last word.
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

/** The column that the name of a constraint means: `user.email` in SQLite, `user_pkey` of a key in PostgreSQL. */
function columnNamed(table: Table, name: string | undefined): Column | undefined {
  const isNamed = (column: Column) =>
    name === `${table.name}.${column.name}` ||
    (['unique', 'check', 'fkey'] as const).some((what) => name === nameOf(table, column, what)) ||
    (name === `${table.name}_pkey` && column.name === table.key);
  return table.columns.find(isNamed);
}

/** The answer about a value that callers gave. */
export function badInput(path: string, detail: string): GraphQLError {
  const code = 'BAD_USER_INPUT';
  const errors = [{ pointer: fragmentOf(path), detail, code }];
  return new GraphQLError(detail, { extensions: { code, parameter: path, errors } });
}
