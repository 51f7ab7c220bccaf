import type { CatalogTable } from '../../../analysis/store/catalog/catalog.js';
import type { Engine } from '../../../analysis/store/ddl.js';
import { readPostgresCatalog } from './postgres-catalog.js';
import { readSqliteCatalog } from './sqlite-catalog.js';
import type { Run } from './state.js';

const readers = { sqlite: readSqliteCatalog, postgres: readPostgresCatalog };

/** The tables of a database as its catalog describes them. */
export function readCatalog(engine: Engine, run: Run): Promise<readonly CatalogTable[]> {
  return readers[engine](run);
}
