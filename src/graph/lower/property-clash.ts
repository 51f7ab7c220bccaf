import { diagnose } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import type { Property } from '../../syntax/ast.js';
import { type GraphDraft, shorten, spanOf } from './graph-draft.js';

/** A property and the file that it stands in. */
export interface PropertyPlace {
  readonly file: SourceFile;
  readonly property: Property;
}

/** Reports a property that is declared in two ways (GG2006): at the second place, with a label at the first. */
export function reportPropertyClash(
  draft: GraphDraft,
  owner: string,
  first: PropertyPlace,
  second: PropertyPlace,
): void {
  const one = propertyText(first);
  const other = propertyText(second);
  draft.diagnostics.push(
    diagnose('GG2006', { owner, property: second.property.key, one, other }, placeOf(second), {
      labels: [{ span: placeOf(first), message: `declared as ${one} here` }],
    }),
  );
}

/** What follows the key, as written. */
function propertyText({ file, property }: PropertyPlace): string {
  return shorten(file.text.slice(property.value.start, property.end));
}

function placeOf({ file, property }: PropertyPlace) {
  return spanOf(file, property);
}
