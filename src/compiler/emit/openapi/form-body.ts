import type { OpenAPIV3_1 } from 'openapi-types';
import { type FormPart, formParts, isJsonPart } from '../../api/form-parts.js';
import { isRequired } from '../../api/is-required.js';
import { placeArguments, type RestRoute } from '../../api/rest-routes.js';
import { nonNull, nullable } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { argumentsSchema, objectOf } from './component-schemas.js';
import { textSchema } from './parameters.js';
import { annotate, inInputs, type JsonSchema, setDescription, typeSchema } from './type-schema.js';

/**
 * The body of a route that takes files, as a form (OpenAPI 3.1, section 4.8.14.5); undefined for other routes. A route
 * without a required file takes JSON, too.
 */
export function formBody(schema: GqlSchema, route: RestRoute): OpenAPIV3_1.RequestBodyObject | undefined {
  const parts = formParts(schema, route);
  if (parts === undefined) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const encoding: Record<string, OpenAPIV3_1.EncodingObject> = {};
  for (const part of parts) {
    properties[part.name] = partSchema(schema, part);
    const contentType = part.isFile ? '*/*' : isJsonPart(schema, part) ? 'application/json' : undefined;
    if (contentType !== undefined) encoding[part.name] = { contentType };
  }
  const required = parts.filter(({ place }) => isRequired(place));
  const form = objectOf(
    undefined,
    properties,
    required.map(({ name }) => name),
  );
  const content: OpenAPIV3_1.RequestBodyObject['content'] = {
    'multipart/form-data': { schema: Object.assign(form, { additionalProperties: false }), encoding },
  };
  if (!required.some(({ isFile }) => isFile))
    content['application/json'] = { schema: argumentsSchema(schema, placeArguments(route).body ?? []) };
  const description = 'The arguments of the operation, by name: first the texts, then the files.';
  return { description, required: required.length > 0, content };
}

/** A form has no null, so that the schema of a part has none. */
function partSchema(schema: GqlSchema, part: FormPart): JsonSchema {
  const { place, fields } = part;
  if (fields !== undefined) return argumentsSchema(schema, fields, place.description);
  const isWhole = part.isFile || isJsonPart(schema, part);
  const made = isWhole ? typeSchema(schema, nonNull(nullable(place.type)), inInputs) : textSchema(schema, place.type);
  setDescription(made, place.description);
  annotate(made, place);
  if (place.fallback !== undefined && place.fallback !== null) made.default = place.fallback;
  return made;
}
