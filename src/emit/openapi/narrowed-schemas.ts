import type { OpenAPIV3_1 } from 'openapi-types';
import { isComposite } from '../../api/nesting.js';
import { restRoutes, takesFields } from '../../api/rest-routes.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlObjectType, GqlSchema, GqlUnionType } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import { componentRef, type JsonSchema, typeSchema } from './type-schema.js';

/**
 * The component schemas of answers that `?fields=` has narrowed: for each type that such an answer can hold,
 * `{Type}.Narrowed`, which requires nothing of what the type does, as any of it may not have been asked for.
 * GraphQL names have no dot, so the names are free. The schemas of the types themselves stay strict.
 */
export function narrowedSchemas(schema: GqlSchema): Record<string, OpenAPIV3_1.SchemaObject> {
  const components: Record<string, OpenAPIV3_1.SchemaObject> = {};
  const waiting = restRoutes(schema).flatMap(({ method, operation }) =>
    takesFields(schema, method, operation) ? [baseName(operation.type)] : [],
  );
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const found = namedType(schema, name);
    if (Object.hasOwn(components, narrowedName(name))) continue;
    if (found.kind === 'object') {
      components[narrowedName(name)] = narrowedObject(schema, found.type);
      const nested = found.type.fields.map((field) => baseName(field.type));
      waiting.push(...nested.filter((field) => isComposite(schema, field)));
    } else if (found.kind === 'union') {
      components[narrowedName(name)] = narrowedUnion(found.type);
      waiting.push(...found.type.members);
    }
  }
  return components;
}

/** The schema of an answer of a type that `?fields=` has narrowed. */
export function narrowedSchema(schema: GqlSchema, type: TypeRef): JsonSchema {
  return typeSchema(schema, type, (name) =>
    componentRef(isComposite(schema, name) ? narrowedName(name) : name),
  );
}

function narrowedObject(schema: GqlSchema, { name, fields }: GqlObjectType): OpenAPIV3_1.SchemaObject {
  const properties: Record<string, JsonSchema> = { __typename: { type: 'string', const: name } };
  for (const field of fields) properties[field.name] = narrowedSchema(schema, field.type);
  return { type: 'object', description: `${name}, with the fields that were asked for.`, properties };
}

/** `__typename` is never left out here: it is what tells the members apart. */
function narrowedUnion({ name, members }: GqlUnionType): OpenAPIV3_1.SchemaObject {
  return {
    description: `${name}, with the fields that were asked for.`,
    anyOf: members.map((member) => ({
      allOf: [componentRef(narrowedName(member))],
      properties: { __typename: { type: 'string', const: member } },
      required: ['__typename'],
    })),
  };
}

function narrowedName(name: string): string {
  return `${name}.Narrowed`;
}
