import type { AliasableExpression, CompiledQuery, Kysely, Sql } from 'kysely';
import type { Column } from '../../../analysis/store/model.js';
import type { Store, StoreRows } from '../store.js';
import { type Builder, type Condition, columnIn, columnOf, type Test, tested } from './conditions.js';
import type { Level, NestedLevel } from './level.js';
import { directions } from './order.js';
import { planned } from './plan.js';
import { countOf } from './relation.js';

/** A parameter of a statement that is used again: the number of its value in the list of {@link withSlots}. */
export class Slot {
  constructor(readonly at: number) {}
}

/** A level with slots in place of its values, which are added to a list. */
export function withSlots<Given extends Level>(level: Given, values: unknown[]): Given {
  const slot = (value: unknown) => new Slot(values.push(value) - 1);
  const ofTests = (tests: readonly Test[]) =>
    tests.map((test) => ({
      ...test,
      value: Array.isArray(test.value) ? test.value.map(slot) : slot(test.value),
    }));
  const { plan, nested, among } = level;
  const places = plan.places.map((place) => ({
    ...place,
    values: place.values.map((value) => (value === null ? null : slot(value))),
  }));
  return {
    ...level,
    ...(among && { among: ofTests([among])[0] }),
    ...('outer' in level && { outer: ofTests((level as unknown as NestedLevel).outer) }),
    plan: { ...plan, tests: ofTests(plan.tests), places, limit: slot(plan.limit) },
    nested: nested.map((one) => withSlots(one, values)),
  };
}

/**
 * The statement of a level. Each nested level is a column with JSON.
 *
 * @param kysely - The module, which is loaded for the first statement.
 */
export function compileRead(
  { expressionBuilder, sql }: Pick<typeof import('kysely'), 'expressionBuilder' | 'sql'>,
  db: Kysely<StoreRows>,
  engine: Store['engine'],
  level: Level,
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
    const rows = db.selectFrom(`${table.name} as ${of}`).limit(plan.limit as number);
    const found = [...more, ...planned(eb, engine, plan, of)].reduce((some, one) => some.where(one), rows);
    return directions(plan.sort, plan.isBackward, of).reduce((sorted, one) => sorted.orderBy(...one), found);
  };
  const refs = ({ columns }: Level, of: string) => columns.map((name) => columnIn(of, name));
  const membersOf = (level: Level, of: string): readonly Member[] => [
    ...level.columns.map((name): Member => {
      return [name, jsonValue(sql, engine, columnOf(level.source.table, name), columnIn(of, name))];
    }),
    ...level.nested.flatMap((one) => relatedIn(one, of)),
  ];
  /** The rows of a nested level, and their number on all pages. */
  const relatedIn = (one: NestedLevel, outer: string): readonly Member[] => {
    const rows: Member = [one.name, related(one, outer)];
    if (!one.isCounted) return [rows];
    const of = alias();
    return [rows, [countOf(one.name), sql`(${countedIn(one, of, joined(one, of, outer))})`]];
  };
  /** The conditions of the rows that a row of the table `outer` leads to. */
  const joined = ({ relation, outer: tests }: NestedLevel, of: string, outer: string) => [
    eb(columnIn(of, relation.column), '=', eb.ref(columnIn(outer, relation.own))),
    ...tested(eb, engine, tests, outer),
  ];
  /** The JSON of the rows that a row of the table `outer` leads to. */
  const related = (level: NestedLevel, outer: string): AliasableExpression<unknown> => {
    const isOne = level.source.read.shape === 'one';
    const of = alias();
    const rows = rowsOf(level, of, joined(level, of, outer));
    const each = alias();
    if (engine === 'postgres') {
      const objects = rows.select(membersOf(level, of).map(([name, value]) => value.as(name)));
      const json = isOne
        ? sql`row_to_json(${sql.ref(each)})`
        : sql`coalesce(json_agg(${sql.ref(each)}), '[]')`;
      return sql`(select ${json} from ${objects} as ${sql.ref(each)})`;
    }
    const object = objectOf(sql, membersOf(level, each));
    const json = isOne ? object : sql`json_group_array(${object})`;
    // What is behind the limit is read of the rows within it only.
    return sql`json((select ${json} from ${rows.select(refs(level, of))} as ${sql.ref(each)}))`;
  };
  const of = alias();
  const rows = rowsOf(level, of).select(refs(level, of));
  const nestedIn = (outer: string) =>
    level.nested.flatMap((one) => relatedIn(one, outer)).map(([name, value]) => value.as(name));
  const sorted = <Selected extends { orderBy(...order: ReturnType<typeof directions>[number]): Selected }>(
    selected: Selected,
    name: string,
  ) =>
    directions(level.plan.sort, level.plan.isBackward, name).reduce(
      (some, one) => some.orderBy(...one),
      selected,
    );
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
              over.partitionBy(columnIn(of, among.column)),
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

/** The number of a row in its group. No column has such a name. */
const rank = '#rank';

/** A member of a JSON object. */
type Member = readonly [name: string, value: AliasableExpression<unknown>];

/** SQLite has functions of at most 127 arguments before version 3.48. */
const mostMembers = 50;

function objectOf(sql: Sql, members: readonly Member[]): AliasableExpression<unknown> {
  let object = sql`json_object(${sql.join(members.slice(0, mostMembers).flatMap(argumentsOf(sql, '')))})`;
  for (let at = mostMembers; at < members.length; at += mostMembers) {
    const more = members.slice(at, at + mostMembers).flatMap(argumentsOf(sql, '$.'));
    object = sql`json_insert(${object}, ${sql.join(more)})`;
  }
  return object;
}

function argumentsOf(sql: Sql, path: '' | '$.') {
  return ([name, value]: Member) => [sql.lit(path === '' ? name : `${path}"${name}"`), value];
}

/** The value of a column in JSON: what `fromDatabase` makes of it. */
function jsonValue(
  sql: Sql,
  engine: Store['engine'],
  { kind }: Column,
  name: string,
): AliasableExpression<unknown> {
  const value = sql.ref(name);
  if (kind === 'long') return sql`cast(${value} as text)`;
  if (engine === 'sqlite') {
    if (kind === 'json') return sql`json(${value})`;
    if (kind === 'float') return sql`json(gg_svc_number(${value}))`;
    return kind === 'boolean'
      ? sql`json(case when ${value} is null then null when ${value} = 1 then 'true' else 'false' end)`
      : value;
  }
  if (kind !== 'instant') return value;
  const text = sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  // The year before 1 is 1 BC.
  return sql`case when ${value} < '0001-01-01T00:00:00Z' then overlay(${text} placing '0000' from 1) else ${text} end`;
}
