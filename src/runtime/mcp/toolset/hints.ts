import { restRoute } from '../../../compiler/api/rest-routes.js';
import { channelsOf } from '../../../compiler/emit/openapi/extensions.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { ToolHints } from './agent-tool.js';

/**
 * The hints of a tool that runs these operations: those of the most dangerous one. A mutation only adds if its status
 * is 201, and is idempotent if its route has the method PUT or DELETE (RFC 9110, section 9.2.2); of others it is not known.
 */
export function hintsOf(schema: GqlSchema, operations: readonly GqlOperation[]): ToolHints {
  const mutations = operations.filter(({ kind }) => kind === 'mutation');
  const openWorldHint = operations.some((operation) => channelsOf(schema, operation).length > 0);
  if (mutations.length === 0) return { readOnlyHint: true, openWorldHint };
  const isIdempotent = mutations.every((one) => ['PUT', 'DELETE'].includes(restRoute(one).method));
  return {
    ...(mutations.every(({ status }) => status === 201) && { destructiveHint: false }),
    ...(isIdempotent && { idempotentHint: true }),
    openWorldHint,
  };
}
