import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { appendTo } from '../../graph/maps.js';
import { listIds } from '../edge-rules/edge-rules.js';

/**
 * Checks that no RACE has a branch that changes data (GG3011). Every branch of a race starts and all but one are
 * discarded, but the changes of a discarded branch stay.
 *
 * A branch of a RACE is its source with everything that leads to it along PROCESS edges. It reaches a FOLD when one of
 * these nodes is the target of a FOLD. A FORK ends the branch, because the branches begin there: data folded before
 * the paths parted belongs to no branch. Another RACE ends it too, because that race has the error itself. So
 * `(a)-[:FOLD]->(b)-[:FORK]->(c | d)-[:RACE]->(e)` is fine, and `(a)-[:FOLD]->(b)-[:PROCESS]->(c)` with
 * `(c | d)-[:RACE]->(e)` is not.
 *
 * Each target of a race is reported once, at the first edge with such a branch.
 */
export function checkRaces(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const races = ir.edges.filter(({ type }) => type === 'RACE');
  if (races.length === 0) return;
  const folds = foldsBehindNodes(ir);
  const reported = new Set<GraphNode>();
  for (const race of races) {
    const branch = race.sources.find((node) => folds.has(node));
    const target = race.targets.find((node) => !reported.has(node));
    if (branch === undefined || target === undefined) continue;
    const fold = folds.get(branch) as GraphEdge;
    for (const node of race.targets) reported.add(node);
    const params = { race: target.id, fold: listIds(fold.targets.map(({ id }) => id)) };
    const labels = [{ span: fold.span, message: `“${branch.id}” comes from this FOLD` }];
    diagnostics.push(diagnose('GG3011', params, race.span, { labels }));
  }
}

/** For every node that a FOLD leads to, directly or along PROCESS edges: that FOLD. Each edge is visited once. */
function foldsBehindNodes({ edges }: GraphIR): ReadonlyMap<GraphNode, GraphEdge> {
  const folds = new Map<GraphNode, GraphEdge>();
  for (const edge of edges) {
    if (edge.type !== 'FOLD') continue;
    for (const node of edge.targets) if (!folds.has(node)) folds.set(node, edge);
  }
  if (folds.size === 0) return folds;
  const processed = new Map<GraphNode, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.type !== 'PROCESS') continue;
    for (const node of edge.sources) {
      appendTo(processed, node, edge);
    }
  }
  const visited = new Set<GraphEdge>();
  // A Map is iterated in the order of insertion, so nodes added during the iteration are visited, too.
  for (const [node, fold] of folds) {
    for (const edge of processed.get(node) ?? []) {
      if (visited.has(edge)) continue;
      visited.add(edge);
      for (const target of edge.targets) if (!folds.has(target)) folds.set(target, fold);
    }
  }
  return folds;
}
