import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type GraphEdge, type GraphIR, type GraphNode, isInternalNode, isOneOf } from '../../graph/graph-ir.js';
import { perObject } from '../../graph/maps.js';
import { inputNameOf } from '../../graph/names.js';
import { argumentSources, edgeRules } from '../edge-rules/edge-rules.js';
import type { FlowRule } from './flow-rule.js';

/**
 * The parts of its sources that a PROCESS or FOLD edge does not take: a source that gives no arguments and is used
 * nowhere else (GG3026), a field that the edge declares itself (GG3027), and `OneOf` where the fields become separate
 * arguments (GG3028).
 */
export const sourceArguments: FlowRule = ({ ir }) => {
  const isUsed = usedElsewhere(ir);
  const findings: Diagnostic[] = [];
  for (const edge of ir.edges) {
    if (edge.type !== 'PROCESS' && edge.type !== 'FOLD') continue;
    const giving = argumentSources(edge);
    const given = giving === edge.sources ? undefined : new Set(giving);
    for (const source of edge.sources) {
      const isGiven = given === undefined || given.has(source);
      const isSpread = edge.type === 'PROCESS' || isInternalNode(source);
      if (isGiven && !(isSpread && hasNoFields(source))) {
        if (isSpread) addFindingsOfSpread(edge, source, findings);
        continue;
      }
      const isEmpty = source.fields.length === 0 && !hasNoFields(source);
      if (!isEmpty && !isUsed(source)) findings.push(unused(edge, source));
    }
  }
  return findings;
};

/** Whether a source is a value itself, which has a place only where sources become arguments as a whole. */
function hasNoFields({ kind }: GraphNode): boolean {
  return kind === 'enum' || kind === 'scalar';
}

function unused({ type, args, span }: GraphEdge, { id: source, kind, typeName, span: place }: GraphNode) {
  const reason = args.length > 0 ? 'the edge declares its own' : `${type} takes the fields of its sources`;
  const labels = [{ span: place, message: `“${source}” is declared here` }];
  return diagnose('GG3026', { source, reason, type: typeName, kind }, span, { labels });
}

function addFindingsOfSpread({ args, span }: GraphEdge, source: GraphNode, findings: Diagnostic[]): void {
  if (isOneOf(source)) {
    const labels = [{ span: source.span, message: `“${source.id}” is declared here` }];
    findings.push(diagnose('GG3028', { source: source.id, type: source.typeName }, span, { labels }));
  }
  if (args.length === 0) return;
  const own = new Map(args.map((argument) => [argument.name, argument]));
  for (const { name, span: place } of source.fields) {
    const argument = own.get(name);
    if (argument === undefined) continue;
    const labels = [{ span: place, message: `“${name}” of “${source.id}”` }];
    findings.push(diagnose('GG3027', { argument: name, source: source.id }, argument.span, { labels }));
  }
}

/**
 * Makes a test for the nodes that are more than sources of arguments: edges make object types of them (targets, and the
 * sources of RACE and FORK edges), or a field, an argument or a result has their type or its input.
 */
export function usedElsewhere(ir: GraphIR): (node: GraphNode) => boolean {
  const projected = projectedNodes(ir);
  const { typesInUse } = ir;
  return ({ index, typeName }) =>
    projected[index] === 1 || typesInUse.has(typeName) || typesInUse.has(inputNameOf(typeName));
}

/** Marks by the index of the node. Two rules ask for them. */
const projectedNodes = perObject(({ edges, nodes }: GraphIR): Uint8Array => {
  const projected = new Uint8Array(nodes.size);
  for (const { type, sources, targets } of edges) {
    if (!edgeRules.has(type)) continue;
    for (const { index } of targets) projected[index] = 1;
    if (type === 'RACE' || type === 'FORK') for (const { index } of sources) projected[index] = 1;
  }
  return projected;
});
