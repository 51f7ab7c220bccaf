import { compile } from '../../src/compiler/compile.js';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { goldenExample, parcelExample, serviceExample } from '../compiler/emit/examples.js';

/** Schemas with everything that a form can ask for. */
export const schemas: readonly (readonly [name: string, GqlSchema])[] = [
  ['service', serviceExample()],
  ['parcel', parcelExample()],
  ...['inputs', 'routes', 'scalars', 'pages', 'interfaces', 'field-arguments', 'auth'].map(
    (name) => [name, goldenExample(`language-${name}`)] as const,
  ),
];

/** All operations of these schemas. */
export const operations: readonly (readonly [name: string, GqlSchema, GqlOperation])[] = schemas.flatMap(
  ([name, schema]) =>
    [...schema.queries, ...schema.mutations, ...schema.subscriptions].map(
      (operation) => [`${name}: ${operation.name}`, schema, operation] as const,
    ),
);

/** The schema of a topology without mistakes. */
export function schemaOf(topology: string): GqlSchema {
  const result = compile(topology);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.schema;
}

/** The operation of a name. */
export function operationNamed(schema: GqlSchema, name: string): GqlOperation {
  const all = [...schema.queries, ...schema.mutations, ...schema.subscriptions];
  return all.find((operation) => operation.name === name) as GqlOperation;
}
