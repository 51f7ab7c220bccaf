import { operationCoordinate } from '../../api/operation-coordinate.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { placeAt, spanOfOperation } from '../model/places.js';

/** The mutations whose callers must send an idempotency key. */
export function* idempotencyChanges({ operations }: Comparison): Iterable<Finding> {
  for (const [old, found] of operations.kept) {
    if (old.idempotent === found.idempotent) continue;
    const coordinate = operationCoordinate(old);
    const [was, is] = [old, found].map(({ idempotent }) =>
      idempotent === undefined ? 'optional' : 'required',
    );
    const places = {
      before: placeAt(spanOfOperation(old), `${was} here`),
      after: placeAt(spanOfOperation(found), `${is} here`),
    };
    const touch = { in: 'before', operations: [old] } as const;
    if (is === 'required') {
      const message = `${coordinate} now requires an idempotency key.`;
      yield { kind: 'idempotency-key-required', level: 'breaking', coordinate, message, ...places, touch };
    } else {
      const message = `${coordinate} no longer requires an idempotency key.`;
      yield { kind: 'idempotency-key-optional', level: 'safe', coordinate, message, ...places, touch };
    }
  }
}
