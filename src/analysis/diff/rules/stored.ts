import { changesOf, isChange, refusalsOf } from '../../store/migrations/plan.js';
import { rowChecksOf } from '../../store/migrations/row-checks.js';
import { isBreaking, summarize } from '../../store/migrations/table-change.js';
import type { Table } from '../../store/model.js';
import { storeModelOf } from '../../store/tables.js';
import type { Side } from '../model/change.js';
import type { ChangeKind } from '../model/change-kinds.js';
import type { ChangeLevel } from '../model/change-level.js';
import { type Comparison, changeOf, pairByName, partOf } from '../model/comparison.js';

/** The effect of `gg-svc migrate` on the rows of stored nodes, which change whether callers notice it or not. */
export function* storedChanges(comparison: Comparison) {
  const [old, found] = [comparison.before, comparison.after].map(({ schema }) => storeModelOf(schema));
  // A table that cannot be stored is missing in its model.
  if (old === undefined || found === undefined || old.diagnostics.length + found.diagnostics.length > 0) return;
  const { removed, added } = pairByName(old.model.tables, found.model.tables);
  const at = (coordinate: string, kind: ChangeKind, message: string, side: Side = 'after', level?: ChangeLevel) => {
    const part = partOf(comparison, coordinate, side);
    const touch = { ...part.touch, isData: true } as const;
    return changeOf({ ...part, touch }, kind, message, ['old table', 'new table'], level && { level });
  };
  for (const { name, type } of removed)
    yield at(type, 'stored-values-deleted', `The table ${name} is deleted with its rows.`, 'before');
  for (const { name, type } of added) yield at(type, 'table-added', `The table ${name} is created.`);
  for (const change of changesOf('postgres', old.model, found.model)) {
    const { from, to, pairs, dropped } = change;
    for (const { name } of dropped) {
      const message = `The column ${to.name}.${name} is deleted with its values.`;
      yield at(fieldOf(from, name), 'stored-values-deleted', message, 'before');
    }
    const refusals = refusalsOf(change);
    for (const { column, reason } of refusals)
      yield at(fieldOf(to, column), 'migration-refused', `The database cannot be migrated: ${reason}.`);
    if (refusals.length > 0 || !isChange(change)) continue;
    for (const { column, refusal } of rowChecksOf(change))
      yield at(fieldOf(to, column), 'stored-rule-added', `The migration is refused if ${refusal}.`);
    const level = pairs.some((pair) => isBreaking(change, pair)) ? 'dangerous' : 'safe';
    const message = `The table ${to.name} changes: ${summarize(change)}.`;
    yield at(to.type, 'table-changed', message, 'after', level);
  }
}

/** The coordinate of the field of a column, or of the relation whose key it holds. */
function fieldOf({ type, columns }: Table, name: string): string {
  return columns.find((column) => column.name === name)?.relation ?? `${type}.${name}`;
}
