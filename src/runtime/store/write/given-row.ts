import { GraphQLError } from 'graphql';
import { brokenLimit } from '../../../analysis/store/broken-limit.js';
import { type Column, keysOf, type StoreModel, type Table, tableNamed } from '../../../analysis/store/model.js';
import type { RowShape } from '../../../analysis/store/writes.js';
import { follow, fragmentOf } from '../../../base/source/json-pointer.js';
import type { Violation } from '../../../compiler/api/argument-checks.js';
import type { Owner } from '../../auth/owner.js';
import { foreign } from '../../execute/resolvers/owned.js';
import { columnOf } from '../read/conditions.js';
import type { OpenStore } from '../read/plan.js';
import { StoreError } from '../store-error.js';
import { toDatabase } from '../values.js';

/** The environment in which the rows of a mutation are read and written. */
export interface WriteScope extends Pick<OpenStore, 'engine' | 'statements'> {
  readonly model: StoreModel;
  readonly shapes: Readonly<Record<string, RowShape>>;
  /** The caller as the owner of rows; undefined if it may write the rows of every owner. */
  readonly owner: Owner | undefined;
  /** The column that an argument finds a row by, as the owner that the edge names. */
  readonly ownedBy: string | undefined;
  /** The time of the write. */
  readonly now: Date;
}

/** A row as callers give it. */
export interface GivenRow {
  readonly table: Table;
  readonly shape: RowShape;
  /** The object that the paths of the shape begin at. */
  readonly object: unknown;
  /** The path of that object, with a dot behind it; empty for the arguments. */
  readonly prefix: string;
  /** The values that callers gave, in the form of the database, with their paths. */
  readonly values: ReadonlyMap<string, GivenValue>;
  /** The values of its other columns, as far as they are known. */
  rest: Readonly<Record<string, unknown>>;
}

interface GivenValue {
  readonly value: unknown;
  readonly path: string;
  readonly isHeader: boolean;
}

/**
 * Reads the values of a row. A column with several places may be given in any of them, and in all with one value. An
 * absent value is not there, and null is a value.
 */
export function readRow(
  { engine, model, owner }: WriteScope,
  shape: RowShape,
  object: unknown,
  prefix: string,
  problems: Violation[],
): GivenRow {
  const table = tableNamed(model, shape.table);
  const values = new Map<string, GivenValue>();
  for (const { column: name, path: steps, isHeader = false } of shape.values) {
    const given = follow(object, steps);
    if (given === undefined) continue;
    const path = `${prefix}${steps.join('.')}`;
    const column = columnOf(table, name);
    // A key or an expected version that is null is not given.
    if (given === null && (keysOf(table).includes(name) || column.role === 'version')) continue;
    if (given === null && !column.isNullable) problems.push({ path, reason: 'must not be null' });
    // The expected version may be the text of an entity tag, which is not kept.
    const value = column.role === 'version' ? given : keep(engine, column, given, path, problems);
    // The database does not check patterns and formats, and would not name the limit.
    const broken = column.role === 'version' ? undefined : brokenLimit(column.constraints, given);
    if (broken !== undefined) problems.push({ path, reason: broken });
    const other = values.get(name);
    if (other !== undefined && other.value !== value)
      problems.push({ path, reason: `must be equal to “${other.path}”` });
    if (column.role === 'updated') problems.push({ path, reason: 'is written by the store' });
    if (name === table.owner && owner !== undefined && !owner.owns(given)) throw foreign();
    values.set(name, { value, path, isHeader });
  }
  return { table, shape, object, prefix, values, rest: {} };
}

/** A value as the database keeps it; a value that it cannot keep is a problem of its place. */
function keep(
  engine: OpenStore['engine'],
  column: Column,
  given: unknown,
  path: string,
  problems: Violation[],
): unknown {
  try {
    return toDatabase(engine, column, given);
  } catch (error) {
    if (!(error instanceof StoreError) || error.reason === undefined) throw error;
    problems.push({ path, reason: error.reason });
    return undefined;
  }
}

/** The answer about a value that callers gave. */
export function badInput(path: string, detail: string): GraphQLError {
  const code = 'BAD_USER_INPUT';
  const errors = [{ pointer: fragmentOf(path), detail, code }];
  return new GraphQLError(detail, { extensions: { code, parameter: path, errors } });
}
