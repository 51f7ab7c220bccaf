import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { deprecationChange, descriptionChange } from '../model/part-changes.js';
import { changeOf, typePart } from '../model/parts.js';

/** Values of enums that are in both schemas. */
export function* enumValueChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of keptTypes(comparison, 'enum')) {
    const ofType = typePart(old.name, old.node?.span, found.node?.span);
    const partOf = (value: string) => ({ ...ofType, coordinate: `${old.name}.${value}` });
    for (const value of old.values.filter((name) => !found.values.includes(name))) {
      const message = `The value ${old.name}.${value} was removed.`;
      const notes = [`had ${value}`, `without ${value}`] as const;
      yield changeOf(partOf(value), 'enum-value-removed', message, notes, { absentIn: 'after' });
    }
    for (const value of found.values.filter((name) => !old.values.includes(name))) {
      const message = `The value ${old.name}.${value} was added.`;
      const notes = [`without ${value}`, `has ${value}`] as const;
      yield changeOf(partOf(value), 'enum-value-added', message, notes, { absentIn: 'before' });
    }
    for (const [at, value] of old.values.entries()) {
      const index = found.values.indexOf(value);
      if (index === -1) continue;
      const before = old.valueSpans?.[at] ?? ofType.spans.before;
      const after = found.valueSpans?.[index] ?? ofType.spans.after;
      const part = { ...partOf(value), spans: { before, after } };
      const [was, is] = [old.valueNotes?.[at] ?? {}, found.valueNotes?.[index] ?? {}];
      yield* deprecationChange(part, was, is);
      yield* descriptionChange(part, was, is);
    }
  }
}
