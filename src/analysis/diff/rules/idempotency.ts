import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { changeOf, operationPart } from '../model/parts.js';

/** The mutations whose callers must send an idempotency key. */
export function* idempotencyChanges({ operations }: Comparison): Iterable<Finding> {
  for (const [old, found] of operations.kept) {
    if (old.idempotent === found.idempotent) continue;
    const part = operationPart(old, found);
    if (found.idempotent !== undefined) {
      const message = `${part.coordinate} now requires an idempotency key.`;
      yield changeOf(part, 'idempotency-key-required', message, ['optional here', 'required here']);
    } else {
      const message = `${part.coordinate} no longer requires an idempotency key.`;
      yield changeOf(part, 'idempotency-key-optional', message, ['required here', 'optional here']);
    }
  }
}
