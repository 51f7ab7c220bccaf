import type { CallToolResult, ClientCapabilities, Result, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { defined } from '../../base/values/defined.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { NamedChain } from '../call/chains/named-chains.js';
import type { ChainCaller, ChainOutcome } from '../call/chains/run-chain.js';
import { type Problem, ProblemError } from '../call/problem.js';
import { isJsonObject } from '../limits/parse-json.js';
import type { Run } from '../runs/runs.js';
import type { DurableChains, Mcp } from './mcp.js';
import { asProtocolError, type CallContext, type Sdk, type Tasks, toolResult } from './sdk-server.js';
import type { Tool } from './toolset/agent-tool.js';
import { runsAll } from './toolset/find-tools.js';

/** The extension of MCP 2026-07-28 (SEP-2663). */
const extension = 'io.modelcontextprotocol/tasks';
/** How often clients should read a task, in milliseconds. */
const pollInterval = 1000;

/**
 * Tasks, of which none is kept here: the run of a durable chain is the task of the call that began it. MCP 2025-11-25
 * has them in the protocol (“Tasks”), where the client asks for a task; in 2026-07-28 they are an extension, whose
 * clients accept a task instead of a result.
 */
export function createTasks(
  sdk: Sdk,
  mcp: Mcp,
  { chains, runs }: DurableChains,
  callerOf: (context: CallContext) => MaybePromise<ChainCaller>,
): Tasks {
  const { tools } = mcp;
  /** The chain that a call may begin a run of. */
  const chainOf = (tool: Tool, given: unknown) => {
    const { goal, inputs } = chainCall(tool, given, chains);
    const chain = goal === undefined ? undefined : chains.get(goal);
    return chain && goal !== undefined ? { chain, goal, inputs } : undefined;
  };
  /** The result of the call that began a run. */
  const resultOf = (run: Run): CallToolResult => {
    const runsIt = (tool: Tool) => runsAll(tool) || tool.steps.some(({ name }) => name === run.chain);
    return toolResult(tools.find(runsIt) as Tool, outcomeOf(run));
  };
  const withRun = <Value>(context: CallContext, use: (caller: ChainCaller) => Promise<Value>) =>
    asProtocolError(sdk, async () => use(await callerOf(context)));
  /** A task as the version of a client reads it. */
  const answer = (context: CallContext, run: Run) => (isModern(context) ? extendedTask(run, resultOf) : coreTask(run));
  return {
    capabilities: {
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      extensions: { [extension]: {} },
    },
    supports: (tool) => runsAll(tool) || tool.steps.some(({ name }) => chains.has(name)),
    async begin(tool, { task, arguments: given }, context) {
      const isAccepted = acceptsTasks(context);
      if (task === undefined && !isAccepted) return undefined;
      const call = chainOf(tool, given);
      if (call === undefined) {
        if (task === undefined) return undefined;
        const message = `Only a call of a durable chain can be a task: ${[...chains.keys()].join(', ')}, with steps of this chain alone${runsAll(tool) ? ' and without “fields”' : ''}.`;
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
      }
      const start = async (caller: ChainCaller) => {
        try {
          return await (await runs()).start(call.chain, call.inputs, caller, call.goal);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          throw new ProblemError(await mcp.teach(call.goal, error.problem, caller));
        }
      };
      if (isAccepted) {
        try {
          const run = await start(await callerOf(context));
          return { content: [], resultType: 'task', ...extendedTask(run) };
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          return toolResult(tool, { done: {}, failure: { problem: error.problem, isStarted: false } });
        }
      }
      return { content: [], task: coreTask(await withRun(context, start)) };
    },
    serve(server) {
      const handle = (
        method: string,
        use: (id: string, caller: ChainCaller, context: CallContext) => Promise<Result>,
      ) =>
        server.setRequestHandler(method, anyParams, (params, context) =>
          withRun(context, (caller) => use(String(params.taskId), caller, context)),
        );
      handle('tasks/get', async (id, caller, context) => answer(context, await (await runs()).read(id, caller)));
      handle('tasks/cancel', async (id, caller, context) => {
        const run = await (await runs()).cancel(id, caller);
        return isModern(context) ? {} : coreTask(run);
      });
      // No step asks the client.
      handle('tasks/update', async (id, caller) => {
        await (await runs()).read(id, caller);
        return {};
      });
      handle('tasks/result', async (id, caller, context) => {
        const opened = await runs();
        let last = await opened.read(id, caller);
        for await (const { run } of opened.follow(last, caller, context.mcpReq.signal)) last = run;
        if (last.endedAt === undefined) throw new ProblemError(unfinished);
        return { ...resultOf(last), _meta: { [sdk.RELATED_TASK_META_KEY]: { taskId: id } } };
      });
      handle('tasks/list', async (_, caller) => ({ tasks: (await (await runs()).list(caller)).map(coreTask) }));
    },
  };
}

/** The goal of a call, and the inputs of its chain. A call that names steps outside the chain has none. */
function chainCall(
  tool: Tool,
  given: unknown,
  chains: ReadonlyMap<string, NamedChain>,
): { readonly goal?: string | undefined; readonly inputs?: unknown } {
  const args = isJsonObject(given) ? given : {};
  const [only] = tool.steps;
  if (tool.isOneStep && only !== undefined) return { goal: only.name, inputs: { [only.name]: args } };
  // A run keeps the whole results.
  if (runsAll(tool)) return (args.fields ?? null) === null ? { goal: String(args.name), inputs: args.inputs } : {};
  const names = Object.keys(args);
  const isRun = ([goal, { runnable }]: [string, NamedChain]) =>
    names.includes(goal) && names.every((name) => runnable.steps.has(name));
  return { goal: [...chains].find(isRun)?.[0], inputs: args };
}

/** Whether a request has the version 2026-07-28: each has an envelope. */
function isModern({ mcpReq: { envelope } }: CallContext): boolean {
  return envelope !== undefined;
}

function acceptsTasks({ mcpReq: { envelope } }: CallContext): boolean {
  const capabilities = (envelope as Record<string, ClientCapabilities> | undefined)?.[
    'io.modelcontextprotocol/clientCapabilities'
  ];
  return capabilities?.extensions?.[extension] !== undefined;
}

/** Both versions send the id of a task only; the runs check it. */
const anyParams: { readonly params: StandardSchemaV1<unknown, { readonly taskId?: unknown }> } = {
  params: { '~standard': { version: 1, vendor: 'gg-svc', validate: (value) => ({ value: value as object }) } },
};

function taskOf(run: Run) {
  const { id, state, step, problem, createdAt, endedAt } = run;
  const isOpen = endedAt === undefined;
  const status = state === 'completed' || state === 'failed' || state === 'cancelled' ? state : 'working';
  const reasons = [isOpen && state !== 'running' ? state : undefined, step, problem?.detail];
  const statusMessage = reasons.filter(Boolean).join(': ');
  return {
    taskId: id,
    status,
    ...(statusMessage !== '' && { statusMessage }),
    createdAt,
    lastUpdatedAt: endedAt ?? createdAt,
  } as const;
}

/** MCP 2025-11-25, “Tasks”. */
function coreTask(run: Run) {
  return { ...taskOf(run), ttl: null, pollInterval };
}

/** SEP-2663: the task has its result. One with `isError` is a result, too; only a protocol error is `failed`. */
function extendedTask(run: Run, resultOf?: (run: Run) => CallToolResult) {
  const task = { ...taskOf(run), ttlMs: null, pollIntervalMs: pollInterval };
  if (task.status === 'working' || task.status === 'cancelled') return task;
  return { ...task, status: 'completed' as const, ...(resultOf && { result: resultOf(run) }) };
}

/** A run as the outcome of the call that began it: steps that were undone are not among those that ran. */
function outcomeOf({ state, steps, step, undone = [], problem }: Run): ChainOutcome {
  const left = steps.filter(({ operation }) => !undone.includes(operation));
  const done = Object.fromEntries(left.map(({ operation, result }) => [operation, result]));
  if (state === 'completed') return { done };
  const { status, detail, ...members } = state === 'cancelled' || problem === undefined ? cancelled : problem;
  const all = { ...members, ...(undone.length > 0 && { undone }) };
  return { done, failure: defined({ step, problem: { status, detail, members: all }, isStarted: true }) };
}

const cancelled: Problem = { status: 409, detail: 'The run was cancelled.' };
const unfinished: Problem = { status: 503, detail: 'The run has not ended: read it again.' };
