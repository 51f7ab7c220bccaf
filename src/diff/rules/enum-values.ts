import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { descriptionChange } from '../model/description-change.js';
import { deprecationChange } from '../model/notes-change.js';
import { placeAt, placeNear } from '../model/places.js';

/** Values of enums that are in both schemas. */
export function* enumValueChanges({ before, after }: Comparison): Iterable<Finding> {
  for (const old of before.schema.enums) {
    const found = after.types.get(old.name);
    if (found?.kind !== 'enum') continue;
    const touch = { in: 'before', type: old.name } as const;
    for (const value of old.values.filter((name) => !found.type.values.includes(name))) {
      yield {
        kind: 'enum-value-removed',
        level: 'breaking',
        coordinate: `${old.name}.${value}`,
        message: `The value ${old.name}.${value} was removed.`,
        before: placeAt(old.node?.span, `had ${value}`),
        after: placeNear(found.type.node?.span, `without ${value}`),
        touch,
      };
    }
    for (const value of found.type.values.filter((name) => !old.values.includes(name))) {
      yield {
        kind: 'enum-value-added',
        level: 'dangerous',
        coordinate: `${old.name}.${value}`,
        message: `The value ${old.name}.${value} was added.`,
        before: placeNear(old.node?.span, `without ${value}`),
        after: placeAt(found.type.node?.span, `has ${value}`),
        touch,
      };
    }
    for (const [at, value] of old.values.entries()) {
      const index = found.type.values.indexOf(value);
      if (index === -1) continue;
      const coordinate = `${old.name}.${value}`;
      const spans = {
        before: old.valueSpans?.[at] ?? old.node?.span,
        after: found.type.valueSpans?.[index] ?? found.type.node?.span,
      };
      const part = { coordinate, spans, touch };
      const [was, is] = [old.valueNotes?.[at] ?? {}, found.type.valueNotes?.[index] ?? {}];
      yield* deprecationChange(part, was, is);
      yield* descriptionChange(part, was, is);
    }
  }
}
