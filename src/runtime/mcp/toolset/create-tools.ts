import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import type { Tool, ToolMode } from './agent-tool.js';
import { chainTools } from './chain-tools.js';
import { findTools } from './find-tools.js';
import { operationTools } from './operation-tools.js';

/** The tools of a schema, in a fixed order. The operations of all tools together are the queries and mutations; those of `find` are found by words. */
export function createTools(whole: GqlSchema, mode: ToolMode, pageSize?: number): readonly Tool[] {
  if (mode === 'find') return findTools;
  const schema = wireView(whole);
  return mode === 'chains' ? chainTools(schema, pageSize) : operationTools(schema, pageSize);
}
