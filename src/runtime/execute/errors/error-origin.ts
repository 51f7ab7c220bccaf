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
import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { FaultPlace } from '../../logs/monitor.js';
import { edgesOf } from './origin.js';

/**
 * Makes the function that finds where a failed field is declared, for `extensions.topology`; undefined if it does not
 * come from a topology.
 */
export function createErrorLocator(model: GqlSchema, schema: GraphQLSchema) {
  const operations = new Map(allOperations(model).map((operation) => [operationCoordinate(operation), operation]));
  return ({ nodes }: GraphQLError, document: DocumentNode): FaultPlace | undefined => {
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
