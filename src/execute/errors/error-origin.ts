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
import { originsOf } from '../../provenance/origins.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { describePlace } from '../../source/span.js';

/** Where in the topology a field is declared that failed; `extensions.topology` of an error. */
export interface ErrorOrigin {
  /** The field: `Query.readUser`, `User.email`. */
  readonly coordinate: string;
  /** `file:line:column`; of an operation of several edges, each of them. */
  readonly places: readonly string[];
}

/** Finds the origin of an error of a field; undefined where the field comes from no topology. */
export type ErrorLocator = (error: GraphQLError, document: DocumentNode) => ErrorOrigin | undefined;

/**
 * Makes what finds the place of a failed field. It goes through the whole document, which only an error in
 * development is worth: the path of an error holds aliases, and no types.
 */
export function createErrorLocator(model: GqlSchema, schema: GraphQLSchema): ErrorLocator {
  return ({ nodes }, document) => {
    const [node] = nodes ?? [];
    if (node?.kind !== 'Field') return undefined;
    const owner = ownerOf(schema, document, node);
    if (owner === undefined) return undefined;
    const coordinate = `${owner}.${node.name.value}`;
    const origin = originsOf(model).get(coordinate);
    if (origin === undefined) return undefined;
    return { coordinate, places: origin.spans.map((span) => describePlace(model.sources, span)) };
  };
}

/** The name of the type that a field of a document is read of. */
function ownerOf(schema: GraphQLSchema, document: DocumentNode, node: FieldNode): string | undefined {
  const info = new TypeInfo(schema);
  let owner: string | undefined;
  const find = (field: FieldNode): typeof BREAK | undefined => {
    if (field !== node) return undefined;
    owner = info.getParentType()?.name;
    return BREAK;
  };
  visit(document, visitWithTypeInfo(info, { Field: find }));
  return owner;
}
