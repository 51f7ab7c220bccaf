import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphEdge, GraphIR } from '../../graph/graph-ir.js';

/**
 * Checks that no RACE has a branch that changes data (GG3011): in a race every branch starts and all
 * but one are thrown away, and what a losing one had changed would stay.
 *
 * A branch of a RACE is its source with all that leads to it along PROCESS edges. It reaches a FOLD when
 * the source, or a node that so leads to it, is the target of one. The way back ends at a FORK, because
 * there the branches begin: what was folded before the paths parted is no branch's doing. It ends at
 * another RACE too, which would be the mistake itself. So `(a)-[:FOLD]->(b)-[:FORK]->(c | d)-[:RACE]->(e)`
 * is fine, and `(a)-[:FOLD]->(b)-[:PROCESS]->(c)` with `(c | d)-[:RACE]->(e)` is not.
 *
 * Each target of a race is reported once, at the first edge with such a branch.
 */
export function checkRaces(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const races = ir.edges.filter(({ type }) => type === 'RACE');
  if (races.length === 0) return;
  const folds = foldsBehindNodes(ir);
  const reported = new Set<string>();
  for (const race of races) {
    const branch = race.sources.find((id) => folds.has(id));
    const target = race.targets.find((id) => !reported.has(id));
    if (branch === undefined || target === undefined) continue;
    const fold = folds.get(branch) as GraphEdge;
    for (const id of race.targets) reported.add(id);
    const params = { race: target, fold: fold.targets.join(' | ') };
    const labels = [{ span: fold.span, message: `“${branch}” comes from this FOLD` }];
    diagnostics.push(diagnose('GG3011', params, race.span, { labels }));
  }
}

/** For every node that a FOLD leads to, directly or by PROCESS edges: that FOLD. Each edge is walked once. */
function foldsBehindNodes(ir: GraphIR): ReadonlyMap<string, GraphEdge> {
  const folds = new Map<string, GraphEdge>();
  const processed = new Map<string, GraphEdge[]>();
  for (const edge of ir.edges) {
    if (edge.type === 'FOLD') {
      for (const id of edge.targets) if (!folds.has(id)) folds.set(id, edge);
    } else if (edge.type === 'PROCESS') {
      for (const id of edge.sources) {
        const outgoing = processed.get(id);
        if (outgoing === undefined) processed.set(id, [edge]);
        else outgoing.push(edge);
      }
    }
  }
  const walked = new Set<GraphEdge>();
  // A Map is iterated in the order of insertion, so what is added on the way is visited too.
  for (const [id, fold] of folds) {
    for (const edge of processed.get(id) ?? []) {
      if (walked.has(edge)) continue;
      walked.add(edge);
      for (const target of edge.targets) if (!folds.has(target)) folds.set(target, fold);
    }
  }
  return folds;
}
