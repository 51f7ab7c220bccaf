import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { createTools } from '../../../runtime/mcp/toolset/create-tools.js';
import { estimateTokens } from '../../../runtime/mcp/toolset/estimate-tokens.js';
import { count } from '../terminal/count.js';

/** What the tools for agents cost: `6 tools, about 2,300 tokens (chains); 27 tools, about 19,900 (operations)`. */
export function toolCosts(schema: GqlSchema): string {
  const [chains, operations] = (['chains', 'operations'] as const).map((mode) => {
    const tools = createTools(schema, mode);
    const tokens = Math.max(10, Math.round(estimateTokens(tools) / 10) * 10);
    // `toLocaleString` loads the tables of all languages, which takes as long as compiling a small topology.
    return `${count(tools.length, 'tool')}, about ${String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ',')}`;
  });
  return `${chains} tokens (chains); ${operations} (operations)`;
}
