import type { GqlServerOptions } from '../../../../src/index.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';
import { type Database, databaseOf, type Statement } from '../../../../src/runtime/store/database.js';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import type { Store } from '../../../../src/runtime/store/store.js';
import { toDatabase } from '../../../../src/runtime/store/values.js';
import { modelOf } from '../engines.js';

/** A store that counts its statements. */
export function counting(store: Store, statements: string[]): Store {
  let isCounting = false;
  return {
    ...store,
    open: async (model) => {
      const db = await store.open(model);
      if (isCounting) return db;
      isCounting = true;
      const executor = db.getExecutor();
      const { executeQuery } = executor;
      const database = databaseOf(db);
      const { run, transaction } = database;
      Object.assign(database, {
        run: (statement: Statement) => {
          statements.push(statement.sql);
          return run(statement);
        },
        transaction: ((work, cancellation) =>
          transaction((session) => {
            const runLast = (statement: Statement) => {
              statements.push(statement.sql);
              session.runLast(statement);
            };
            return work({ ...session, runLast });
          }, cancellation)) satisfies Database['transaction'],
      });
      executor.executeQuery = (query, ...rest) => {
        statements.push((query as { sql: string }).sql);
        return executeQuery.call(executor, query, ...rest) as never;
      };
      return db;
    },
  };
}

/** A server over a store with the given rows, and the statements of the last request. */
export async function serveRows(
  source: string,
  rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>,
  options: Partial<GqlServerOptions<unknown>> = {},
  store: Store = sqliteStore({ file: ':memory:' }),
) {
  const statements: string[] = [];
  const model = modelOf(source);
  const db = await store.open(model);
  // In the order in which rows refer to one another.
  for (const [name, values] of Object.entries(rows)) {
    const { columns = [] } = model.tables.find((table) => table.name === name) ?? {};
    for (const row of values) {
      const kept = columns.map((one) => [one.name, toDatabase(store.engine, one, row[one.name])]);
      await db.insertInto(name).values(Object.fromEntries(kept)).execute();
    }
  }
  const topologies = [{ name: 'store.gg', source }];
  const server = createGqlServer({ topologies, store: counting(store, statements), ...options });
  const ask = async (
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    principal?: { readonly id: string; readonly roles?: readonly string[] } | null,
  ) => {
    statements.length = 0;
    const { data, errors } = await server.executeOperation({
      query,
      variables,
      ...(principal !== undefined && { principal }),
    });
    return errors === undefined ? data : errors.map(({ message, extensions }) => [extensions?.code, message]);
  };
  return { ask, statements, server };
}
