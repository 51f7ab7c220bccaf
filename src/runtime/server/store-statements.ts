import type { Dialect, Kysely } from 'kysely';
import type { StoreModel } from '../../analysis/store/model.js';
import { exampleArguments, isExemplary } from '../../compiler/api/examples.js';
import type { GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { createEventHub } from '../brokers/event-hub.js';
import { carryInMemory, memoryEvents } from '../brokers/memory.js';
import { compileDocuments } from '../call/named/operation.js';
import { createExecution } from '../execute/execution.js';
import { Outbox } from '../execute/resolvers/operation-root.js';
import { resolveLimits } from '../limits/limits.js';
import { loadPeer } from '../load/load-peer.js';
import { type DatabaseRow, type Statement, withDatabase } from '../store/database.js';
import type { Store, StoreRows } from '../store/store.js';
import { storedResolvers } from './stored-resolvers.js';

/**
 * The statements by which a store serves an operation with the default fields of REST, with an example of each argument.
 * Empty if the store does not serve it.
 */
export async function storeStatements(
  schema: GqlSchema,
  operation: GqlOperation,
  engine: Store['engine'],
): Promise<readonly string[]> {
  const statements: string[] = [];
  const store = await recordingStore(engine, statements);
  const { resolvers } = storedResolvers(schema, store, []);
  // The database has no rows, so the result may be an error.
  const monitor = { fault: () => undefined, notice: () => undefined };
  const events = createEventHub(carryInMemory(memoryEvents()), monitor);
  const execution = createExecution(schema, [resolvers], { limits: resolveLimits({}, false), events });
  const args = operation.arguments.filter((argument) => isExemplary(operation, argument));
  await execution.run(
    {
      document: compileDocuments(schema, operation, execution, false)(undefined),
      variableValues: exampleArguments(schema, args),
      outbox: operation.kind === 'mutation' ? new Outbox() : undefined,
      owner: { id: '1', owns: () => true },
    },
    false,
  );
  return statements;
}

/** A store without a database, which records its statements. A statement that writes gives one row. */
async function recordingStore(engine: Store['engine'], statements: string[]): Promise<Store> {
  const kysely = await loadPeer(['kysely'], () => import('kysely'));
  let row: DatabaseRow = {};
  const run = async ({ sql }: Statement) => {
    statements.push(sql);
    return sql.startsWith('select') ? [] : [row];
  };
  const parts =
    engine === 'sqlite'
      ? ([kysely.SqliteAdapter, kysely.SqliteIntrospector, kysely.SqliteQueryCompiler] as const)
      : ([kysely.PostgresAdapter, kysely.PostgresIntrospector, kysely.PostgresQueryCompiler] as const);
  const [Adapter, Introspector, QueryCompiler] = parts;
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new Introspector(db),
    createQueryCompiler: () => new QueryCompiler(),
    createDriver: () => new kysely.DummyDriver(),
  };
  const db: Kysely<StoreRows> = withDatabase({
    db: new kysely.Kysely<StoreRows>({ dialect }),
    run,
    async transaction(work) {
      const last: Statement[] = [];
      statements.push('begin');
      const result = await work({ db, run, runLast: (statement) => void last.push(statement) });
      for (const statement of last) await run(statement);
      statements.push('commit');
      return result;
    },
  });
  const open = async ({ tables }: StoreModel) => {
    // It has the columns of every table.
    row = Object.fromEntries(tables.flatMap(({ columns }) => columns.map(({ name }) => [name, '1'])));
    return db;
  };
  return { engine, isUp: true, open, migrate: undefined as never, close: async () => undefined };
}
