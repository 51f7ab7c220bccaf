import { didYouMean } from '../../compiler/graph/suggest.js';
import type { RunnableChain } from '../call/chains/plan-chain.js';
import { type ChainCaller, type ChainOutcome, createChainRunner } from '../call/chains/run-chain.js';
import type { Environment } from '../call/environment.js';
import type { Tool } from './toolset/agent-tool.js';

/** Makes the function that calls the tools of a server: each call is a run of a chain. */
export function createToolRunner(environment: Environment, tools: readonly Tool[]) {
  const { run } = createChainRunner(environment, { protocol: 'mcp', tellsNames: true });
  const chains = new Map(tools.map((tool) => [tool, chainOf(tool, tools)]));
  return (tool: Tool, given: unknown, caller: ChainCaller): Promise<ChainOutcome> =>
    run(chains.get(tool) as RunnableChain, given, caller);
}

/** The steps of a tool, and the queries of all tools. */
function chainOf({ definition, steps, isOneStep }: Tool, tools: readonly Tool[]): RunnableChain {
  const own = steps.map((step) => [step.name, step] as const);
  const names = own.map(([name]) => name);
  const queries = tools.flatMap((tool) => tool.steps).filter(({ operation }) => operation.kind === 'query');
  return {
    steps: new Map([...queries.map((step) => [step.name, step] as const), ...own]),
    only: isOneStep ? steps[0] : undefined,
    explainUnknown(name) {
      if (name === undefined)
        return `Name at least one operation: ${names.join(', ')}. Example: {${JSON.stringify(names[0])}: {…}}`;
      const other = tools.find((tool) => tool.steps.some((step) => step.name === name));
      if (other !== undefined)
        return `The tool ${definition.name} does not run “${name}”: call the tool ${other.definition.name}.`;
      const hint = didYouMean(name, names, (near) => `“${near}”`);
      return `The tool ${definition.name} has no operation “${name}”.${hint}`;
    },
  };
}
