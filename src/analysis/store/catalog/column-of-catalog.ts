import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { Engine } from '../ddl.js';
import type { Column, ColumnKind } from '../model.js';
import type { CatalogColumn } from './catalog.js';
import { readConstant } from './sql-constants.js';

/** The kinds of the types of PostgreSQL, without their length. Values of other types have another form in answers. */
const postgresKinds: ReadonlyMap<string, ColumnKind> = new Map(
  Object.entries<ColumnKind>({
    text: 'text',
    'character varying': 'text',
    character: 'text',
    uuid: 'text',
    smallint: 'integer',
    integer: 'integer',
    bigint: 'long',
    real: 'float',
    'double precision': 'float',
    boolean: 'boolean',
    'timestamp with time zone': 'instant',
    json: 'json',
    jsonb: 'json',
  }),
);

/** The defaults that are the time of a write. `CURRENT_TIMESTAMP` of SQLite is no RFC 3339. */
const nowForms: Readonly<Record<Engine, RegExp>> = {
  sqlite: /^\(?strftime\('%Y-%m-%dT%H:%M:%fZ', ?'now'\)\)?$/i,
  postgres: /^(?:now\(\)|CURRENT_TIMESTAMP)$/i,
};

/** The kind of a column, and the reason if its values change on the way. */
export function columnKindOf(
  engine: Engine,
  { type, values, fallback = '' }: Pick<CatalogColumn, 'type' | 'values' | 'fallback'>,
): { readonly kind?: ColumnKind; readonly note?: string } {
  if (engine === 'sqlite') {
    const found = sqliteKindOf(type.toUpperCase());
    return found.kind === 'text' && nowForms.sqlite.test(fallback) ? { kind: 'instant' } : found;
  }
  const kind = values === undefined ? postgresKinds.get(type.replace(/\(\d+\)/, '')) : 'text';
  const isFiner = kind === 'instant' && !/\([0-3]\)/.test(type);
  return { ...(kind && { kind }), ...(isFiner && { note: 'The store reads and writes milliseconds.' }) };
}

/** The affinity of a type (sqlite.org/datatype3.html, section 3.1), as far as the store has a kind for it. */
function sqliteKindOf(type: string): ReturnType<typeof columnKindOf> {
  if (/^(?:BIGINT|INT8|UNSIGNED BIG INT)/.test(type)) return { kind: 'long' };
  if (type.includes('INT')) return { kind: 'integer' };
  if (/CHAR|CLOB|TEXT/.test(type)) return { kind: 'text' };
  if (/REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(type)) return { kind: 'float' };
  if (/^BOOL/.test(type)) return { kind: 'boolean' };
  if (/^(?:DATE|TIME|JSON)/.test(type))
    return { kind: 'text', note: 'SQLite does not check the form of its values, so they are texts.' };
  return {};
}

/** The value of a new row that DEFAULT gives; undefined if a topology cannot express it. */
export function fallbackOf(engine: Engine, kind: ColumnKind, sql: string): Column['fallback'] | undefined {
  if (kind === 'instant' && nowForms[engine].test(sql)) return { kind: 'now' };
  if (kind === 'text' && /^\(?gen_random_uuid\(\)\)?(?:::text)?$/.test(sql)) return { kind: 'uuid' };
  const value = constantOf(kind, readConstant(sql)?.value);
  return value === undefined ? undefined : { kind: 'value', value };
}

function constantOf(kind: ColumnKind, value: string | boolean | null | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return value;
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : { '0': false, '1': true }[value];
    case 'text':
      return String(value);
    case 'instant':
      return instantOf(String(value));
    case 'json':
      return jsonOf(String(value));
    default: {
      const number = Number(value);
      return value !== '' && Number.isFinite(number) && (kind === 'float' || Number.isSafeInteger(number))
        ? number
        : undefined;
    }
  }
}

/** A time as PostgreSQL prints it: `2024-01-01 00:00:00+00`. */
function instantOf(text: string): string | undefined {
  const [, day, time, zone = '+00'] = /^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (!/^(?:Z|[+-]00(?::?00)?)$/.test(zone)) return undefined;
  const [whole = '', fraction = ''] = (time ?? '').split('.');
  return `${day}T${whole}.${fraction.padEnd(3, '0')}Z`;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
