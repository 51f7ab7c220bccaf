import type { GraphQLResolveInfo } from 'graphql';
import type { CompiledQuery, Kysely } from 'kysely';
import { appendTo, remember } from '../../../compiler/graph/maps.js';
import { LruMap } from '../../limits/lru-map.js';
import { untilGivenUp } from '../given-up.js';
import type { StoreRows } from '../store.js';
import { fromDatabase } from '../values.js';
import { compileRead, Slot, withSlots } from './compile-read.js';
import { givenTests, mostValues, tested } from './conditions.js';
import { type Level, levelOf, levelOfKeys, type NestedLevel } from './level.js';
import { type Args, type OpenStore, type Row, type Source, shaped } from './plan.js';
import { countOf } from './relation.js';

/**
 * The value of a query: a row or null, a list, or the items of a page. One statement reads it with its relations.
 *
 * @param isOwn - Whether the result is that of the query itself: see {@link levelOf}.
 */
export async function selectRows(
  source: Source,
  args: Args,
  info: GraphQLResolveInfo,
  isOwn: boolean,
): Promise<unknown> {
  const { store, table, read } = source;
  const level = levelOf(source, args, info, isOwn);
  // A query for one row by its key does not give another one if it gets no key.
  if (read.shape === 'one' && read.filters.length > 0 && !level.plan.isFiltered) return null;
  const db = await store.open();
  const { rows: found } = await db.executeQuery<Row>(
    await statementOf(db, store, level),
    untilGivenUp(store.engine, info.rootValue),
  );
  const rows = level.isCounted ? found.filter((row) => row[table.key] !== null) : found;
  const [first] = level.isCounted ? found : [];
  return shaped(source, level.plan, valuesOf(level, rows), first && Number(first[countOf('')]));
}

/** The rows of a level with the values that resolvers return. */
function valuesOf({ source: { store, table }, nested }: Level, rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => {
    const value = fromDatabase(store.engine, table, row);
    if (store.engine === 'sqlite')
      for (const { name } of nested) value[name] = JSON.parse(value[name] as string);
    return value;
  });
}

/** The maximum number of statements that a store keeps. */
const mostStatements = 500;

const statements = new WeakMap<OpenStore, LruMap<string, CompiledQuery>>();

/** The statement of a level. Levels that differ in values only have the same one, which is built once. */
async function statementOf(db: Kysely<StoreRows>, store: OpenStore, level: Level): Promise<CompiledQuery> {
  const values: unknown[] = [];
  const slotted = withSlots(level, values);
  const known = remember(statements, store, () => new LruMap<string, CompiledQuery>(mostStatements));
  const form = JSON.stringify(formOf(slotted));
  let query = known.get(form);
  if (query === undefined) {
    query = compileRead(await import('kysely'), db, store.engine, slotted);
    known.set(form, query);
  }
  const parameters = query.parameters.map((one) => (one instanceof Slot ? values[one.at] : one));
  return { ...query, parameters };
}

/** Everything that decides the text of the statement of a level. */
function formOf({ source, plan, columns, nested, isCounted, among, ...more }: Level | NestedLevel): unknown {
  const { read, table } = source;
  const { tests, places, sort, isBackward } = plan;
  const formsOf = (given: typeof tests) =>
    given.map(({ column, comparison, value }) => [column, comparison, Array.isArray(value) && value.length]);
  return [
    table.name,
    read.shape,
    columns,
    isCounted,
    among && formsOf([among]),
    formsOf(tests),
    places.map(({ argument, values }) => [argument, values.map((value) => value === null)]),
    sort.map(({ column, isDescending }) => [column.name, isDescending]),
    isBackward,
    ...('relation' in more ? [more.name, more.relation.own, more.relation.column, formsOf(more.outer)] : []),
    nested.map(formOf),
  ];
}

/** The value of a relation for each key: a row or null, a list, or the items of a page. */
export async function selectByKeys(
  source: Source,
  column: string,
  keys: readonly unknown[],
  args: Args,
  info: GraphQLResolveInfo,
): Promise<readonly unknown[]> {
  const { store, table } = source;
  const { engine } = store;
  const level = levelOfKeys(source, column, args, info);
  const { plan } = level;
  const db = await store.open();
  const options = untilGivenUp(engine, info.rootValue);
  const filter = { path: ['keys'], comparison: 'in', column } as const;
  const parts = Array.from({ length: Math.ceil(keys.length / mostValues) }, (_, at) =>
    givenTests(engine, table, [filter], { keys: keys.slice(at * mostValues, (at + 1) * mostValues) }),
  );
  const groups = new Map<string, Row[]>();
  for (const [among] of parts) {
    const grouped = { ...level, among };
    const { rows } = await db.executeQuery<Row>(await statementOf(db, store, grouped), options);
    for (const row of valuesOf(grouped, rows)) appendTo(groups, String(row[column]), row);
  }
  const count = async () => {
    const counts = new Map<string, number>();
    for (const among of parts) {
      const counted = await db
        .selectFrom(table.name)
        .select(({ fn }) => [column, fn.countAll().as(countOf(''))])
        .where((eb) => eb.and(tested(eb, engine, [...plan.tests, ...among])))
        .groupBy(column)
        .execute(options);
      for (const row of counted) counts.set(String(row[column]), Number(row[countOf('')]));
    }
    return counts;
  };
  let counts: ReturnType<typeof count> | undefined;
  // Called for each page if it is selected.
  const totalOf = (key: unknown) => async () => {
    counts ??= count();
    return (await counts).get(String(key)) ?? 0;
  };
  return keys.map((key) => shaped(source, plan, groups.get(String(key)) ?? [], totalOf(key)));
}
