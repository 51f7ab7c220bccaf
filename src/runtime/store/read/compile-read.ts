import type { AliasableExpression, CompiledQuery, Kysely, Sql } from 'kysely';
import type { Column } from '../../../analysis/store/model.js';
import type { Store, StoreRows } from '../store.js';
import { type Builder, type Condition, columnIn, columnOf, type Test, tested } from './conditions.js';
import { columnsOf, type Level, type NestedLevel } from './level.js';
import { directions, nameOf } from './order.js';
import { planned } from './plan.js';
import { countOf } from './relation.js';

/** A parameter of a statement that is used again: the number of its value in the list of {@link withSlots}. */
export class Slot {
  constructor(readonly at: number) {}
}

/** A level with slots in place of its values, in the order in which {@link formOf} lists them. */
export function withSlots<Given extends Level>(level: Given, next = { at: 0 }): Given {
  const slot = () => new Slot(next.at++);
  const ofTests = (tests: readonly Test[]) =>
    tests.map((test) => ({ ...test, value: Array.isArray(test.value) ? test.value.map(slot) : slot() }));
  const { plan, nested, among } = level;
  return {
    ...level,
    ...(among && { among: ofTests([among])[0] }),
    ...('outer' in level && { outer: ofTests((level as unknown as NestedLevel).outer) }),
    plan: {
      ...plan,
      tests: ofTests(plan.tests),
      places: plan.places.map(({ argument, values }) => ({
        argument,
        values: values.map((value) => (value === null ? null : slot())),
      })),
      limit: isLimited(level) ? slot() : plan.limit,
    },
    nested: nested.map((one) => withSlots(one, next)),
  };
}

/** Whether clients choose the number of rows: then a statement has it as a value. */
function isLimited({ source: { read } }: Level): boolean {
  return read.shape === 'page' || read.limit !== undefined;
}

/** How a statement gives its rows: see {@link compileRead}. */
export type ReadForm = 'rows' | 'parts' | 'text';

/** Everything that decides the text of the statement of a level. The values are added to a list. */
export function formOf(level: Level | NestedLevel, values: unknown[]): string {
  const { plan, nested, among } = level;
  let form = level.form;
  const addTests = (tests: readonly Test[]) => {
    for (const { column, columns = column, comparison, value } of tests) {
      form += ` ${columns} ${comparison}`;
      if (Array.isArray(value)) form += ` ${value.length}`;
      if (Array.isArray(value)) values.push(...value);
      else values.push(value);
    }
  };
  if (among !== undefined) addTests([among]);
  form += '|';
  if ('outer' in level) addTests(level.outer);
  form += '|';
  addTests(plan.tests);
  for (const place of plan.places) {
    form += ` ${place.argument}`;
    for (const value of place.values) {
      form += value === null ? '0' : '1';
      if (value !== null) values.push(value);
    }
  }
  if (isLimited(level)) values.push(plan.limit);
  form += `|${nameOf(plan.sort)}${plan.isBackward ? '<' : '>'}`;
  for (const one of nested) form += `(${formOf(one, values)})`;
  return form;
}

/**
 * The statement of a level. Each nested level is a column with JSON.
 *
 * @param kysely - The module, which is loaded for the first statement.
 * @param form - `text` gives the text of the answer, in one row with the column {@link textColumn}; `parts` the text of
 *   each nested level that an answer has as it is, beside the values of the others.
 */
export function compileRead(
  { expressionBuilder, sql }: Pick<typeof import('kysely'), 'expressionBuilder' | 'sql'>,
  db: Kysely<StoreRows>,
  engine: Store['engine'],
  level: Level,
  form: ReadForm,
): CompiledQuery {
  const eb: Builder = expressionBuilder();
  let aliases = 0;
  const alias = () => `#${aliases++}`;
  /** The number of rows of a level on all pages. */
  const countedIn = ({ source: { table }, plan }: Level, of: string, more: readonly Condition[] = []) =>
    [...more, ...tested(eb, engine, plan.tests, of)]
      .reduce((some, one) => some.where(one), db.selectFrom(`${table.name} as ${of}`))
      .select(({ fn }) => fn.countAll().as(countOf('')));
  /** The rows of a level, in order; the table has the name `of`. */
  const rowsOf = ({ source: { table }, plan }: Level, of: string, more: readonly Condition[] = []) => {
    const rows = db.selectFrom(`${table.name} as ${of}`).limit(limitOf(sql, plan.limit));
    const found = [...more, ...planned(eb, engine, plan, of)].reduce((some, one) => some.where(one), rows);
    return directions(plan.sort, plan.isBackward, of).reduce((sorted, one) => sorted.orderBy(...one), found);
  };
  const refs = (level: Level, of: string) => columnsOf(level).map((name) => columnIn(of, name));
  const membersOf = (level: Level, of: string): readonly Member[] => [
    ...columnsOf(level).map((name): Member => {
      return [name, jsonValue(sql, engine, columnOf(level.source.table, name), columnIn(of, name))];
    }),
    ...level.nested.flatMap((one) => relatedIn(one, of)),
  ];
  const shownIn = ({ members = [], nested }: Level, of: string): readonly Member[] =>
    members.map(({ key, isRequired, from }): Member => {
      if ('typename' in from) {
        const { typename } = from;
        if (engine === 'sqlite') return [key, sql.lit(JSON.stringify(typename))];
        return [key, sql`cast(${sql.lit(typename)} as text)`];
      }
      if ('kind' in from) return [key, shownValue(sql, engine, from, columnIn(of, from.name), isRequired)];
      const one = nested.find(({ name }) => name === from.nested) as NestedLevel;
      return [key, related(one, of, shownIn, isRequired)];
    });
  /** The rows of a nested level, and their number on all pages. */
  const relatedIn = (one: NestedLevel, outer: string): readonly Member[] => {
    const rows: Member = [one.name, related(one, outer, membersOf)];
    if (!one.isCounted) return [rows];
    const of = alias();
    return [rows, [countOf(one.name), sql`(${countedIn(one, of, joined(one, of, outer))})`]];
  };
  /** The conditions of the rows that a row of the table `outer` leads to. */
  const joined = ({ relation, outer: tests }: NestedLevel, of: string, outer: string) => [
    ...relation.columns.map((name, at) =>
      eb(columnIn(of, name), '=', eb.ref(columnIn(outer, relation.own[at] as string))),
    ),
    ...tested(eb, engine, tests, outer),
  ];
  /** The JSON of the rows that a row of the table `outer` leads to. */
  const related = (
    level: NestedLevel,
    outer: string,
    given: typeof shownIn,
    isRequired = false,
  ): AliasableExpression<unknown> => {
    const json = jsonOf(level, given, (of) => joined(level, of, outer));
    if (level.source.read.shape !== 'one') return json;
    if (isRequired) return sql`coalesce(${json}, ${jsonMisfit(sql, engine)})`;
    return engine === 'sqlite' ? sql`coalesce(${json}, 'null')` : json;
  };
  const jsonOf = (
    level: Level,
    given: typeof shownIn,
    more: (of: string) => readonly Condition[],
  ): AliasableExpression<unknown> => {
    const isOne = level.source.read.shape === 'one';
    const of = alias();
    const rows = rowsOf(level, of, more(of));
    const each = alias();
    if (engine === 'postgres') {
      const objects = rows.select(given(level, of).map(([name, value]) => value.as(name)));
      const selected = sql`select row_to_json(${sql.ref(each)}) from ${objects} as ${sql.ref(each)}`;
      // Unlike `json_agg`, it writes no white space.
      return isOne ? sql`(${selected})` : sql`array_to_json(array(${selected}))`;
    }
    const object = objectOf(sql, given(level, each));
    const json = isOne ? object : sql`'[' || coalesce(group_concat(${object}), '') || ']'`;
    // Relations are read only for the rows within the limit.
    return sql`(select ${json} from ${rows.select(refs(level, of))} as ${sql.ref(each)})`;
  };
  if (form === 'text') {
    const json = jsonOf(level, shownIn, () => []);
    return db.selectNoFrom(sql`cast(${json} as text)`.as(textColumn)).compile();
  }
  const of = alias();
  const rows = rowsOf(level, of).select(refs(level, of));
  const nestedIn = (outer: string) =>
    level.nested
      .flatMap((one): readonly Member[] =>
        form === 'parts' && one.isShown
          ? [[one.name, sql`cast(${related(one, outer, shownIn)} as text)`]]
          : relatedIn(one, outer),
      )
      .map(([name, value]) => value.as(name));
  const sorted = <Selected extends { orderBy(...order: ReturnType<typeof directions>[number]): Selected }>(
    selected: Selected,
    name: string,
  ) => directions(level.plan.sort, level.plan.isBackward, name).reduce((some, one) => some.orderBy(...one), selected);
  if (level.among !== undefined) {
    const { plan, source, among } = level;
    const each = alias();
    const ranked = [...planned(eb, engine, plan, of), ...tested(eb, engine, [among], of)]
      .reduce((some, one) => some.where(one), db.selectFrom(`${source.table.name} as ${of}`))
      .select(refs(level, of))
      .select(({ fn }) =>
        fn
          .agg<number>('row_number')
          .over((over) =>
            directions(plan.sort, plan.isBackward, of).reduce(
              (ordered, order) => ordered.orderBy(...order),
              over.partitionBy((among.columns ?? [among.column]).map((name) => columnIn(of, name))),
            ),
          )
          .as(rank),
      );
    return db
      .selectFrom(ranked.as(each))
      .select(refs(level, each))
      .select(nestedIn(each))
      .where(columnIn(each, rank), '<=', plan.limit)
      .orderBy(columnIn(each, rank))
      .compile();
  }
  if (level.isCounted) {
    const [all, each] = [alias(), alias()];
    // The number stands in each row; a page without rows is one row with the number alone.
    const joined = db
      .selectFrom(countedIn(level, alias()).as(all))
      .leftJoin(rows.as(each), (join) => join.onTrue())
      .select(columnIn(all, countOf('')))
      .select(refs(level, each))
      .select(nestedIn(each));
    return sorted(joined, each).compile();
  }
  if (engine === 'postgres' || level.nested.length === 0) return rows.select(nestedIn(of)).compile();
  const each = alias();
  // SQLite would make the nested levels of all rows before it sorts them.
  const limited = db.selectFrom(rows.as(each)).select(refs(level, each)).select(nestedIn(each));
  return sorted(limited, each).compile();
}

/** SQLite prepares a statement anew in each execution if its limit is a value alone (since version 3.49). */
function limitOf(sql: Sql, limit: unknown) {
  return typeof limit === 'number' ? sql.lit(limit) : sql<number>`${limit} + 0`;
}

/** The column of a statement that gives text. */
export const textColumn = 'text';

/**
 * Stands in a text in place of a value that code must refuse. Where a value of a client has it, code reads the rows,
 * too.
 */
export const misfit = '~gg-svc~';

function jsonMisfit(sql: Sql, engine: Store['engine']): AliasableExpression<unknown> {
  return engine === 'postgres'
    ? sql`${sql.lit(JSON.stringify(misfit))}::json`
    : sql`${sql.lit(JSON.stringify(misfit))}`;
}

/** The number of a row in its group. No column has such a name. */
const rank = '#rank';

/** A member of a JSON object. */
type Member = readonly [name: string, value: AliasableExpression<unknown>];

/** SQLite has expressions of a depth of at most 1000, and each operator between two texts is one more. */
const mostParts = 100;

/**
 * The text of an object in SQLite. Each value is JSON text, and none is NULL, which would make the whole NULL.
 * `json_object` would parse the objects and lists in it.
 */
function objectOf(sql: Sql, members: readonly Member[]): AliasableExpression<unknown> {
  const joined = (parts: readonly AliasableExpression<unknown>[]) => sql`(${sql.join(parts, sql` || `)})`;
  const parts = members.flatMap(([name, value], at) => [
    sql.lit(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    value,
  ]);
  const groups = Array.from({ length: Math.ceil(parts.length / mostParts) }, (_, at) =>
    joined(parts.slice(at * mostParts, (at + 1) * mostParts)),
  );
  return joined([...groups, sql.lit(members.length === 0 ? '{}' : '}')]);
}

/** The value of a column in JSON: what `fromDatabase` makes of it. */
function jsonValue(sql: Sql, engine: Store['engine'], { kind }: Column, name: string): AliasableExpression<unknown> {
  const value = sql.ref(name);
  if (engine === 'sqlite') {
    if (kind === 'json') return sql`coalesce(json(${value}), 'null')`;
    if (kind === 'float') return sql`gg_svc_number(${value})`;
    if (kind === 'boolean')
      return sql`case when ${value} is null then 'null' when ${value} = 1 then 'true' else 'false' end`;
    return sql`json_quote(${kind === 'long' ? sql`cast(${value} as text)` : value})`;
  }
  if (kind === 'long') return sql`cast(${value} as text)`;
  if (kind !== 'instant') return value;
  const text = sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  // The year before 1 is 1 BC.
  return sql`case when ${value} < '0001-01-01T00:00:00Z' then overlay(${text} placing '0000' from 1) else ${text} end`;
}

/** The value of a column in an answer: what the scalars of its types make of it. */
function shownValue(
  sql: Sql,
  engine: Store['engine'],
  column: Column,
  name: string,
  isRequired: boolean,
): AliasableExpression<unknown> {
  const { kind, values } = column;
  const value = sql.ref(name);
  const json = jsonValue(sql, engine, column, name);
  const isNamed = values && sql`${value} in (${sql.join(values.map((one) => sql.lit(one)))})`;
  if (engine === 'sqlite') {
    const fits = {
      integer: sql`typeof(${value}) = 'integer' and ${value} between -2147483648 and 2147483647`,
      long: sql`typeof(${value}) = 'integer'`,
      float: sql`abs(${value}) <= 1.7976931348623157e308`,
      instant: sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value}) = ${value}`,
      ...{ text: isNamed, boolean: undefined, json: undefined },
    }[kind];
    if (fits === undefined) return json;
    const unfit = jsonMisfit(sql, engine);
    const otherwise = isRequired ? unfit : sql`case when ${value} is null then 'null' else ${unfit} end`;
    return sql`case when ${fits} then ${kind === 'integer' ? value : json} else ${otherwise} end`;
  }
  const isNumber = sql`abs(${value}) < 'Infinity'`;
  // PostgreSQL begins with exponents at 1e15 and writes two digits of them, JSON of JavaScript at 1e21 and one.
  const number = sql`case when ${value} = 0 then '0'::json
    when abs(${value}) >= 1e-6 and abs(${value}) < 1e21 then to_json(${value}::text::numeric)
    else replace(${value}::text, 'e-0', 'e-')::json end`;
  const fits = {
    float: isNumber,
    instant: sql`${value} >= '0001-01-01T00:00:00Z BC' and ${value} < '10000-01-01T00:00:00Z'`,
    ...{ text: isNamed, integer: undefined, long: undefined, boolean: undefined, json: undefined },
  }[kind];
  const shown = kind === 'float' ? number : sql`to_json(${json})`;
  const fitting = fits === undefined ? shown : sql`case when ${fits} then ${shown} else ${jsonMisfit(sql, engine)} end`;
  const absent = isRequired ? jsonMisfit(sql, engine) : sql`null`;
  return fits === undefined && !isRequired ? json : sql`case when ${value} is null then ${absent} else ${fitting} end`;
}
