import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { GraphField, GraphNode } from '../../graph/graph-ir.js';

/**
 * Checks that every declared input has a value (GG3031): an input that requires itself, directly or through required
 * fields of other inputs, can never be given (GraphQL, September 2025, section 3.10). A list ends such a cycle, because
 * it may be empty. Each cycle is reported once, at the field that closes it.
 */
export function checkInputs(nodes: ReadonlyMap<string, GraphNode>, diagnostics: Diagnostic[]): void {
  const finished = new Set<GraphNode>();
  for (const start of nodes.values()) {
    if (start.kind !== 'input' || finished.has(start)) continue;
    // Without recursion: a chain of inputs may be as long as the topology.
    const way: Step[] = [{ node: start, next: 0 }];
    const at = new Map([[start, 0]]);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const field = step.node.fields[step.next++];
      if (field === undefined) {
        finished.add(step.node);
        at.delete(step.node);
        way.pop();
        continue;
      }
      const required = requiredInput(nodes, field);
      if (required === undefined || finished.has(required)) continue;
      const first = at.get(required);
      if (first === undefined) {
        at.set(required, way.length);
        way.push({ node: required, next: 0 });
      } else diagnostics.push(endless(way.slice(first), required, field));
    }
  }
}

/** More fields than this are not listed. */
const mostListed = 6;

/** An input on the way from the first one, and the position of its next field. */
interface Step {
  readonly node: GraphNode;
  next: number;
}

/** The declared input that a value of the field always contains. */
function requiredInput(nodes: ReadonlyMap<string, GraphNode>, { type }: GraphField): GraphNode | undefined {
  if (type.kind !== 'nonNull' || type.of.kind !== 'named') return undefined;
  const node = nodes.get(type.of.name);
  return node?.kind === 'input' ? node : undefined;
}

function endless(cycle: readonly Step[], { typeName: input }: GraphNode, { span }: GraphField): Diagnostic {
  const fields = cycle.map(({ node, next }) => `${node.typeName}.${node.fields[next - 1]?.name}`);
  const path =
    fields.length <= mostListed ? fields.join(', ') : `${fields.slice(0, mostListed).join(', ')}, …`;
  return diagnose('GG3031', { input, path }, span);
}
