import type { GqlOperation, GqlSchema, GqlSecurityScheme } from '../../schema/gql-schema.js';
import type { CollectionAuth, CollectionAuthPart, CollectionRequest, CollectionVariable } from './format.js';

/** The variable that holds the credentials. */
export const tokenVariable = 'token';

/** The authentication of a collection and its variable: the first of the schemes, because any one is enough. */
export function collectionAuth({ security: [scheme] = [] }: GqlSchema): {
  readonly auth?: CollectionAuth;
  readonly variables: readonly CollectionVariable[];
} {
  if (scheme === undefined) return { variables: [] };
  const what = scheme.type === 'bearer' ? 'bearer token' : 'API key';
  const description = `The ${what} of the requests that require authentication.`;
  return {
    auth: authOf(scheme),
    variables: [{ key: tokenVariable, value: '', type: 'string', description }],
  };
}

function authOf(scheme: GqlSecurityScheme): CollectionAuth {
  const value = `{{${tokenVariable}}}`;
  if (scheme.type === 'bearer') return { type: 'bearer', bearer: [part('token', value)] };
  const apikey = [part('key', scheme.header), part('value', value), part('in', 'header')];
  return { type: 'apikey', apikey };
}

function part(key: string, value: string): CollectionAuthPart {
  return { key, value, type: 'string' };
}

/** A request that requires no authentication sends none, so that it works without a token, too. */
export function requestAuth(
  { security }: GqlSchema,
  { auth }: GqlOperation,
): Pick<CollectionRequest, 'auth'> {
  return security === undefined || auth === 'required' ? {} : { auth: { type: 'noauth' } };
}
