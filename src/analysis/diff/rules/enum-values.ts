import { type Comparison, changeOf, keptTypes, pairNames, partOf } from '../model/comparison.js';
import { textChanges } from '../model/part-changes.js';

/** Values of enums that are in both schemas. */
export function* enumValueChanges(comparison: Comparison) {
  for (const [old, found] of keptTypes(comparison, 'enum')) {
    const ofType = partOf(comparison, old.name);
    const { removed, added } = pairNames(old.values, found.values);
    for (const value of removed) {
      const part = { ...ofType, coordinate: `${old.name}.${value}` };
      const message = `The value ${part.coordinate} was removed.`;
      const notes = [`had ${value}`, `without ${value}`] as const;
      yield changeOf(part, 'enum-value-removed', message, notes, { absentIn: 'after' });
    }
    for (const value of added) {
      const part = { ...ofType, coordinate: `${old.name}.${value}` };
      const message = `The value ${part.coordinate} was added.`;
      const notes = [`without ${value}`, `has ${value}`] as const;
      yield changeOf(part, 'enum-value-added', message, notes, { absentIn: 'before' });
    }
    for (const [at, value] of old.values.entries()) {
      const index = found.values.indexOf(value);
      if (index === -1) continue;
      const part = partOf(comparison, `${old.name}.${value}`);
      const was = old.spellings?.[at] ?? value;
      const is = found.spellings?.[index] ?? value;
      if (was !== is) {
        const message = `The value ${part.coordinate} is spelt “${is}” over REST, no longer “${was}”.`;
        yield changeOf(part, 'enum-value-spelling-changed', message, [`spelt “${was}”`, `spelt “${is}”`]);
      }
      yield* textChanges(part, old.valueNotes?.[at] ?? {}, found.valueNotes?.[index] ?? {});
    }
  }
}
