import type { GqlAccess, GqlSchema } from './gql-schema.js';

/**
 * The schemes by which callers authenticate, unless the project gives others: a JSON Web Token as bearer (RFC 6750,
 * section 2.1). None if no part of the API says who may use it.
 */
export function securityOf(schema: GqlSchema): Pick<GqlSchema, 'security'> {
  const { queries, mutations, subscriptions, objects, interfaces = [] } = schema;
  const isUsed =
    [queries, mutations, subscriptions].some((operations) => operations.some(hasAccess)) ||
    [objects, interfaces].some((types) =>
      types.some((type) => hasAccess(type) || type.fields.some(hasAccess)),
    );
  return isUsed ? { security: [{ type: 'bearer', format: 'JWT' }] } : {};
}

function hasAccess({ auth }: GqlAccess): boolean {
  return auth !== undefined;
}
