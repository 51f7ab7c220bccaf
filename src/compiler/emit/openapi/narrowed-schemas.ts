import type { OpenAPIV3_1 } from 'openapi-types';
import { answeredFields } from '../../api/is-required.js';
import { answerType, restRoutes, streamRoutes, takesFields } from '../../api/rest-routes.js';
import { baseName, type TypeRef } from '../../graph/type-ref.js';
import type { GqlObjectType, GqlSchema } from '../../schema/gql-schema.js';
import { isComposite, memberNames, namedType } from '../../schema/schema-index.js';
import { componentRef, inAnswers, type JsonSchema, type NamedSchemas, typeSchema } from './type-schema.js';

/**
 * The component schemas of results that `?fields=` narrows: `{Type}.Narrowed` for each type that such a result can
 * hold. It requires no field, because the client may leave out any of them; the schema of the type itself stays
 * strict. GraphQL names contain no dot, so the names are free.
 */
export function* narrowedSchemas(schema: GqlSchema): Iterable<readonly [string, OpenAPIV3_1.SchemaObject]> {
  const added = new Set<string>();
  const waiting = [...streamRoutes(schema), ...restRoutes(schema)].flatMap((route) =>
    takesFields(schema, route) ? [baseName(answerType(route.operation))] : [],
  );
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (added.has(name)) continue;
    added.add(name);
    const found = namedType(schema, name);
    if (found.kind === 'object') {
      yield [narrowedName(name), narrowedObject(schema, found.type)];
      waiting.push(...answeredFields(found.type.fields).map((field) => baseName(field.type)));
    } else if (found.kind === 'union' || found.kind === 'interface') {
      const members = memberNames(found);
      yield [narrowedName(name), narrowedUnion(name, members)];
      waiting.push(...members);
    }
  }
}

/** The schema of a result that `?fields=` narrows. */
export function narrowedSchema(schema: GqlSchema, type: TypeRef): JsonSchema {
  return typeSchema(schema, type, inNarrowedAnswers);
}

const inNarrowedAnswers: NamedSchemas = {
  ...inAnswers,
  refOf: (schema, name) => componentRef(isComposite(schema, name) ? narrowedName(name) : name),
};

function narrowedObject(schema: GqlSchema, { name, fields }: GqlObjectType): OpenAPIV3_1.SchemaObject {
  const properties: Record<string, JsonSchema> = { __typename: { type: 'string', const: name } };
  for (const field of answeredFields(fields)) properties[field.name] = narrowedSchema(schema, field.type);
  return { type: 'object', description: `${name}, with the requested fields.`, properties };
}

/** `__typename` is required even here: it tells the members apart. */
function narrowedUnion(name: string, members: readonly string[]): OpenAPIV3_1.SchemaObject {
  if (members.length === 0) return { type: 'object' };
  return {
    description: `${name}, with the requested fields.`,
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
