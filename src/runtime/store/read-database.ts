import { withRelations } from '../../analysis/store/catalog/draft-of-model.js';
import { type CatalogModel, modelOfCatalog } from '../../analysis/store/catalog/model-of-catalog.js';
import { loadPeer } from '../load/load-peer.js';
import { readCatalog } from './catalog/read-catalog.js';
import { type Run, readState } from './catalog/state.js';
import { silently } from './sqlite.js';
import type { Store } from './store.js';

/** The tables of a database with their relations: those that a topology gave it, or what its catalog tells. */
async function readModel(engine: Store['engine'], run: Run): Promise<CatalogModel> {
  const { version, model: kept } = await readState(engine, run);
  const { model, ...found } =
    version > 0 ? { model: kept, scalars: {}, losses: [] } : modelOfCatalog(engine, await readCatalog(engine, run));
  return { ...found, model: withRelations(model) };
}

/** Reads the tables of a file of SQLite, which is opened for reading alone. */
export async function readSqliteFile(file: string): Promise<CatalogModel> {
  const { DatabaseSync } = await silently(() => import('node:sqlite'));
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // One snapshot for all statements.
    database.exec('BEGIN');
    return await readModel('sqlite', async (sql, ...parameters) =>
      database.prepare(sql).all(...(parameters as never[])),
    );
  } finally {
    database.close();
  }
}

/** Reads the tables of a schema of PostgreSQL in a transaction that cannot write. */
export async function readPostgresSchema(url: string): Promise<CatalogModel> {
  const { default: pg } = await loadPeer(['pg'], () => import('pg'));
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gg-svc import',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await readModel('postgres', async (sql, ...parameters) => (await client.query(sql, [...parameters])).rows);
  } finally {
    await client.end();
  }
}
