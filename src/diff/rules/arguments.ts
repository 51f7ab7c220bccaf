import { operationCoordinate } from '../../api/operation-coordinate.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { inputValueChanges } from '../model/input-values.js';
import { pairByKey } from '../model/pair-by-name.js';
import { spanOfOperation } from '../model/places.js';

/** Arguments of operations that are in both schemas. */
export function* argumentChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  for (const [old, found] of pairByKey(before.operations, after.operations).kept) {
    yield* inputValueChanges(comparison, {
      values: 'argument',
      before: old.arguments,
      after: found.arguments,
      spans: { before: spanOfOperation(old), after: spanOfOperation(found) },
      coordinate: (name) => `${operationCoordinate(old)}(${name}:)`,
      touch: { in: 'before', operations: [old] },
    });
  }
}
