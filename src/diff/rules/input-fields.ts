import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { inputValueChanges } from '../model/input-values.js';
import { spanOfType } from '../model/places.js';

/** Fields of inputs that are in both schemas. */
export function* inputFieldChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  for (const old of before.schema.inputs) {
    const found = after.types.get(old.name);
    if (found?.kind !== 'input') continue;
    yield* inputValueChanges(comparison, {
      values: 'input-field',
      before: old.fields,
      after: found.type.fields,
      spans: { before: spanOfType(before, { kind: 'input', type: old }), after: spanOfType(after, found) },
      coordinate: (name) => `${old.name}.${name}`,
      touch: { in: 'before', type: old.name },
    });
  }
}
