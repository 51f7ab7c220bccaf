import type { CatalogIndex, CatalogReference, CatalogTable } from '../../../analysis/store/catalog/catalog.js';
import type { Run } from './state.js';

/** Reads the tables and views of a SQLite database, without those of SQLite and the store. */
export async function readSqliteCatalog(run: Run): Promise<readonly CatalogTable[]> {
  const objects = await run(
    `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'gg\\_svc\\_%' ESCAPE '\\' ORDER BY name`,
  );
  const tables: CatalogTable[] = [];
  for (const { type, name: given, sql } of objects) {
    if (type !== 'table' && type !== 'view') continue;
    const name = String(given);
    const found = await run('SELECT * FROM pragma_table_xinfo(?) ORDER BY cid', name);
    const keys = found.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    const triggers = objects.filter((one) => one.type === 'trigger' && one.tbl_name === given);
    tables.push({
      name,
      columns: found.map((column) => ({
        name: String(column.name),
        type: String(column.type),
        isNullable: Number(column.notnull) === 0,
        ...(column.dflt_value !== null && { fallback: String(column.dflt_value) }),
        ...(Number(column.hidden) > 0 && { isComputed: true }),
      })),
      key: keys.map((column) => String(column.name)),
      indexes: await indexesOf(run, name),
      references: await referencesOf(run, name),
      checks: checksIn(String(sql)).map((check) => ({ sql: check })),
      others: triggers.map((trigger) => `trigger ${String(trigger.name)}`),
      ...(type === 'view' && { isView: true }),
    });
  }
  return tables;
}

async function indexesOf(run: Run, table: string): Promise<readonly CatalogIndex[]> {
  const indexes: CatalogIndex[] = [];
  for (const { name, unique, origin, partial } of await run(
    'SELECT * FROM pragma_index_list(?) ORDER BY name',
    table,
  )) {
    if (origin === 'pk') continue;
    const columns = await run('SELECT name FROM pragma_index_info(?) ORDER BY seqno', String(name));
    const isExpression = columns.some((column) => column.name === null);
    indexes.push({
      name: String(name),
      columns: isExpression ? [] : columns.map((column) => String(column.name)),
      isUnique: Number(unique) === 1,
      isPartial: Number(partial) === 1,
      isConstraint: origin === 'u',
    });
  }
  return indexes;
}

async function referencesOf(run: Run, table: string): Promise<readonly CatalogReference[]> {
  const keys = new Map<number, CatalogReference>();
  const rows = await run(
    'SELECT id, seq, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    table,
  );
  for (const { id, table: other, from, to, on_update, on_delete } of rows) {
    const last = keys.get(Number(id));
    const actions = [
      ['DELETE', on_delete],
      ['UPDATE', on_update],
    ].flatMap(([event, action]) => (action === 'NO ACTION' || action === 'RESTRICT' ? [] : [`ON ${event} ${action}`]));
    keys.set(Number(id), {
      table: String(other),
      columns: [...(last?.columns ?? []), String(from)],
      // Without columns, it leads to the primary key.
      to: [...(last?.to ?? []), ...(to === null ? [] : [String(to)])],
      ...(actions.length > 0 && { action: actions.join(' ') }),
    });
  }
  return [...keys.values()];
}

/** The conditions of CHECK in CREATE TABLE, which no pragma tells. */
function checksIn(sql: string): readonly string[] {
  const checks: string[] = [];
  let start = -1;
  let depth = 0;
  let from = 0;
  for (const { 0: part, index } of sql.matchAll(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\bCHECK\b|[()]/gi,
  )) {
    if (/^check$/i.test(part) && start < 0) {
      start = index;
      from = depth;
    } else if (part === '(') depth++;
    else if (part === ')') {
      depth--;
      if (start < 0 || depth !== from) continue;
      checks.push(sql.slice(sql.indexOf('(', start) + 1, index));
      start = -1;
    }
  }
  return checks;
}
