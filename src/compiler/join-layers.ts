import { hasErrors } from '../base/diagnostics/diagnostic.js';
import type { Analysis } from './analyze.js';
import { mergeSchemas, type SchemaFragment } from './schema/merge-schemas.js';

/**
 * Adds layers to an analysed topology, one after the other, as a server does. A name that both the topology and a layer
 * use is an error (GG3018). A topology with errors stays as it is.
 */
export function joinLayers(analysis: Analysis, layers: readonly SchemaFragment[]): Analysis {
  if (hasErrors(analysis.diagnostics)) return analysis;
  let { schema } = analysis;
  const diagnostics = [...analysis.diagnostics];
  for (const layer of layers) {
    const merged = mergeSchemas(schema, layer);
    schema = merged.value;
    diagnostics.push(...merged.diagnostics);
  }
  return { ...analysis, schema, diagnostics };
}
