import type { Diagnostic, Outcome } from '../../../base/diagnostics/diagnostic.js';
import { lineMapOf } from '../../../base/source/source-file.js';
import { withSvcSpan } from '../../../base/tracing/svc-tracing.js';
import type { GraphAST } from '../../syntax/ast.js';
import type { GraphIR } from '../graph-ir.js';
import { beginsWithDigit, typeNameOf, unionNameOf } from '../names.js';
import { checkImports } from './check-imports.js';
import { classifyNodes } from './classify-nodes.js';
import { collectNodes } from './collect-nodes.js';
import { GraphDraft } from './graph-draft.js';
import { resolveEdges } from './resolve-edges.js';
import { resolveFields } from './resolve-fields.js';
import { resolveLeaves } from './resolve-leaves.js';

/** One step from the tree to the topology: it reads what earlier passes found and adds its own. */
type Pass = (draft: GraphDraft) => void;

/**
 * The passes, in the order in which they run.
 *
 * Architecture invariant: a pass depends on the ones above it only, never on one below.
 */
const passes: readonly Pass[] = [
  // The files, and their imports.
  checkImports,
  // The nodes and edges, then the type names of the nodes, then their kinds.
  collectNodes,
  nameTypes,
  classifyNodes,
  // The properties. Enums and scalars go first, because the default of a field may be a value of an enum.
  resolveLeaves,
  resolveFields,
  resolveEdges,
];

/**
 * Lowers the tree to the topology: merges all files, resolves every name, reads every property. Each error is one
 * diagnostic; the topology contains everything else.
 */
export function lowerGraph(ast: GraphAST, unreadable: ReadonlyMap<string, Diagnostic> = new Map()): Outcome<GraphIR> {
  const draft = new GraphDraft(ast, unreadable);
  withSvcSpan('gg.lower', () => {
    for (const pass of passes) withSvcSpan(`gg.pass ${pass.name}`, () => pass(draft));
  });
  const sources = ast.documents.map(({ file }) => lineMapOf(file));
  const { nodes, nodesByType, edges, typeTable, diagnostics } = draft;
  return { value: { sources, nodes, nodesByType, edges, typesInUse: typeTable.names }, diagnostics };
}

/**
 * Gives every node its type name, and records which types a property may name: the nodes, and the unions of RACE
 * edges. Where two nodes have one name the first keeps it; the projection reports the clash. A name that had to be
 * changed is a warning (GG3009).
 */
function nameTypes(draft: GraphDraft): void {
  const { nodes, nodesByType, unionNames } = draft;
  for (const node of nodes.values()) {
    const typeName = typeNameOf(node.id);
    node.typeName = typeName;
    if (!nodesByType.has(typeName)) nodesByType.set(typeName, node);
    if (beginsWithDigit(node.id)) {
      draft.report('GG3009', { node: node.id, type: typeName }, node.span);
    }
  }
  for (const race of draft.races) {
    const given = race.properties.find(({ key }) => key === 'union')?.value;
    for (const { id } of race.target.nodes) {
      unionNames.add(given?.kind === 'String' ? given.value : unionNameOf(typeNameOf(id)));
    }
  }
}
