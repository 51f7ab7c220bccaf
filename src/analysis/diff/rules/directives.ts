import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';

/** The directives of provenance and access: the SDL declares each only if something uses it. */
export function* directiveChanges({ before, after }: Comparison): Iterable<Finding> {
  for (const [coordinate, isUsed] of directives) {
    const [was, is] = [isUsed(before.schema), isUsed(after.schema)];
    if (was === is) continue;
    yield {
      kind: was ? 'directive-removed' : 'directive-added',
      level: was ? 'breaking' : 'safe',
      coordinate,
      message: was
        ? `The directive ${coordinate} was removed, because it is not used any more.`
        : `The directive ${coordinate} was added.`,
      before: undefined,
      after: undefined,
      touch: { in: was ? 'before' : 'after', operations: [] },
    };
  }
}

const directives: readonly (readonly [string, (schema: GqlSchema) => boolean])[] = [
  [
    '@topology',
    ({ queries, mutations, subscriptions, unions }) =>
      [queries, mutations, subscriptions, unions].some((list) => list.some(({ edges }) => edges.length > 0)),
  ],
  [
    '@node',
    ({ objects, enums, scalars, inputs, interfaces = [] }) =>
      [objects, enums, scalars, inputs, interfaces].some((list) =>
        list.some(({ node }) => node !== undefined),
      ),
  ],
  ['@auth', ({ security }) => security !== undefined],
  [
    '@open',
    ({ unions, ...schema }) => [...allOperations(schema), ...unions].some(({ open }) => open !== undefined),
  ],
];
