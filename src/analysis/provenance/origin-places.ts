import type { Span } from '../../base/source/span.js';
import { operationAt } from '../../compiler/api/operation-coordinate.js';
import type { GqlEdgeOrigin, GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Origin } from './origins.js';

export interface OriginPlace {
  readonly span: Span;
  /** The element there: `node user`, `PROCESS edge root → read_user`. */
  readonly what: string;
}

/** The places of an origin, with a description of each. */
export function placesOf(schema: GqlSchema, origin: Origin): readonly OriginPlace[] {
  const edges = edgesOf(schema, origin.coordinate);
  if (edges !== undefined) return edges.map((edge) => ({ span: edge.span, what: describeEdge(edge) }));
  return origin.spans.map((span) => ({ span, what: describeDeclaration(origin) }));
}

function edgesOf(schema: GqlSchema, coordinate: string): readonly GqlEdgeOrigin[] | undefined {
  const union = schema.unions.find(({ name }) => name === coordinate);
  return (operationAt(schema, coordinate) ?? union)?.edges;
}

function describeDeclaration({ coordinate, rule, node }: Origin): string {
  const member = /(?:\.|\()(\w+)(?::\))?$/.exec(coordinate)?.[1];
  switch (rule) {
    case 'field':
    case 'inputField':
    case 'declaredInputField':
    case 'sourceArgument':
      return `property ${member} of node ${node}`;
    case 'fieldArgument':
      return `argument ${member} of a field of node ${node}`;
    case 'enumValue':
      return `value ${member} of node ${node}`;
    case 'ownArgument':
      return `property ${member} of the edge`;
    default:
      return `node ${node}`;
  }
}

function describeEdge({ edge, from, to }: GqlEdgeOrigin): string {
  return `${edge} edge ${from.join(' | ')} → ${to}`;
}
