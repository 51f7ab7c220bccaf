/** The server for agents, over the Model Context Protocol. */
export interface McpOptions {
  /**
   * The tools: one for each family of operations whose ids lead to each other (`chains`), or one for each query and
   * mutation (`operations`). Default: `chains`.
   */
  readonly tools?: 'chains' | 'operations';
}
