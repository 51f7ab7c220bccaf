import type { OpenAPIV3_1 } from 'openapi-types';
import type { ListTypeRef, NamedTypeRef, TypeRef } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/** A JSON Schema in an OpenAPI 3.1 document: in full, or a reference to a component. */
export type JsonSchema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

/** Annotations of a schema; OpenAPI 3.1 allows them beside a reference, too. */
export interface Annotations {
  description?: string;
  default?: unknown;
  examples?: unknown[];
}

/** Adds a description if there is one. It changes its argument, because documents have thousands of these. */
export function describe(target: { description?: string }, description: string | undefined): void {
  if (description !== undefined && description !== '') target.description = description;
}

/**
 * The JSON Schema of a type reference: null is allowed exactly where GraphQL allows it. Each call returns a new
 * object, so that the caller may add annotations to it.
 *
 * @param refOf - The component of a type that is not built in.
 */
export function typeSchema(
  schema: GqlSchema,
  type: TypeRef,
  refOf: RefOf = schemaRef,
): JsonSchema & Annotations {
  if (type.kind === 'nonNull') return nonNullSchema(schema, type.of, refOf);
  if (type.kind === 'list') return { type: ['array', 'null'], items: typeSchema(schema, type.of, refOf) };
  const found = namedType(schema, type.name);
  if (found.kind !== 'builtin') return { oneOf: [refOf(schema, type.name), { type: 'null' }] };
  const { type: name, format } = found.wire.jsonSchema;
  return (format === undefined ? { type: [name, 'null'] } : { type: [name, 'null'], format }) as JsonSchema;
}

type RefOf = (schema: GqlSchema, name: string) => OpenAPIV3_1.ReferenceObject;

function schemaRef(_: GqlSchema, name: string): OpenAPIV3_1.ReferenceObject {
  return componentRef(name);
}

/** The JSON Schema of a type reference where null is not allowed. Each call returns a new object. */
export function nonNullSchema(
  schema: GqlSchema,
  type: NamedTypeRef | ListTypeRef,
  refOf: RefOf = schemaRef,
): JsonSchema & Annotations {
  if (type.kind === 'list') return { type: 'array', items: typeSchema(schema, type.of, refOf) };
  const found = namedType(schema, type.name);
  if (found.kind !== 'builtin') return refOf(schema, type.name);
  const { type: name, format } = found.wire.jsonSchema;
  return (format === undefined ? { type: name } : { type: name, format }) as JsonSchema;
}

/** A reference to the component schema of a name. */
export function componentRef(name: string): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}
