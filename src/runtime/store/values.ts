import type { Column, Table } from '../../analysis/store/model.js';
import type { Store } from './store.js';
import { StoreError } from './store-error.js';

/**
 * A value of a resolver in the form in which a column of the engine keeps it.
 *
 * @throws {StoreError} BAD_USER_INPUT for a value that the column cannot keep without a change.
 */
export function toDatabase(engine: Store['engine'], column: Column, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  switch (column.kind) {
    case 'boolean':
      return engine === 'sqlite' ? Number(value) : value;
    case 'long':
      return longOf(column, value);
    case 'instant':
      return instantOf(engine, column, value);
    case 'json':
      return jsonOf(column, value);
    case 'text':
      return textOf(column, value);
    default:
      return value;
  }
}

/** A row of a table with the values that resolvers return. Columns that were not read are absent. */
export function fromDatabase(
  engine: Store['engine'],
  table: Table,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...row };
  for (const { name, kind } of table.columns) {
    const value = row[name];
    if (value === undefined || value === null) continue;
    if (kind === 'long') values[name] = String(value);
    // PostgreSQL gives booleans and JSON as values.
    else if (engine === 'sqlite' && kind === 'boolean') values[name] = value === 1 || value === true;
    else if (engine === 'sqlite' && kind === 'json') values[name] = JSON.parse(value as string);
  }
  return values;
}

function refuse({ name }: Column, reason: string): never {
  throw new StoreError('BAD_USER_INPUT', `The value of “${name}” cannot be stored: ${reason}.`, {
    reason: `cannot be stored: ${reason}`,
  });
}

/** PostgreSQL keeps no NUL, and no UTF-8 has a half of a surrogate pair. */
function textOf(column: Column, value: unknown): string {
  const text =
    value instanceof Date
      ? value.toISOString()
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('base64')
        : String(value);
  if (text.includes('\0')) refuse(column, 'it contains the character U+0000');
  if (/\p{Surrogate}/u.test(text)) refuse(column, 'it contains half of a surrogate pair');
  return text;
}

/** The escapes that `JSON.stringify` writes for the characters that no text may contain. */
const badEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function jsonOf(column: Column, value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
  if (text === undefined) refuse(column, 'it has no JSON form');
  if (badEscape.test(text)) refuse(column, 'it contains the character U+0000 or half of a surrogate pair');
  return text;
}

const limit = 2n ** 63n;

function longOf(column: Column, value: unknown): bigint {
  const long = BigInt(value as bigint | number | string);
  if (long < -limit || long >= limit) refuse(column, 'it is no 64-bit integer');
  return long;
}

/** In UTC with milliseconds, so that texts sort as their times. */
function instantOf(engine: Store['engine'], column: Column, value: unknown): string {
  const time = value instanceof Date ? value : new Date(value as string | number);
  if (Number.isNaN(time.getTime())) refuse(column, 'it is no time');
  const text = time.toISOString();
  // `-000001-…` and `+010000-…` are no RFC 3339.
  if (text.length !== 24) refuse(column, 'its year is not between 0 and 9999');
  // PostgreSQL has no year 0: the year before 1 is 1 BC.
  return engine === 'postgres' && text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
