import type { CompiledQuery, DatabaseConnection, Dialect, Kysely } from 'kysely';
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
  let row: unknown;
  const connection: DatabaseConnection = {
    async executeQuery({ query, sql }: CompiledQuery) {
      statements.push(sql);
      return { rows: query.kind === 'SelectQueryNode' ? [] : [row as never] };
    },
    async *streamQuery() {},
  };
  const record = (sql: string) => async () => {
    statements.push(sql);
  };
  const nothing = async () => undefined;
  const parts =
    engine === 'sqlite'
      ? ([kysely.SqliteAdapter, kysely.SqliteIntrospector, kysely.SqliteQueryCompiler] as const)
      : ([kysely.PostgresAdapter, kysely.PostgresIntrospector, kysely.PostgresQueryCompiler] as const);
  const [Adapter, Introspector, QueryCompiler] = parts;
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new Introspector(db),
    createQueryCompiler: () => new QueryCompiler(),
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => connection,
      releaseConnection: nothing,
      destroy: nothing,
      beginTransaction: record('begin'),
      commitTransaction: record('commit'),
      rollbackTransaction: record('rollback'),
    }),
  };
  const db: Kysely<StoreRows> = new kysely.Kysely({ dialect });
  const open = async ({ tables }: StoreModel) => {
    // It has the columns of every table.
    row = Object.fromEntries(tables.flatMap(({ columns }) => columns.map(({ name }) => [name, '1'])));
    return db;
  };
  return { engine, isUp: true, open, migrate: nothing as never, close: nothing };
}
