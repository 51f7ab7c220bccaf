import type { Engine } from '../../../analysis/store/ddl.js';
import type { Step } from '../../../analysis/store/migrations/table-change.js';
import type { StoreModel } from '../../../analysis/store/model.js';

/** Runs one statement, and gives its rows. */
export type Run = (sql: string, ...parameters: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

/** The database's record of itself: the model that its tables were made from, and the unfinished steps. */
export interface State {
  /** 0 without a table of the state. */
  readonly version: number;
  readonly model: StoreModel;
  readonly pending: readonly Step[];
  /** The model for which the tables are expanded, with the steps that remain; absent if they are not. */
  readonly next?: { readonly model: StoreModel; readonly steps: readonly Step[] };
}

/** Whether a database has a table of the store itself. */
export async function hasTable(engine: Engine, run: Run, table: string): Promise<boolean> {
  const found =
    engine === 'sqlite'
      ? `SELECT 1 FROM sqlite_schema WHERE name = '${table}'`
      : `SELECT 1 WHERE to_regclass('${table}') IS NOT NULL`;
  return (await run(found)).length > 0;
}

/** Reads the state of a database: a row about its tables, and one about those that they are expanded for. */
export async function readState(engine: Engine, run: Run): Promise<State> {
  const [row, next] = (await hasTable(engine, run, 'gg_svc_store'))
    ? await run('SELECT version, model, pending FROM gg_svc_store ORDER BY id')
    : [];
  if (row === undefined) return { version: 0, model: { tables: [] }, pending: [] };
  return {
    version: Number(row.version),
    ...readRow(row),
    ...(next && { next: { model: readRow(next).model, steps: readRow(next).pending } }),
  };
}

function readRow({ model, pending }: Record<string, unknown>): Pick<State, 'model' | 'pending'> {
  return { model: JSON.parse(String(model)), pending: JSON.parse(String(pending)) };
}
