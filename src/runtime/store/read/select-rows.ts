import type { GraphQLResolveInfo } from 'graphql';
import type { CompiledQuery, Kysely } from 'kysely';
import { appendTo, remember } from '../../../compiler/graph/maps.js';
import { LruMap } from '../../limits/lru-map.js';
import { untilGivenUp } from '../given-up.js';
import type { StoreRows } from '../store.js';
import { fromDatabase } from '../values.js';
import { compileRead, Slot, withSlots } from './compile-read.js';
import { givenTests, mostValues, tested, valueAt } from './conditions.js';
import { type Level, levelOf, type NestedLevel } from './level.js';
import { directions } from './order.js';
import { type Args, type OpenStore, planned, planOf, type Row, type Source, shaped } from './plan.js';
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
  const isGiven = read.filters.some(({ path }) => (valueAt(args, path) ?? null) !== null);
  // A query for one row by its key does not give another one if it gets no key.
  if (read.shape === 'one' && read.filters.length > 0 && !isGiven) return null;
  const level = levelOf(source, args, info, isOwn);
  const db = await store.open();
  const { rows: found } = await db.executeQuery<Row>(
    await statementOf(db, store, level),
    untilGivenUp(store.engine, info.rootValue),
  );
  const rows = level.isCounted ? found.filter((row) => row[table.key] !== null) : found;
  const values = rows.map((row) => {
    const value = fromDatabase(store.engine, table, row);
    if (store.engine === 'sqlite')
      for (const { name } of level.nested) value[name] = JSON.parse(value[name] as string);
    return value;
  });
  const [first] = level.isCounted ? found : [];
  return shaped(source, level.plan, values, first && Number(first[countOf('')]));
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
function formOf({ source, plan, columns, nested, isCounted, ...more }: Level | NestedLevel): unknown {
  const { read, table } = source;
  const { tests, places, sort, isBackward } = plan;
  const formsOf = (given: typeof tests) =>
    given.map(({ column, comparison, value }) => [column, comparison, Array.isArray(value) && value.length]);
  return [
    table.name,
    read.shape,
    columns,
    isCounted,
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
  root: unknown,
): Promise<readonly unknown[]> {
  const { store, table } = source;
  const { engine } = store;
  const plan = planOf(source, args, root);
  const db = await store.open();
  const groups = new Map<string, Row[]>();
  const parts = Array.from({ length: Math.ceil(keys.length / mostValues) }, (_, at) => {
    const filter = { path: ['keys'], comparison: 'in', column } as const;
    return givenTests(engine, table, [filter], { keys: keys.slice(at * mostValues, (at + 1) * mostValues) });
  });
  for (const among of parts) {
    const ranked = db
      .selectFrom(table.name)
      .selectAll()
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((over) =>
            directions(plan.sort, plan.isBackward).reduce(
              (ordered, order) => ordered.orderBy(...order),
              over.partitionBy(column),
            ),
          )
          .as(rank),
      )
      .where((eb) => eb.and([...planned(eb, engine, plan), ...tested(eb, engine, among)]));
    const rows = await db
      .selectFrom(ranked.as('ranked'))
      .selectAll()
      .where(rank, '<=', plan.limit)
      .orderBy(rank)
      .execute(untilGivenUp(store.engine, root));
    for (const row of rows) {
      const value = fromDatabase(engine, table, row);
      appendTo(groups, String(value[column]), value);
    }
  }
  const count = async () => {
    const counts = new Map<string, number>();
    for (const among of parts) {
      const counted = await db
        .selectFrom(table.name)
        .select(({ fn }) => [column, fn.countAll().as(rank)])
        .where((eb) => eb.and(tested(eb, engine, [...plan.tests, ...among])))
        .groupBy(column)
        .execute(untilGivenUp(store.engine, root));
      for (const row of counted) counts.set(String(row[column]), Number(row[rank]));
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

/** The number of a row in its group. No column has such a name. */
const rank = '#rank';
