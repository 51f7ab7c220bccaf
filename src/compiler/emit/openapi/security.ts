import type { OpenAPIV3_1 } from 'openapi-types';
import { allOperations, type GqlAccess, type GqlSchema, type GqlSecurityScheme } from '../../schema/gql-schema.js';

/** The component `securitySchemes` (OpenAPI 3.1, section 4.8.27), if any route reads credentials. */
export function securitySchemes(schema: GqlSchema): Pick<OpenAPIV3_1.ComponentsObject, 'securitySchemes'> {
  const operations = allOperations(schema);
  if (operations.every(({ auth }) => auth === undefined)) return {};
  return { securitySchemes: schemeObjects(schema) };
}

/** The schemes of a schema, by name. */
export function schemeObjects({
  security = [],
}: GqlSchema): Readonly<Record<string, OpenAPIV3_1.SecuritySchemeObject>> {
  const names = schemeNames(security);
  return Object.fromEntries(security.map((scheme, at) => [names[at] as string, schemeObject(scheme)]));
}

/**
 * The requirements of one operation, any of which is enough (OpenAPI 3.1, section 4.8.30); undefined if everybody may
 * call it. Any scheme may list scopes. Of several scopes of which one is enough, each makes an alternative; what else is
 * demanded stands in `x-access`.
 */
export function securityRequirements(
  { security = [] }: GqlSchema,
  { auth, scopes = [], anyScope }: GqlAccess,
): OpenAPIV3_1.SecurityRequirementObject[] | undefined {
  if (auth === undefined) return undefined;
  const lists = anyScope === undefined ? [scopes] : anyScope.map((scope) => [...new Set([...scopes, scope])]);
  const alternatives = schemeNames(security).flatMap((name) => lists.map((list) => ({ [name]: [...list] })));
  return auth === 'optional' ? [...alternatives, {}] : alternatives;
}

function schemeObject(scheme: GqlSecurityScheme): OpenAPIV3_1.SecuritySchemeObject {
  if (scheme.type === 'apiKey') return { type: 'apiKey', in: 'header', name: scheme.header };
  const { format } = scheme;
  return { type: 'http', scheme: 'bearer', ...(format === undefined ? {} : { bearerFormat: format }) };
}

/** `bearer` and `apiKey`; a second scheme of a type has a number. */
function schemeNames(schemes: readonly GqlSecurityScheme[]): readonly string[] {
  return schemes.map(({ type }, at) => {
    const before = schemes.slice(0, at).filter((other) => other.type === type).length;
    return before === 0 ? type : `${type}${before + 1}`;
  });
}
