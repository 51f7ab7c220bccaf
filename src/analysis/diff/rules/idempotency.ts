import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { Finding } from '../model/change.js';
import { type Comparison, changeOf, partOf } from '../model/comparison.js';

/** The mutations whose callers must send an idempotency key. */
export function* idempotencyChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of comparison.operations.kept) {
    if (old.idempotent === found.idempotent) continue;
    const part = partOf(comparison, operationCoordinate(old));
    if (found.idempotent !== undefined) {
      const message = `${part.coordinate} now requires an idempotency key.`;
      yield changeOf(part, 'idempotency-key-required', message, ['optional here', 'required here']);
    } else {
      const message = `${part.coordinate} no longer requires an idempotency key.`;
      yield changeOf(part, 'idempotency-key-optional', message, ['required here', 'optional here']);
    }
  }
}
