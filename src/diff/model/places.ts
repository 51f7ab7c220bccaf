import type { GqlEdgeOrigin, GqlNodeOrigin, GqlOperation, GqlUnionType } from '../../schema/gql-schema.js';
import type { Span } from '../../source/span.js';
import type { ChangePlace } from './change.js';
import { type ComparedSchema, type DeclaredType, nodeOf } from './comparison.js';

/** The place of the thing itself; undefined for what no topology wrote. */
export function placeAt(span: Span | undefined, note: string): ChangePlace | undefined {
  return span === undefined ? undefined : { span, note, exact: true };
}

/** The place of what would hold the thing, where the thing itself is not. */
export function placeNear(span: Span | undefined, note: string): ChangePlace | undefined {
  return span === undefined ? undefined : { span, note, exact: false };
}

/** Where a type was made: at its node, or, for a union, at its first edge. */
export function spanOfType(schema: ComparedSchema, type: DeclaredType): Span | undefined {
  return type.kind === 'union' ? type.type.edges[0]?.span : nodeOf(schema, type)?.span;
}

/** Where an operation was made: at its first edge. */
export function spanOfOperation({ edges }: GqlOperation): Span | undefined {
  return edges[0]?.span;
}

/** Where a member joined a union: at the first edge that has its node as a source. */
export function spanOfMember(schema: ComparedSchema, union: GqlUnionType, member: string): Span | undefined {
  const found = union.edges.find(({ from }) =>
    from.some((id) => schema.objectOfNode.get(id)?.name === member),
  );
  return (found ?? union.edges[0])?.span;
}

/**
 * Where the other side has the node that an operation led to, for an operation that the other side
 * does not have.
 */
export function spanOfTarget(schema: ComparedSchema, { edges }: GqlOperation): Span | undefined {
  const target = edges[0]?.to;
  return target === undefined ? undefined : schema.objectOfNode.get(target)?.node?.span;
}

/** What edges say of where something comes from, as text that is the same for the same. */
export function describeEdges(edges: readonly GqlEdgeOrigin[]): string {
  if (edges.length === 0) return 'a layer';
  return edges.map(({ edge, from, to }) => `(${from.join(' | ')})-[:${edge}]->(${to})`).join(', ');
}

/** What a node says of itself, as text that is the same for the same. */
export function describeNode({ id, labels }: GqlNodeOrigin): string {
  return `(${[id, ...labels].join(':')})`;
}
