import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { type Comparison, pairNames, placelessChange } from '../model/comparison.js';

/** The directives of provenance and access: the SDL declares each only if something uses it. */
export function* directiveChanges({ before, after }: Comparison) {
  const { removed, added } = pairNames(directivesOf(before.schema), directivesOf(after.schema));
  for (const name of removed) {
    const message = `The directive ${name} was removed, because it is not used any more.`;
    yield placelessChange('directive-removed', name, message, { in: 'before', operations: [] });
  }
  for (const name of added) {
    const message = `The directive ${name} was added.`;
    yield placelessChange('directive-added', name, message, { in: 'after', operations: [] });
  }
}

function directivesOf(schema: GqlSchema): readonly string[] {
  const { objects, enums, scalars, inputs, interfaces = [], unions, security } = schema;
  const results = [...allOperations(schema), ...unions];
  const types = [...objects, ...enums, ...scalars, ...inputs, ...interfaces];
  return [
    ...(results.some(({ edges }) => edges.length > 0) ? ['@topology'] : []),
    ...(types.some(({ node }) => node !== undefined) ? ['@node'] : []),
    ...(security === undefined ? [] : ['@auth']),
    ...(results.some(({ open }) => open !== undefined) ? ['@open'] : []),
  ];
}
