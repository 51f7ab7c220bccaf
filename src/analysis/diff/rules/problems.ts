import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { type Comparison, changeOf, pairByName, pairNames, partOf } from '../model/comparison.js';
import { typeChange } from '../model/part-changes.js';
import { memberChanges } from './members.js';

/** The declared errors, their statuses and fields, and the operations that answer with them. */
export function* problemChanges(comparison: Comparison) {
  const { before, after, operations } = comparison;
  const { removed, added, kept } = pairByName(before.schema.problems ?? [], after.schema.problems ?? []);
  for (const { name } of removed) {
    const message = `The declared error ${name} was removed.`;
    yield changeOf(partOf(comparison, name), 'problem-removed', message, ['removed', '']);
  }
  for (const { name } of added) {
    const message = `The declared error ${name} was added.`;
    yield changeOf(partOf(comparison, name, 'after'), 'problem-added', message, ['', 'added']);
  }
  for (const [old, found] of kept) {
    const { name, status: was } = old;
    const { status: is } = found;
    const message = `The status of ${name} changed from ${was} to ${is}.`;
    const notes = [`${was} here`, `${is} here`] as const;
    if (was !== is) yield changeOf(partOf(comparison, name), 'problem-status-changed', message, notes);
    const members = { kind: 'field', of: name, before: old.fields, after: found.fields } as const;
    yield* memberChanges(comparison, members, (part, ...[{ type: then }, { type: now }]) =>
      typeChange(part, 'field-type-changed', `The type of ${part.coordinate}`, [then, now], 'read'),
    );
  }
  for (const [old, found] of operations.kept) {
    const part = partOf(comparison, operationCoordinate(old));
    const pairing = pairNames(old.throws, found.throws);
    const [lost, won] = [pairing.removed.join(', '), pairing.added.join(', ')];
    const [less, more] = [`no longer declares ${lost}.`, `may now answer with ${won}.`];
    const notes = ['', ''] as const;
    if (lost !== '') yield changeOf(part, 'operation-error-removed', `${part.coordinate} ${less}`, notes);
    if (won !== '') yield changeOf(part, 'operation-error-added', `${part.coordinate} ${more}`, notes);
  }
}
