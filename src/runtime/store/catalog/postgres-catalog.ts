import type { CatalogIndex, CatalogTable } from '../../../analysis/store/catalog/catalog.js';
import type { Run } from './state.js';

/** Reads the tables and views of the current schema of PostgreSQL, without those of the store. */
export async function readPostgresCatalog(run: Run): Promise<readonly CatalogTable[]> {
  const tables = await run(`
    SELECT c.oid::text AS id, c.relname AS name, c.relkind IN ('v', 'm', 'f') AS view
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT c.relispartition AND c.relname NOT LIKE 'gg\\_svc\\_%'
    ORDER BY c.relname COLLATE "C"`);
  const [columns, indexes, constraints, triggers] = [
    await run(`
      SELECT a.attrelid::text AS id, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
        a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS fallback,
        a.attgenerated <> '' OR a.attidentity = 'a' AS computed, a.attidentity <> '' AS identity,
        (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder)::text FROM pg_enum e WHERE e.enumtypid = a.atttypid) AS labels
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attrelid, a.attnum`),
    await run(`
      SELECT i.indrelid::text AS id, c.relname AS name, i.indisprimary AS primary, i.indisunique AS unique,
        i.indpred IS NOT NULL OR NOT i.indisvalid AS partial,
        EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid AND o.contype IN ('u', 'x')) AS constrained,
        (SELECT json_agg(a.attname ORDER BY k.n)::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(at, n)
          LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.at AND k.at > 0) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace
      ORDER BY c.relname COLLATE "C"`),
    await run(`
      SELECT o.conrelid::text AS id, o.conname AS name, o.contype AS kind, f.relname AS other,
        pg_get_expr(o.conbin, o.conrelid) AS condition,
        concat_ws(' ', CASE o.confdeltype WHEN 'c' THEN 'ON DELETE CASCADE' WHEN 'n' THEN 'ON DELETE SET NULL' WHEN 'd' THEN 'ON DELETE SET DEFAULT' END,
          CASE o.confupdtype WHEN 'c' THEN 'ON UPDATE CASCADE' WHEN 'n' THEN 'ON UPDATE SET NULL' WHEN 'd' THEN 'ON UPDATE SET DEFAULT' END) AS action,
        (SELECT json_agg(a.attname ORDER BY k.n)::text FROM unnest(o.conkey) WITH ORDINALITY k(at, n)
          JOIN pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = k.at) AS columns,
        (SELECT json_agg(a.attname ORDER BY k.n)::text FROM unnest(o.confkey) WITH ORDINALITY k(at, n)
          JOIN pg_attribute a ON a.attrelid = o.confrelid AND a.attnum = k.at) AS others
      FROM pg_constraint o LEFT JOIN pg_class f ON f.oid = o.confrelid
      WHERE o.connamespace = current_schema()::regnamespace AND o.contype IN ('f', 'c', 'x')
      ORDER BY o.conname COLLATE "C"`),
    await run(`
      SELECT t.tgrelid::text AS id, t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal ORDER BY t.tgname`),
  ];
  return tables.map(({ id, name, view }) => {
    const own = (rows: readonly Record<string, unknown>[]) => rows.filter((row) => row.id === id);
    const found = own(indexes);
    const isKind = (kind: string) => own(constraints).filter((row) => row.kind === kind);
    return {
      name: String(name),
      columns: own(columns).map((column) => ({
        name: String(column.name),
        type: String(column.type),
        isNullable: column.required !== true,
        ...(column.fallback !== null && { fallback: String(column.fallback) }),
        ...(column.identity === true && { fallback: 'GENERATED AS IDENTITY' }),
        ...(column.labels !== null && { values: namesIn(column.labels) as readonly string[] }),
        ...(column.computed === true && { isComputed: true }),
      })),
      key: found.filter(({ primary }) => primary === true).flatMap((row) => namesIn(row.columns) as readonly string[]),
      indexes: found.filter(({ primary }) => primary !== true).map(indexOf),
      references: isKind('f').map((row) => ({
        name: String(row.name),
        columns: namesIn(row.columns) as readonly string[],
        table: String(row.other),
        to: namesIn(row.others) as readonly string[],
        ...(row.action !== '' && { action: String(row.action) }),
      })),
      checks: isKind('c').map((row) => ({ name: String(row.name), sql: String(row.condition) })),
      others: [
        ...isKind('x').map((row) => `exclusion constraint ${String(row.name)}`),
        ...own(triggers).map((row) => `trigger ${String(row.name)}`),
      ],
      ...(view === true && { isView: true }),
    };
  });
}

function indexOf(row: Record<string, unknown>): CatalogIndex {
  const columns = namesIn(row.columns);
  return {
    name: String(row.name),
    columns: columns.includes(null) ? [] : (columns as readonly string[]),
    isUnique: row.unique === true,
    isPartial: row.partial === true,
    isConstraint: row.constrained === true,
  };
}

/** A list that is read as JSON text. */
function namesIn(json: unknown): readonly (string | null)[] {
  return JSON.parse(String(json ?? '[]')) as readonly (string | null)[];
}
