import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { Property } from '../../syntax/ast.js';
import { excerpt, type GraphDraft, spanOf } from './graph-draft.js';

export interface PropertyPlace {
  readonly file: SourceFile;
  readonly property: Property;
}

/** Reports two contradicting declarations of one property (GG2006): at the second, with a label at the first. */
export function reportPropertyClash(
  draft: GraphDraft,
  owner: string,
  first: PropertyPlace,
  second: PropertyPlace,
): void {
  const one = valueText(first);
  const other = valueText(second);
  draft.diagnostics.push(
    diagnose('GG2006', { owner, property: second.property.key, one, other }, spanOfProperty(second), {
      labels: [{ span: spanOfProperty(first), message: `declared as ${one} here` }],
    }),
  );
}

function valueText({ file, property }: PropertyPlace): string {
  return excerpt(file, property.value.start, property.end);
}

function spanOfProperty({ file, property }: PropertyPlace) {
  return spanOf(file, property);
}
