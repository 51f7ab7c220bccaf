import type { GqlArgument } from '../../../compiler/schema/gql-schema.js';
import { type Comparison, changeOf, pairByName, routePart } from '../model/comparison.js';

/** Arguments that REST reads from another header now, or no longer from one. The names of headers ignore case. */
export function* headerArgumentChanges(comparison: Comparison) {
  for (const [old, found] of comparison.operations.kept) {
    for (const [was, is] of pairByName(old.arguments, found.arguments).kept) {
      if (was.header?.toLowerCase() === is.header?.toLowerCase()) continue;
      const part = routePart(comparison, old, found);
      const [before, after] = [placeOf(was), placeOf(is)];
      const spans = { before: was.span ?? part.spans.before, after: is.span ?? part.spans.after };
      const message = `In ${part.coordinate} the argument ${was.name} is read from ${after} instead of ${before}.`;
      const place = { ...part, coordinate: `${part.coordinate}?${was.name}`, spans };
      yield changeOf(place, 'argument-header-changed', message, [`read from ${before}`, `read from ${after}`]);
    }
  }
}

function placeOf({ header }: GqlArgument): string {
  return header === undefined ? 'no header' : `the header ${header}`;
}
