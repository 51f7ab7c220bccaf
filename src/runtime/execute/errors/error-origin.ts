import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { originsOf } from '../../../analysis/provenance/origins.js';
import { describePlace } from '../../../base/source/span.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { FaultPlace } from '../../logs/monitor.js';

/** Finds where a failed field is declared, for `extensions.topology`; undefined if it does not come from a topology. */
export type ErrorLocator = (error: GraphQLError, document: DocumentNode) => FaultPlace | undefined;

export function createErrorLocator(model: GqlSchema, schema: GraphQLSchema): ErrorLocator {
  const operations = new Map(
    allOperations(model).map((operation) => [operationCoordinate(operation), operation]),
  );
  return ({ nodes }, document) => {
    const [node] = nodes ?? [];
    if (node?.kind !== 'Field') return undefined;
    const owner = ownerOf(schema, document, node);
    if (owner === undefined) return undefined;
    const coordinate = `${owner}.${node.name.value}`;
    const origin = originsOf(model).get(coordinate);
    if (origin === undefined) return undefined;
    const places = origin.spans.map((span) => describePlace(model.sources, span));
    const operation = operations.get(coordinate);
    if (operation === undefined) return { coordinate, places };
    return { coordinate, edges: edgesOf(model, operation).map(({ edge }) => edge), places };
  };
}

/** The name of the type whose field a node of a document reads. */
function ownerOf(schema: GraphQLSchema, document: DocumentNode, node: FieldNode): string | undefined {
  const types = new TypeInfo(schema);
  let owner: string | undefined;
  const find = (field: FieldNode): typeof BREAK | undefined => {
    if (field !== node) return undefined;
    owner = types.getParentType()?.name;
    return BREAK;
  };
  visit(document, visitWithTypeInfo(types, { Field: find }));
  return owner;
}

export interface EdgeReference {
  /** `root -[:PROCESS]-> read_user` */
  readonly edge: string;
  /** `service.gg:45:1` */
  readonly source: string;
}

export function edgesOf(schema: GqlSchema, operation: Pick<GqlOperation, 'edges'>): readonly EdgeReference[] {
  return operation.edges.map(({ edge, from, to, span }) => ({
    edge: `${from.join(' | ')} -[:${edge}]-> ${to}`,
    source: describePlace(schema.sources, span),
  }));
}
