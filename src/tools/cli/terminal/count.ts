import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';

/** A number and its noun: `1 query`, `2 queries`, `0 unions`. */
export function count(many: number, one: string, several = `${one}s`): string {
  return `${many} ${many === 1 ? one : several}`;
}

/** The contents of a schema in one line: `2 queries, 1 mutation, 0 subscriptions, 1 union, 14 types`. */
export function countProjection(schema: GqlSchema): string {
  return [
    count(schema.queries.length, 'query', 'queries'),
    count(schema.mutations.length, 'mutation'),
    count(schema.subscriptions.length, 'subscription'),
    count(schema.unions.length, 'union'),
    count(
      schema.objects.length + (schema.interfaces?.length ?? 0) + schema.enums.length + schema.scalars.length,
      'type',
    ),
  ].join(', ');
}
