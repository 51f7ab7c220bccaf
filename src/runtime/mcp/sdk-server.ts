import type {
  CallToolRequestParams,
  CallToolResult,
  ProtocolError,
  RequestMetaEnvelope,
  Server,
  ServerCapabilities,
  TextContent,
} from '@modelcontextprotocol/server';
import { shortened } from '../../base/diagnostics/shown-value.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { remember } from '../../compiler/graph/maps.js';
import { didYouMean } from '../../compiler/graph/suggest.js';
import type { ChainCaller, ChainOutcome, StepResults } from '../call/chains/run-chain.js';
import { type Problem, ProblemError } from '../call/problem.js';
import { isJsonObject } from '../limits/parse-json.js';
import { type EventResources, eventIdName, noticeOf, type ReadEvent } from './events.js';
import type { Mcp } from './mcp.js';
import type { Tool } from './toolset/agent-tool.js';

/** The parts of the context of a request to an MCP server that its caller is found by. */
export interface CallContext {
  readonly mcpReq: { readonly signal: AbortSignal; readonly envelope?: Partial<RequestMetaEnvelope> };
  readonly http?: { readonly authInfo?: { readonly extra?: Record<string, unknown> } };
}

/**
 * The package of the protocol. It is passed on, not imported here: it is optional, and a bundler for workers would
 * move its import to the start of the bundle.
 */
export type Sdk = typeof import('@modelcontextprotocol/server');

/** The calls of durable chains as tasks. */
export interface Tasks {
  readonly capabilities: ServerCapabilities;
  /** Whether a call of a tool can be a task. */
  supports(tool: Tool): boolean;
  /** Begins a task if the client asks for one; undefined if it gets the result itself. */
  begin(tool: Tool, params: CallToolRequestParams, context: CallContext): Promise<CallToolResult | undefined>;
  /** Answers the requests that read and cancel tasks. */
  serve(server: Server): void;
}

/**
 * Makes an MCP server for a connection, or for one request of a stateless one.
 *
 * @param callerOf - Finds the caller of a request. May throw a `DeniedError`.
 * @param subscribing - `notifies`: whether clients call `resources/subscribe`, because the connection stays open.
 */
export function createSdkServer(
  sdk: Sdk,
  mcp: Mcp,
  callerOf: (context: CallContext) => MaybePromise<ChainCaller>,
  subscribing: { readonly canSubscribe: boolean; readonly notifies: boolean },
  tasks: Tasks | undefined,
): { readonly server: Server; readonly follower?: Follower } {
  const { tools, events, info } = mcp;
  const { canSubscribe, notifies } = subscribing;
  const hasEvents = events.all.length > 0;
  const server = new sdk.Server(info, {
    capabilities: { tools: {}, ...(hasEvents && { resources: { subscribe: canSubscribe } }), ...tasks?.capabilities },
    instructions: mcp.instructions,
    cacheHints: { 'tools/list': cached, 'resources/list': cached, 'resources/templates/list': cached },
  });
  const definitions = tools.map((tool) =>
    tasks?.supports(tool) === true
      ? { ...tool.definition, execution: { taskSupport: 'optional' as const } }
      : tool.definition,
  );
  const runFor = async (context: CallContext, tool: Tool, args: unknown): Promise<ChainOutcome> => {
    try {
      return await mcp.run(tool, args, await callerOf(context));
    } catch (error) {
      // Credentials that are refused, over stdio.
      if (error instanceof ProblemError) return { done: {}, failure: { problem: error.problem, isStarted: false } };
      throw error;
    }
  };
  server.setRequestHandler('tools/list', () => ({ tools: definitions }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw unknownTool(sdk, mcp, params.name);
    const begun = await tasks?.begin(tool, params, context);
    if (begun !== undefined) return begun;
    const outcome = await runFor(context, tool, params.arguments);
    return server.projectCallToolResult(toolResult(tool, outcome), tool.definition.outputSchema);
  });
  tasks?.serve(server);
  if (!hasEvents) return { server };
  server.setRequestHandler('resources/list', () => ({
    resources: events.all
      .filter(({ needsArguments }) => !needsArguments)
      .map(({ name, uri, description }) => ({ name, uri, ...(description && { description }), mimeType })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: events.all.flatMap(({ name, uriTemplate, description }) =>
      uriTemplate === undefined ? [] : [{ name, uriTemplate, ...(description && { description }), mimeType }],
    ),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    if (!events.has(uri)) throw new sdk.ResourceNotFoundError(uri);
    const read = await asProtocolError(sdk, async () => events.read(uri, await callerOf(context)));
    return { contents: [{ uri, mimeType, text: JSON.stringify({ events: read }) }] };
  });
  if (!notifies) return { server };
  const follower = new Follower(events, (uri, event) => {
    server.sendResourceUpdated(noticeOf(uri, event)).catch(() => undefined);
  });
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    if (!events.has(uri)) throw new sdk.ResourceNotFoundError(uri);
    await asProtocolError(sdk, async () => follower.follow(uri, server, await callerOf(context)));
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    follower.release(server, uri);
    return {};
  });
  server.onclose = () => follower.close();
  return { server, follower };
}

const mimeType = 'application/json';

/** The lists are the same for all callers, and change only with the topology. */
const cached = { ttlMs: 60_000, cacheScope: 'public' } as const;

function unknownTool(sdk: Sdk, { tools }: Mcp, name: string): ProtocolError {
  const runner = tools.find((tool) => tool.steps.some((step) => step.name === name));
  const names = tools.map(({ definition }) => definition.name);
  const hint =
    runner === undefined
      ? didYouMean(name, names)
      : ` The tool ${runner.definition.name} runs it: {${JSON.stringify(name)}: {…}}.`;
  return new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}.${hint}`);
}

export async function asProtocolError<Result>(sdk: Sdk, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { status, detail, members } = error.problem;
    const { InvalidParams, InternalError } = sdk.ProtocolErrorCode;
    const code = status < 500 ? InvalidParams : InternalError;
    throw new sdk.ProtocolError(code, detail, { status, ...members });
  }
}

interface Followed {
  /** The requests that name it. */
  readonly users: Set<unknown>;
  readonly ending: AbortController;
  readonly opening: Promise<unknown>;
}

/** The resources that a connection follows. A resource is followed once, whatever number of requests name it. */
export class Follower {
  readonly #followed = new Map<string, Followed>();

  constructor(
    private readonly events: EventResources,
    private readonly notify: (uri: string, event: ReadEvent) => void,
  ) {}

  /** @throws {ProblemError} If the resource cannot be followed. */
  async follow(uri: string, user: unknown, caller: ChainCaller): Promise<void> {
    const followed = remember(this.#followed, uri, () => {
      const ending = new AbortController();
      const notify = (event: ReadEvent): void => this.notify(uri, event);
      return { users: new Set(), ending, opening: this.events.follow(uri, caller, ending.signal, notify) };
    });
    followed.users.add(user);
    try {
      await followed.opening;
    } catch (error) {
      if (this.#followed.get(uri) === followed) this.#followed.delete(uri);
      throw error;
    }
  }

  /** @param only - The resource that the request no longer follows; undefined for all. */
  release(user: unknown, only?: string): void {
    for (const [uri, { users, ending }] of this.#followed) {
      if ((only !== undefined && uri !== only) || !users.delete(user) || users.size > 0) continue;
      ending.abort();
      this.#followed.delete(uri);
    }
  }

  close(): void {
    for (const { ending } of this.#followed.values()) ending.abort();
    this.#followed.clear();
  }
}

/** The largest result, in characters of JSON: models read results as a whole. */
const mostCharacters = 100_000;

/** Writes an outcome for an agent: what ran as JSON, and why it ended early in words. */
export function toolResult({ definition }: Tool, { done, receipt, failure }: ChainOutcome): CallToolResult {
  const { results, notice } = shorten(done);
  const notices = notice === undefined ? [] : [text(notice)];
  const meta = receipt === undefined ? {} : { _meta: { [eventIdName]: receipt } };
  if (failure === undefined)
    return { content: [text(JSON.stringify(results)), ...notices], structuredContent: results, ...meta };
  const { step, problem, isStarted } = failure;
  const { status, detail, members } = problem;
  const said = step === undefined ? detail : `${step}: ${detail}`;
  const before = isStarted ? '' : 'No operation has run.';
  const ran =
    Object.keys(results).length === 0
      ? before
      : `These operations have run: do not call them again, and pass their ids. ${JSON.stringify(results)}`;
  const failed = { ...(step !== undefined && { step }), status, detail, ...members };
  return {
    content: [text(`${said}\n${describeProblem(members)}${ran}`.trimEnd()), ...notices],
    // Clients compare structured content with the output schema, which an error does not have.
    ...(definition.outputSchema === undefined && { structuredContent: { done: results, failed } }),
    isError: true,
    ...meta,
  };
}

/** The members of a problem beside its detail: its code, and those of a declared error. */
function describeProblem({ parameter: _, errors, ...others }: Problem['members'] = {}): string {
  // The detail names the parameter, and is that of the first mistake.
  const members = Array.isArray(errors) && errors.length > 1 ? { ...others, errors } : others;
  return Object.keys(members).length === 0 ? '' : `${JSON.stringify(members)}\n`;
}

function text(content: string): TextContent {
  return { type: 'text', text: content };
}

/** Cuts lists and texts until the results are short enough, and says so. */
function shorten(results: StepResults) {
  const size = JSON.stringify(results).length;
  if (size <= mostCharacters) return { results: { ...results } };
  for (const items of [100, 30, 10, 3, 1]) {
    const cut = cutTo(results, items, items * 100) as { [name: string]: JsonValue };
    if (JSON.stringify(cut).length > mostCharacters && items > 1) continue;
    const kept = `Lists are cut to ${items} items and texts to ${items * 100} characters`;
    return { results: cut, notice: `The result has ${size} characters. ${kept}: ask for less.` };
  }
  throw new Error('invariant: the last cut is taken');
}

function cutTo(value: JsonValue, items: number, characters: number): JsonValue {
  if (typeof value === 'string') return shortened(value, characters);
  if (Array.isArray(value)) return value.slice(0, items).map((item: JsonValue) => cutTo(item, items, characters));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutTo(member, items, characters)]));
}
