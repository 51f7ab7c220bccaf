import { countOperations } from '../../../compiler/api/own-operations.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';

/** A number and its noun: `1 query`, `2 queries`, `0 unions`. */
export function count(many: number, one: string, several = `${one}s`): string {
  return `${many} ${many === 1 ? one : several}`;
}

/** The contents of a schema in one line: `2 queries, 1 mutation, 0 subscriptions, 1 union, 14 types`. */
export function countProjection(schema: GqlSchema): string {
  const { query, mutation, subscription } = countOperations(schema);
  return [
    count(query, 'query', 'queries'),
    count(mutation, 'mutation'),
    count(subscription, 'subscription'),
    count(schema.unions.length, 'union'),
    count(
      schema.objects.length + (schema.interfaces?.length ?? 0) + schema.enums.length + schema.scalars.length,
      'type',
    ),
  ].join(', ');
}
