import type { McpOptions } from '../../config/project-config.js';
import type { ToolStep } from './steps.js';

/** The unit of a tool: a family of chains, or one operation. */
export type ToolMode = NonNullable<McpOptions['tools']>;

/** A tool as `tools/list` describes it (MCP 2026-07-28, “Tools”). */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly outputSchema?: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: ToolHints;
}

/** The effect of a tool on data. An absent hint has the default of MCP: not read-only, destructive, not idempotent. */
export interface ToolHints {
  readonly readOnlyHint?: true;
  readonly destructiveHint?: false;
  readonly idempotentHint?: true;
  /** Whether it reaches systems outside of this server. */
  readonly openWorldHint: boolean;
}

/** A tool, and what a call of it may run. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly steps: readonly ToolStep[];
  /** Whether its arguments are those of its only step; else they are the steps to run, each with its arguments. */
  readonly isOneStep: boolean;
}
