import { type NamedChain, namedChains } from '../call/chains/named-chains.js';
import type { Environment } from '../call/environment.js';
import type { McpOptions } from '../config/project-config.js';
import type { OpenRuns } from '../http/rest/runs.js';
import { assertPeers } from '../load/load-peer.js';
import { createToolRunner } from './call-tool.js';
import { createEventResources } from './events.js';
import { createFinder } from './find.js';
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
  return {
    tools,
    run: mode === 'find' ? createFinder(environment) : createToolRunner(environment, tools),
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
