import type { Span } from '../../../base/source/span.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { routeCoordinate } from '../../../compiler/api/rest-routes.js';
import type {
  GqlEdgeOrigin,
  GqlField,
  GqlObjectType,
  GqlOperation,
} from '../../../compiler/schema/gql-schema.js';
import type { ChangePlace, Finding, Side, Touch } from './change.js';
import { type ChangeKind, changeKinds } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';
import { type ComparedSchema, type DeclaredType, nodeOf } from './comparison.js';

/** A part of the API, and its place in both topologies. */
export interface ComparedPart {
  readonly coordinate: string;
  readonly spans: Readonly<Record<Side, Span | undefined>>;
  readonly touch: Touch;
}

interface ChangeDetails {
  /** Default: the worst level of the kind. */
  readonly level?: ChangeLevel;
  /** The side that lacks the part, so that its place there is that of its parent. */
  readonly absentIn?: Side;
}

/** A change of a part, with a note on each of its places. */
export function changeOf(
  { coordinate, spans, touch }: ComparedPart,
  kind: ChangeKind,
  message: string,
  [was, is]: readonly [was: string, is: string],
  { level = changeKinds[kind].levels[0], absentIn }: ChangeDetails = {},
): Finding {
  const before = placeAt(spans.before, was, absentIn !== 'before');
  const after = placeAt(spans.after, is, absentIn !== 'after');
  return { kind, level, coordinate, message, before, after, touch };
}

function placeAt(span: Span | undefined, note: string, exact: boolean): ChangePlace | undefined {
  return span && { span, note, exact };
}

/** An operation that both schemas have. */
export function operationPart(old: GqlOperation, found: GqlOperation): ComparedPart {
  const spans = { before: spanOfOperation(old), after: spanOfOperation(found) };
  return { coordinate: operationCoordinate(old), spans, touch: { in: 'before', operations: [old] } };
}

/** The route of an operation that both schemas have. */
export function routePart(old: GqlOperation, found: GqlOperation): ComparedPart {
  const touch = { in: 'before', operations: [old], restOnly: true } as const;
  return { ...operationPart(old, found), coordinate: routeCoordinate(old), touch };
}

/** A type that both schemas have, with places of the type or of its parts. */
export function typePart(name: string, before: Span | undefined, after: Span | undefined): ComparedPart {
  return { coordinate: name, spans: { before, after }, touch: { in: 'before', type: name } };
}

/** A field that both schemas have. */
export function fieldPart(
  [oldType, newType]: readonly [GqlObjectType, GqlObjectType],
  [old, found]: readonly [GqlField, GqlField],
): ComparedPart {
  return {
    coordinate: `${oldType.name}.${old.name}`,
    spans: { before: old.span ?? oldType.node?.span, after: found.span ?? newType.node?.span },
    touch: { in: 'before', type: oldType.name, field: old.name },
  };
}

/** The place of a type: its node, or, for a union, its first edge. */
export function spanOfType(schema: ComparedSchema, type: DeclaredType): Span | undefined {
  return type.kind === 'union' ? type.type.edges[0]?.span : nodeOf(schema, type)?.span;
}

/** The place of an operation: its first edge. */
export function spanOfOperation({ edges }: GqlOperation): Span | undefined {
  return edges[0]?.span;
}

/** The place of an operation's target node in a schema without the operation. */
export function spanOfTarget(schema: ComparedSchema, { edges }: GqlOperation): Span | undefined {
  return schema.objectOfNode.get(edges[0]?.to ?? '')?.node?.span;
}

/** The origin of an operation or a union as text: equal origins have equal texts. */
export function printEdges(edges: readonly GqlEdgeOrigin[]): string {
  if (edges.length === 0) return 'a layer';
  return edges.map(({ edge, from, to }) => `(${from.join(' | ')})-[:${edge}]->(${to})`).join(', ');
}
