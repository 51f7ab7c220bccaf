import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import {
  type GraphEdge,
  type GraphIR,
  type GraphNode,
  isInternalNode,
  isOneOf,
} from '../../graph/graph-ir.js';
import { remember } from '../../graph/maps.js';
import { inputNameOf } from '../../graph/names.js';
import { argumentSources, edgeRules } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

/**
 * What a PROCESS or FOLD edge does not take from its sources: a source that gives no arguments and is used nowhere else
 * (GG3026), a field that the edge declares itself (GG3027), and `OneOf` where the fields become separate arguments
 * (GG3028).
 */
export const sourceArguments: FlowRule = ({ ir }) => {
  const isUsed = usedElsewhere(ir);
  return ir.edges.flatMap((edge): readonly Diagnostic[] => {
    if (edge.type !== 'PROCESS' && edge.type !== 'FOLD') return none;
    const giving = argumentSources(edge);
    const others = giving === edge.sources ? undefined : new Set(giving);
    return edge.sources.flatMap((source) => {
      const isSpread = edge.type === 'PROCESS' || isInternalNode(source);
      if (others?.has(source) !== false && !(isSpread && hasNoFields(source))) {
        return isSpread ? findingsOfSpread(edge, source) : none;
      }
      const isEmpty = source.fields.length === 0 && !hasNoFields(source);
      return isEmpty || isUsed(source) ? none : [unused(edge, source)];
    });
  });
};

const none: readonly never[] = [];

/** Whether a source is a value itself, which has a place only where sources become arguments as a whole. */
function hasNoFields({ kind }: GraphNode): boolean {
  return kind === 'enum' || kind === 'scalar';
}

function unused({ type, args, span }: GraphEdge, { id: source, kind, typeName, span: place }: GraphNode) {
  const reason = args.length > 0 ? 'the edge declares its own' : `${type} takes the fields of its sources`;
  const labels = [{ span: place, message: `“${source}” is declared here` }];
  return diagnose('GG3026', { source, reason, type: typeName, kind }, span, { labels });
}

function findingsOfSpread({ args, span }: GraphEdge, source: GraphNode): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  if (isOneOf(source)) {
    const labels = [{ span: source.span, message: `“${source.id}” is declared here` }];
    findings.push(diagnose('GG3028', { source: source.id, type: source.typeName }, span, { labels }));
  }
  if (args.length === 0) return findings;
  const own = new Map(args.map((argument) => [argument.name, argument]));
  for (const { name, span: place } of source.fields) {
    const argument = own.get(name);
    if (argument === undefined) continue;
    const labels = [{ span: place, message: `“${name}” of “${source.id}”` }];
    findings.push(diagnose('GG3027', { argument: name, source: source.id }, argument.span, { labels }));
  }
  return findings;
}

/**
 * Makes a test for the nodes that are more than sources of arguments: edges make object types of them (targets, and the
 * sources of RACE and FORK edges), or a field, an argument or a result has their type or its input.
 */
export function usedElsewhere(ir: GraphIR): (node: GraphNode) => boolean {
  const projected = remember(knownProjected, ir, () => projectedNodes(ir));
  const { typesInUse } = ir;
  return (node) =>
    projected.has(node) || typesInUse.has(node.typeName) || typesInUse.has(inputNameOf(node.typeName));
}

/** Two rules ask for them. */
const knownProjected = new WeakMap<GraphIR, ReadonlySet<GraphNode>>();

function projectedNodes({ edges }: GraphIR): ReadonlySet<GraphNode> {
  const projected = new Set<GraphNode>();
  for (const { type, sources, targets } of edges) {
    if (!edgeRules.has(type)) continue;
    for (const node of targets) projected.add(node);
    if (type === 'RACE' || type === 'FORK') for (const node of sources) projected.add(node);
  }
  return projected;
}
