import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { originsOf } from '../../../analysis/provenance/origins.js';
import { describePlace } from '../../../base/source/span.js';
import { rootTypeOf } from '../../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { FaultPlace } from '../../logs/monitor.js';
import { edgesOf } from './origin.js';

/** Finds where a failed field is declared, for `extensions.topology`; undefined if it does not come from a topology. */
export type ErrorLocator = (error: GraphQLError, document: DocumentNode) => FaultPlace | undefined;

export function createErrorLocator(model: GqlSchema, schema: GraphQLSchema): ErrorLocator {
  const operations = new Map(
    allOperations(model).map((operation) => [`${rootTypeOf(operation.kind)}.${operation.name}`, operation]),
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
  const search = (
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
  ): string | undefined => {
    for (const selection of selections) {
      if (selection === node) return type?.name;
      if (selection.kind === 'FragmentSpread' || selection.selectionSet === undefined) continue;
      const found = search(selection.selectionSet, below(type, selection));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const below = (
    type: GraphQLNamedType | undefined,
    selection: Exclude<SelectionSetNode['selections'][number], { kind: 'FragmentSpread' }>,
  ): GraphQLNamedType | undefined => {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection;
      return typeCondition === undefined ? type : schema.getType(typeCondition.name.value);
    }
    const field = isObjectType(type) ? type.getFields()[selection.name.value] : undefined;
    return field && getNamedType(field.type);
  };
  for (const definition of document.definitions) {
    const type =
      definition.kind === 'OperationDefinition'
        ? schema.getRootType(definition.operation)
        : definition.kind === 'FragmentDefinition'
          ? schema.getType(definition.typeCondition.name.value)
          : undefined;
    if (type === undefined || type === null || !('selectionSet' in definition)) continue;
    const found = search(definition.selectionSet, type);
    if (found !== undefined) return found;
  }
  return undefined;
}
