import type { GraphEdge, GraphNode } from '../../graph/graph-ir.js';
import { baseName } from '../../graph/type-ref.js';

/**
 * The sources of a PROCESS or FOLD edge that give arguments: all of them if the edge has no typed properties. Beside
 * typed properties, those with the label `Input`, except one that is already the type of a property: its place among
 * the arguments is chosen.
 */
export function argumentSources({ args, sources }: GraphEdge): readonly GraphNode[] {
  if (args.length === 0) return sources;
  const inputs = sources.filter(({ kind }) => kind === 'input');
  if (inputs.length === 0) return inputs;
  const chosen = new Set(args.map(({ type }) => baseName(type)));
  return inputs.filter(({ typeName }) => !chosen.has(typeName));
}
