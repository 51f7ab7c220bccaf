import { didYouMean } from '../../compiler/graph/suggest.js';
import { type NamedChain, namedChains } from '../call/chains/named-chains.js';
import type { RunnableChain } from '../call/chains/plan-chain.js';
import { type ChainCaller, type ChainOutcome, createChainRunner } from '../call/chains/run-chain.js';
import type { Environment } from '../call/environment.js';
import type { Problem } from '../call/problem.js';
import type { McpOptions } from '../config/project-config.js';
import type { OpenRuns } from '../http/rest/runs.js';
import { assertPeers } from '../load/load-peer.js';
import { createEventResources } from './events.js';
import { createFinder } from './find.js';
import type { Tool } from './toolset/agent-tool.js';
import { createTools } from './toolset/create-tools.js';

export const mcpPath = '/mcp';

export const mcpPackage = '@modelcontextprotocol/server';

/**
 * Reads the option `mcp`; undefined if MCP is off.
 *
 * @throws {TypeError} If it is invalid.
 * @throws {PeerMissingError} If the package is not installed.
 */
export function readMcpOption(option: boolean | McpOptions | undefined): McpOptions | undefined {
  if (option === undefined || option === false) return undefined;
  if (option !== true && (typeof option !== 'object' || option === null))
    throw new TypeError('mcp must be true, false or an object.');
  const options = option === true ? {} : option;
  const { tools = 'chains', ...unknown } = options;
  if (!['chains', 'operations', 'find'].includes(tools))
    throw new TypeError('mcp.tools must be chains, operations or find.');
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`mcp.${name} must be absent: there is no such option.`);
  assertPeers([mcpPackage]);
  return options;
}

export type Mcp = ReturnType<typeof createMcp>;

/** The chains whose calls can be tasks, and their runs. */
export interface DurableChains {
  readonly chains: ReadonlyMap<string, NamedChain>;
  readonly runs: OpenRuns;
}

/** A topology as agents see it: the same over HTTP and stdio. */
export function createMcp(environment: Environment, options: McpOptions, runs?: OpenRuns) {
  const { schema, title, limits } = environment;
  const mode = options.tools ?? 'chains';
  const tools = createTools(schema, mode, limits.pageSize);
  const finder = mode === 'find' ? createFinder(environment) : undefined;
  return {
    tools,
    run: finder?.call ?? createToolRunner(environment, tools),
    /** The problem of a refused call of an operation by its name, for a caller that does not have the schema of its inputs. */
    teach: finder?.teach ?? ((_: string, problem: Problem, __: ChainCaller) => problem),
    events: createEventResources(environment),
    durable: runs && durableOf(environment, runs),
    info: { name: title, version: schema.info?.version ?? '1.0.0' },
    /** How to use the tools, for the model. */
    instructions: [schema.info?.description, mode === 'chains' ? ofChains : undefined].filter(Boolean).join('\n\n'),
    environment,
  };
}

function durableOf({ schema }: Environment, runs: OpenRuns): DurableChains {
  const chains = [...namedChains(schema, { tellsNames: true })].filter(([, { isDurable }]) => isDurable);
  return { chains: new Map(chains), runs };
}

const ofChains =
  'A call of a tool names one or more operations, each with its arguments, and runs them in an order in which each has the ids that it needs: ' +
  'an id that is left out is taken from the result of another operation of the call. The result has the result of each operation by its name.';

/** Makes the function that calls the tools of a server: each call is a run of a chain. */
function createToolRunner(environment: Environment, tools: readonly Tool[]) {
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
