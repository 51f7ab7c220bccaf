import type { GraphQLResolveInfo } from 'graphql';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import type { Cancellation } from '../../../base/values/run-until.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { PassedText, takesText } from '../../execute/compiled/passed-text.js';
import type { Database, Statement } from '../database.js';
import { untilGivenUp } from '../given-up.js';
import { StoreError } from '../store-error.js';
import { fromDatabase, toDatabase } from '../values.js';
import { compileRead, formOf, misfit, type ReadForm, Slot, textColumn, withSlots } from './compile-read.js';
import { columnOf, keyText, mostKeys, mostValues, tested, testOf } from './conditions.js';
import { type Level, levelOf, levelOfKeys } from './level.js';
import { type Args, type OpenStore, type Row, type Source, shaped } from './plan.js';
import { countOf } from './relation.js';

/**
 * The value of a query: a row or null, a list, or the items of a page. One statement reads it with its relations.
 *
 * @param isOwn - Whether the result is that of the query itself: see {@link levelOf}.
 */
export function selectRows(
  source: Source,
  args: Args,
  info: GraphQLResolveInfo,
  isOwn: boolean,
): MaybePromise<unknown> {
  const { store, read } = source;
  const level = levelOf(source, args, info, isOwn);
  // A query for one row by its key does not give another one if it gets no key.
  if (read.shape === 'one' && read.filters.length > 0 && !level.plan.isFiltered) return null;
  const cancellation = untilGivenUp(store.engine, info.rootValue);
  const isPrinted = isOwn && takesText(info);
  return proceed(store.open(), (database) => {
    if (!isPrinted || level.members === undefined) return readValue(database, store, level, isPrinted, cancellation);
    return proceed(readText(database, store, level, cancellation), (text) =>
      text === undefined ? readValue(database, store, level, isPrinted, cancellation) : text,
    );
  });
}

async function readValue(
  database: Database,
  store: OpenStore,
  level: Level,
  isPrinted: boolean,
  cancellation: Cancellation | undefined,
): Promise<unknown> {
  const { source } = level;
  const found = await readParts(database, store, level, isPrinted, cancellation);
  const rows = level.isCounted ? found.filter((row) => row[source.table.key] !== null) : found;
  const [first] = level.isCounted ? found : [];
  return shaped(source, level.plan, valuesOf(level, rows), first && Number(first[countOf('')]));
}

/** The rows of a level with the values that resolvers return. */
function valuesOf({ source: { store, table }, nested }: Level, rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => {
    const value = fromDatabase(store.engine, table, row);
    if (store.engine === 'sqlite')
      for (const { name } of nested) if (typeof value[name] === 'string') value[name] = JSON.parse(value[name]);
    return value;
  });
}

/**
 * The rows of a level. In a compiled plan, nested levels that the answer has as they are stay text; one that code must see
 * is left to its resolver.
 */
async function readParts(
  database: Database,
  store: OpenStore,
  level: Level,
  isPrinted: boolean,
  cancellation: Cancellation | undefined,
): Promise<readonly Row[]> {
  const shown = isPrinted ? level.nested.filter(({ isShown }) => isShown) : [];
  const read = async (form: ReadForm) => database.run(await statementOf(database, store, level, form), cancellation);
  if (shown.length === 0) return read('rows');
  const found = await read('parts').catch((error: unknown): undefined => {
    if (isOver(error, cancellation)) throw error;
  });
  if (found === undefined) return read('rows');
  for (const row of found)
    for (const { name } of shown) {
      const text = row[name] ?? 'null';
      row[name] = text === 'null' ? null : String(text).includes(misfit) ? undefined : new PassedText(String(text));
    }
  return found;
}

/** The answer as the database prints it; undefined if code must see its values. */
function readText(
  database: Database,
  store: OpenStore,
  level: Level,
  cancellation: Cancellation | undefined,
): MaybePromise<PassedText | null | undefined> {
  return proceed(statementOf(database, store, level, 'text'), (statement) => {
    // Some values have no JSON form: then a statement for text fails.
    const failed = (error: unknown): undefined => {
      if (isOver(error, cancellation)) throw error;
    };
    try {
      const found = database.run(statement, cancellation);
      return found instanceof Promise ? found.then(textIn, failed) : textIn(found);
    } catch (error) {
      return failed(error);
    }
  });
}

function textIn([row]: readonly Row[]): PassedText | null | undefined {
  const text = row?.[textColumn];
  if (text === null) return null;
  return typeof text === 'string' && !text.includes(misfit) ? new PassedText(text) : undefined;
}

/** Whether a statement failed that must not be replaced by another one. */
function isOver(error: unknown, cancellation: Cancellation | undefined): boolean {
  return error instanceof StoreError || cancellation?.aborted === true;
}

/** The statement of a level. Levels that differ in values only have the same one, which is built once. */
function statementOf(
  { db }: Database,
  store: OpenStore,
  level: Level,
  readForm: ReadForm = 'rows',
): MaybePromise<Statement> {
  const values: unknown[] = [];
  const form = `${readForm} ${formOf(level, values)}`;
  const known = store.statements.get(form);
  if (known !== undefined) return withValues(known, values);
  return import('kysely').then((kysely) => {
    const made = compileRead(kysely, db, store.engine, withSlots(level), readForm);
    store.statements.set(form, made);
    return withValues(made, values);
  });
}

function withValues({ sql, parameters }: Statement, values: readonly unknown[]): Statement {
  return { sql, parameters: parameters.map((one) => (one instanceof Slot ? values[one.at] : one)) };
}

/** The value of a relation for each key of its columns: a row or null, a list, or the items of a page. */
export async function selectByKeys(
  source: Source,
  columns: readonly string[],
  keys: readonly (readonly unknown[])[],
  args: Args,
  info: GraphQLResolveInfo,
): Promise<readonly unknown[]> {
  const { store, table } = source;
  const { engine } = store;
  const level = levelOfKeys(source, columns, args, info);
  const { plan } = level;
  const database = await store.open();
  const cancellation = untilGivenUp(engine, info.rootValue);
  const size = columns.length === 1 ? mostValues : mostKeys;
  const kept = keys.map((key) => columns.map((name, at) => toDatabase(engine, columnOf(table, name), key[at])));
  const parts = Array.from({ length: Math.ceil(keys.length / size) }, (_, at) =>
    testOf(columns, kept.slice(at * size, (at + 1) * size)),
  );
  const textOf = (row: Row) => keyText(columns.map((name) => row[name]));
  const groups = new Map<string, Row[]>();
  for (const among of parts) {
    const grouped = { ...level, among };
    const rows = await database.run(await statementOf(database, store, grouped), cancellation);
    for (const row of valuesOf(grouped, rows)) appendTo(groups, textOf(row), row);
  }
  const count = async () => {
    const counts = new Map<string, number>();
    for (const among of parts) {
      const counted = database.db
        .selectFrom(table.name)
        .select(({ fn }) => [...columns, fn.countAll().as(countOf(''))])
        .where((eb) => eb.and(tested(eb, engine, [...plan.tests, among])))
        .groupBy([...columns]);
      for (const row of await database.run(counted.compile(), cancellation))
        counts.set(textOf(row), Number(row[countOf('')]));
    }
    return counts;
  };
  let counts: ReturnType<typeof count> | undefined;
  // Called for each page if it is selected.
  const totalOf = (key: string) => async () => {
    counts ??= count();
    return (await counts).get(key) ?? 0;
  };
  return keys.map(keyText).map((key) => shaped(source, plan, groups.get(key) ?? [], totalOf(key)));
}
