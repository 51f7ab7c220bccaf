import type { StoreModel, Table } from '../../../analysis/store/model.js';
import type { Refusal } from '../../execute/errors/mask-errors.js';
import { statementOf } from '../broken-statements.js';
import { these } from '../store-error.js';
import { columnsNamed, ruleOf } from './violated.js';

/** The answer to a row whose key, or unique values, another row has. */
export function alreadyExists({ type }: Table, columns: readonly string[]): Refusal {
  const named = columns.length > 1 ? { columns } : { column: columns[0] };
  return {
    message: `Another ${type} has ${these(columns)}.`,
    extensions: { code: 'ALREADY_EXISTS', ...named },
  };
}

/** The answer to the delete of a row to which others refer. */
export function stillReferenced({ type }: Table): Refusal {
  return { message: `Other objects refer to this ${type}.`, extensions: { code: 'STILL_REFERENCED' } };
}

/**
 * The answer to a statement of a resolver that broke a rule about other rows: what the writes of the store answer.
 * Undefined for other errors, and for statements that do not show their table.
 */
export function refusalOf({ tables }: StoreModel, error: unknown): Refusal | undefined {
  const statement = statementOf(error);
  if (statement === undefined) return undefined;
  const [, verb = '', name] = /^(insert into|update|delete from) "([^"]+)"/i.exec(statement) ?? [];
  const table = tables.find((one) => one.name === name);
  const broken = ruleOf(error as Error);
  if (table === undefined || broken === undefined || broken.rule === 'value') return undefined;
  const columns = columnsNamed(table, broken.name);
  if (broken.rule === 'unique') return columns.length === 0 ? undefined : alreadyExists(table, columns);
  if (/^delete/i.test(verb)) return stillReferenced(table);
  const references = table.columns.filter((column) => column.references !== undefined);
  // SQLite does not name the column.
  const [column = references.length === 1 ? references[0]?.name : undefined] = columns;
  const subject = column === undefined ? `A reference of the ${table.type}` : `“${column}”`;
  const extensions = { code: 'BAD_USER_INPUT', ...(column !== undefined && { column }) };
  return { message: `${subject} names no object.`, extensions };
}
