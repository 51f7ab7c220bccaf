import { allOperations, type GqlOperation, type GqlSchema } from '../schema/gql-schema.js';

/** The root type of an operation: `Query`. */
export function rootTypeOf(kind: GqlOperation['kind']): 'Query' | 'Mutation' | 'Subscription' {
  return kind === 'query' ? 'Query' : kind === 'mutation' ? 'Mutation' : 'Subscription';
}

/** The schema coordinate of an operation: `Query.readUser`. */
export function operationCoordinate({ kind, name }: Pick<GqlOperation, 'kind' | 'name'>): string {
  return `${rootTypeOf(kind)}.${name}`;
}

/** The operation at a schema coordinate; undefined if there is none. */
export function operationAt(schema: GqlSchema, coordinate: string): GqlOperation | undefined {
  return allOperations(schema).find((operation) => operationCoordinate(operation) === coordinate);
}
