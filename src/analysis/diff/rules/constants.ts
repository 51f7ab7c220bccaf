import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { pairByName } from '../model/pair-by-name.js';
import { changeOf, fieldPart } from '../model/parts.js';

/** Constants of fields, which a server returns without a resolver. A comparison of SDL cannot see them. */
export function* constantChanges(comparison: Comparison): Iterable<Finding> {
  for (const types of keptTypes(comparison, 'object', 'interface')) {
    for (const fields of pairByName(types[0].fields, types[1].fields).kept) {
      const [before, after] = fields;
      if (sameJson(before.fallback, after.fallback)) continue;
      const part = fieldPart(types, fields);
      const { coordinate } = part;
      const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
      const notes = [`was ${was ?? 'no constant'}`, `is ${is ?? 'no constant'}`] as const;
      if (was === undefined)
        yield changeOf(part, 'constant-added', `${coordinate} became the constant ${is}.`, notes);
      else if (is === undefined)
        yield changeOf(part, 'constant-removed', `${coordinate} is no longer the constant ${was}.`, notes);
      else {
        const message = `The constant ${coordinate} changed from ${was} to ${is}.`;
        yield changeOf(part, 'constant-changed', message, notes);
      }
    }
  }
}
