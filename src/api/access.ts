import type { GqlAccess } from '../schema/gql-schema.js';

/** Access as a sentence, with its scopes in code of Markdown; undefined if nothing is said of it. */
export function describeAccess({ auth, scopes }: GqlAccess): string | undefined {
  if (auth === undefined) return undefined;
  if (auth === 'optional') return 'Authentication is optional.';
  if (scopes === undefined) return 'Requires authentication.';
  const listed = scopes.map((scope) => `\`${scope}\``).join(', ');
  return `Requires authentication with the ${scopes.length === 1 ? 'scope' : 'scopes'} ${listed}.`;
}
