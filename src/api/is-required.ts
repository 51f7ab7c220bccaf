import type { GqlArgument } from '../schema/gql-schema.js';

/** Whether callers must give an argument or an input field: it is non-null and has no default. */
export function isRequired({ type, fallback }: Pick<GqlArgument, 'type' | 'fallback'>): boolean {
  return type.kind === 'nonNull' && (fallback === undefined || fallback === null);
}
