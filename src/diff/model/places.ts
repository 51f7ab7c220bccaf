import type { GqlEdgeOrigin, GqlNodeOrigin, GqlOperation, GqlUnionType } from '../../schema/gql-schema.js';
import type { Span } from '../../source/span.js';
import type { ChangePlace } from './change.js';
import { type ComparedSchema, type DeclaredType, nodeOf } from './comparison.js';

/** The place of the thing itself; undefined if it does not come from a topology. */
export function placeAt(span: Span | undefined, note: string): ChangePlace | undefined {
  return span === undefined ? undefined : { span, note, exact: true };
}

/** The place of the parent, for a thing that is absent. */
export function placeNear(span: Span | undefined, note: string): ChangePlace | undefined {
  return span === undefined ? undefined : { span, note, exact: false };
}

/** The place of a type: its node, or, for a union, its first edge. */
export function spanOfType(schema: ComparedSchema, type: DeclaredType): Span | undefined {
  return type.kind === 'union' ? type.type.edges[0]?.span : nodeOf(schema, type)?.span;
}

/** The place of an operation: its first edge. */
export function spanOfOperation({ edges }: GqlOperation): Span | undefined {
  return edges[0]?.span;
}

/** The place of a union member: the first edge with its node as a source. */
export function spanOfMember(schema: ComparedSchema, union: GqlUnionType, member: string): Span | undefined {
  const found = union.edges.find(({ from }) =>
    from.some((id) => schema.objectOfNode.get(id)?.name === member),
  );
  return (found ?? union.edges[0])?.span;
}

/** The place of an operation's target node on the other side, for an operation that the other side lacks. */
export function spanOfTarget(schema: ComparedSchema, { edges }: GqlOperation): Span | undefined {
  const target = edges[0]?.to;
  return target === undefined ? undefined : schema.objectOfNode.get(target)?.node?.span;
}

/** The origin of an operation or a union as text: equal origins have equal texts. */
export function describeEdges(edges: readonly GqlEdgeOrigin[]): string {
  if (edges.length === 0) return 'a layer';
  return edges.map(({ edge, from, to }) => `(${from.join(' | ')})-[:${edge}]->(${to})`).join(', ');
}

/** The origin of a type as text: equal origins have equal texts. */
export function describeNode({ id, labels }: GqlNodeOrigin): string {
  return `(${[id, ...labels].join(':')})`;
}
