import { sameJson } from '../../graph/json-value.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { pairByName } from '../model/pair-by-name.js';
import { placeAt } from '../model/places.js';

/** Constants of fields, which a server returns without a resolver. A comparison of SDL cannot see them. */
export function* constantChanges(comparison: Comparison): Iterable<Finding> {
  for (const [oldType, newType] of keptTypes(comparison, 'object', 'interface')) {
    for (const [before, after] of pairByName(oldType.fields, newType.fields).kept) {
      if (sameJson(before.fallback, after.fallback)) continue;
      const coordinate = `${oldType.name}.${before.name}`;
      const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
      const places = {
        before: placeAt(before.span ?? oldType.node?.span, `was ${was ?? 'no constant'}`),
        after: placeAt(after.span ?? newType.node?.span, `is ${is ?? 'no constant'}`),
      };
      const touch = { in: 'before', type: oldType.name, field: before.name } as const;
      if (was === undefined) {
        const message = `${coordinate} became the constant ${is}.`;
        yield { kind: 'constant-added', level: 'safe', coordinate, message, ...places, touch };
      } else if (is === undefined) {
        const message = `${coordinate} is no longer the constant ${was}.`;
        yield { kind: 'constant-removed', level: 'dangerous', coordinate, message, ...places, touch };
      } else {
        const message = `The constant ${coordinate} changed from ${was} to ${is}.`;
        yield { kind: 'constant-changed', level: 'dangerous', coordinate, message, ...places, touch };
      }
    }
  }
}
