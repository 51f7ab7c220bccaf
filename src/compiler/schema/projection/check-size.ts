import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import type { GqlOperation, GqlUnionType } from '../gql-schema.js';

/** The number of arguments, members and sources that any API may have. */
const alwaysAllowed = 20_000;

/** The additional number for each field, argument and edge end of the topology. */
const allowedForEach = 10;

/**
 * Checks that the API is not much larger than the topology (GG3025). The projection shares the arguments of operations
 * with the same edges, but every document repeats them: an edge from 800 nodes to 800 nodes has 1,600 ends, and its 800
 * operations have 640,000 arguments. The finding is at the operation or union with the most.
 */
export function checkSize(
  ir: GraphIR,
  operations: readonly GqlOperation[],
  unions: readonly GqlUnionType[],
  diagnostics: Diagnostic[],
): void {
  let total = 0;
  let most = 0;
  let largest: GqlOperation | GqlUnionType | undefined;
  for (const thing of [...operations, ...unions]) {
    const size = sizeOf(thing);
    total += size;
    if (size <= most) continue;
    most = size;
    largest = thing;
  }
  if (largest === undefined || total <= alwaysAllowed) return;
  const declared = declaredSize(ir);
  const span = largest.edges[0]?.span;
  if (span === undefined || total <= alwaysAllowed + declared * allowedForEach) return;
  diagnostics.push(diagnose('GG3025', { total, declared, largest: largest.name, size: most }, span));
}

/** The arguments or members, and the sources that the documents name. */
function sizeOf(thing: GqlOperation | GqlUnionType): number {
  let size = 'members' in thing ? thing.members.length : thing.arguments.length;
  for (const { from } of thing.edges) size += from.length;
  return size;
}

function declaredSize({ nodes, edges }: GraphIR): number {
  let size = 0;
  for (const { fields } of nodes.values()) size += fields.length;
  for (const { args, sources, targets } of edges) size += args.length + sources.length + targets.length;
  return size;
}
