import { type Engine, literal, quote, wideIndexesOf } from '../ddl.js';
import type { Column, ForeignKey, Table } from '../model.js';

/** A step of a migration: what it does, in words and in SQL. */
export interface Step {
  /** Such as `add the column book.title`. */
  readonly summary: string;
  /** The statements, in order. One of a later step that gives rows is run again until it gives none. */
  readonly sql: readonly string[];
  /** Whether it deletes values that the new tables have no place for. */
  readonly isLoss?: true;
  /** Whether it runs outside of a transaction. If it is cut short, it is run again from its first statement. */
  readonly isLater?: true;
  /** Whether programs with the old topology may fail from it on. The steps before it leave both topologies tables that fit. */
  readonly isContract?: true;
  /** Whether programs with the new topology fail before it. */
  readonly isBreaking?: true;
  /** The rows that do not allow it. */
  readonly rowChecks?: readonly RowCheck[];
}

/** A query for rows that do not allow a step, and what is said if it gives one. */
export interface RowCheck {
  /** The column that gets the rule. */
  readonly column: string;
  readonly sql: string;
  readonly refusal: string;
}

/** A column of the new table, with the old column whose values it keeps; without one it is new. */
export interface ColumnPair {
  readonly column: Column;
  readonly old: Column | undefined;
}

/** The change of a table that stays. */
export interface TableChange {
  readonly engine: Engine;
  readonly from: Table;
  readonly to: Table;
  readonly oldTables: readonly Table[];
  readonly tables: readonly Table[];
  readonly pairs: readonly ColumnPair[];
  readonly dropped: readonly Column[];
}

type Rules = Pick<TableChange, 'from' | 'to' | 'pairs'>;

/** Which rules of several columns stay, come and go. */
interface RuleChanges<Rule> {
  readonly kept: readonly { readonly old: Rule; readonly rule: Rule }[];
  readonly added: readonly Rule[];
  readonly dropped: readonly Rule[];
}

/** Compares rules by the names that their columns have before and after. */
function ruleChanges<Rule>(
  { pairs }: Rules,
  from: readonly Rule[],
  to: readonly Rule[],
  columnsOf: (rule: Rule) => readonly string[],
  isSame: (old: Rule, rule: Rule) => boolean = () => true,
): RuleChanges<Rule> {
  const kept = to.flatMap((rule) => {
    const before = columnsOf(rule).map((name) => pairs.find(({ column }) => column.name === name)?.old?.name);
    const old = from.find((one) => columnsOf(one).join() === before.join() && isSame(one, rule));
    return old === undefined ? [] : [{ old, rule }];
  });
  return {
    kept,
    added: to.filter((rule) => !kept.some((one) => one.rule === rule)),
    dropped: from.filter((rule) => !kept.some(({ old }) => old === rule)),
  };
}

/** The changes of the unique rules of several columns. */
export function uniqueChanges(change: Rules) {
  const { from, to } = change;
  return ruleChanges(change, from.uniques ?? [], to.uniques ?? [], (columns) => columns);
}

/** The changes of the indexes of foreign keys of several columns. */
export function indexChanges(change: Rules) {
  const { from, to } = change;
  return ruleChanges(change, wideIndexesOf(from), wideIndexesOf(to), (columns) => columns);
}

/** The changes of the foreign keys of several columns. */
export function foreignKeyChanges(change: Rules): RuleChanges<ForeignKey> {
  const { from, to } = change;
  return ruleChanges(
    change,
    from.foreignKeys ?? [],
    to.foreignKeys ?? [],
    ({ columns }) => columns,
    (old, rule) => old.to === rule.to,
  );
}

/** The value of a column for rows that have none: SQL, or undefined if nothing can be said. */
export function fillOf(engine: Engine, { kind, fallback }: Column): string | undefined {
  if (fallback === undefined) return undefined;
  if (fallback.kind === 'value') return literal(engine, kind, fallback.value);
  if (engine === 'postgres') return fallback.kind === 'now' ? 'now()' : 'gen_random_uuid()::text';
  // A UUID of version 4 (RFC 9562, section 5.4); a subquery would be evaluated once for all rows.
  return fallback.kind === 'now'
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
}

/** Whether rows without a value get the default: a column that may be null no longer. */
export function isFilled(engine: Engine, { column, old }: ColumnPair): boolean {
  return old?.isNullable === true && !column.isNullable && fillOf(engine, column) !== undefined;
}

/** The value of a column in the rows that exist, as SQL over the old table; undefined for a new column without a default. */
export function keptValue(engine: Engine, pair: ColumnPair, type: string): string | undefined {
  const { column, old } = pair;
  const fill = fillOf(engine, column);
  if (old === undefined) return fill;
  const name = quote(old.name);
  const value = old.kind === column.kind ? name : `CAST(${name} AS ${type})`;
  return isFilled(engine, pair) ? `coalesce(${value}, ${fill})` : value;
}

/** Whether the old and the new topology cannot both use a column: its name or its type is another. */
export function isBreaking({ dropped }: Pick<TableChange, 'dropped'>, { column, old }: ColumnPair): boolean {
  return old === undefined
    ? dropped.some(({ name }) => name === column.name)
    : old.name !== column.name || old.kind !== column.kind;
}

/** The changes of a table in words, without those that only touch rules: `add title, drop isbn`. */
export function summarize({ pairs, dropped }: Pick<TableChange, 'pairs' | 'dropped'>): string {
  const parts = [
    ...pairs.flatMap(({ column, old }) => [
      ...(old === undefined ? [`add ${column.name}`] : []),
      ...(old !== undefined && old.name !== column.name ? [`rename ${old.name} to ${column.name}`] : []),
      ...(old !== undefined && old.kind !== column.kind ? [`convert ${column.name}`] : []),
    ]),
    ...dropped.map(({ name }) => `drop ${name}`),
  ];
  return parts.length === 0 ? 'rules of its columns' : parts.join(', ');
}
