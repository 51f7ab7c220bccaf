import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { deprecationChange, descriptionChange } from '../model/part-changes.js';
import { placeAt, placeNear } from '../model/places.js';

/** Values of enums that are in both schemas. */
export function* enumValueChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of keptTypes(comparison, 'enum')) {
    const touch = { in: 'before', type: old.name } as const;
    for (const value of old.values.filter((name) => !found.values.includes(name))) {
      yield {
        kind: 'enum-value-removed',
        level: 'breaking',
        coordinate: `${old.name}.${value}`,
        message: `The value ${old.name}.${value} was removed.`,
        before: placeAt(old.node?.span, `had ${value}`),
        after: placeNear(found.node?.span, `without ${value}`),
        touch,
      };
    }
    for (const value of found.values.filter((name) => !old.values.includes(name))) {
      yield {
        kind: 'enum-value-added',
        level: 'dangerous',
        coordinate: `${old.name}.${value}`,
        message: `The value ${old.name}.${value} was added.`,
        before: placeNear(old.node?.span, `without ${value}`),
        after: placeAt(found.node?.span, `has ${value}`),
        touch,
      };
    }
    for (const [at, value] of old.values.entries()) {
      const index = found.values.indexOf(value);
      if (index === -1) continue;
      const coordinate = `${old.name}.${value}`;
      const spans = {
        before: old.valueSpans?.[at] ?? old.node?.span,
        after: found.valueSpans?.[index] ?? found.node?.span,
      };
      const part = { coordinate, spans, touch };
      const [was, is] = [old.valueNotes?.[at] ?? {}, found.valueNotes?.[index] ?? {}];
      yield* deprecationChange(part, was, is);
      yield* descriptionChange(part, was, is);
    }
  }
}
