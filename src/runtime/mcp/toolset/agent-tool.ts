import type { Tool as Definition, ToolAnnotations } from '@modelcontextprotocol/server';
import type { NamedStep } from '../../../compiler/api/chains/named-steps.js';
import { restRoute } from '../../../compiler/api/rest-routes.js';
import { channelsOf } from '../../../compiler/emit/openapi/extensions.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { McpOptions } from '../../config/project-config.js';

/** The unit of a tool: a family of chains, or one operation. */
export type ToolMode = NonNullable<McpOptions['tools']>;

/** A tool, and what a call of it may run. */
export interface Tool {
  readonly definition: Definition;
  readonly steps: readonly NamedStep[];
  /** Whether its arguments are those of its only step; else they are the steps to run, each with its arguments. */
  readonly isOneStep: boolean;
}

/**
 * The hints of a tool that runs these operations: those of the most dangerous one. A mutation only adds if its status
 * is 201, and is idempotent if its route has the method PUT or DELETE (RFC 9110, section 9.2.2); of others it is not known.
 * An absent hint has the default of MCP: not read-only, destructive, not idempotent.
 */
export function hintsOf(schema: GqlSchema, operations: readonly GqlOperation[]): ToolAnnotations {
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
