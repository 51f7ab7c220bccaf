import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type GraphEdge, isInternalNode } from '../../graph/graph-ir.js';
import { argumentSources, describeEdge, edgeRules } from '../edge-rules/edge-rules.js';
import { allOperations } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3114: several edges become one operation with the arguments of all of them, and no edge gives all of these. Callers
 * see arguments together that belong to separate edges. Each operation is reported once, at its second edge.
 */
export const joinedArguments: FlowRule = ({ ir, schema }) => {
  const joined = allOperations(schema).filter(({ edges }) => edges.length > 1);
  if (joined.length === 0) return [];
  const bySpan = new Map(ir.edges.map((edge) => [edge.span, edge]));
  return joined.flatMap(({ name, edges: origins }): readonly Diagnostic[] => {
    const [first, second] = origins;
    const given = origins.map(({ span }) => argumentsOf(bySpan.get(span)));
    const all = new Set(given.flat());
    if (first === undefined || second === undefined || given.some((one) => one.length === all.size)) return [];
    const labels = [{ span: first.span, message: `“${describeEdge(first)}” is here` }];
    return [diagnose('GG3114', { operation: name, arguments: [...all].join(', ') }, second.span, { labels })];
  });
};

/** The names of the arguments that an edge gives to its operations; a source as a whole by its id. */
function argumentsOf(edge: GraphEdge | undefined): readonly string[] {
  const rule = edge && edgeRules.get(edge.type);
  if (edge === undefined || rule === undefined || rule.produces === 'union') return [];
  const sources = rule.takes === 'nothing' ? [] : argumentSources(edge);
  const names = sources.flatMap((source) =>
    rule.takes === 'fields' || isInternalNode(source) ? source.fields.map(({ name }) => name) : [source.id],
  );
  return [...new Set([...edge.args.map(({ name }) => name), ...names])];
}
