import { withTimeout } from '../../../base/values/with-timeout.js';
import { findSteps } from '../../../compiler/api/chains/named-steps.js';
import { operationDocument } from '../../../compiler/api/operation-document.js';
import { printSelection } from '../../../compiler/api/print-selection.js';
import { restRequest } from '../../../compiler/api/rest-request.js';
import { restRoute } from '../../../compiler/api/rest-routes.js';
import { defaultSelection } from '../../../compiler/api/selection.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { fromWire, wireView } from '../../../compiler/schema/wire-view.js';
import { mcpPath } from '../../../runtime/mcp/mcp.js';
import type { Tool } from '../../../runtime/mcp/toolset/agent-tool.js';
import { createTools } from '../../../runtime/mcp/toolset/create-tools.js';
import { runsAll } from '../../../runtime/mcp/toolset/find-tools.js';
import { parseJson, readAnswer, readEvent } from '../read-answer.js';
import type { RunOptions } from '../run-workflow.js';
import type { Values } from '../step-arguments.js';
import { hasWebSocket, overWebSocket, type SocketOperation, type SocketResult } from '../web-socket.js';
import type { OtherUser } from './rules.js';

/** `WebSocket` has subscriptions only. */
export type Way = 'REST' | 'GraphQL' | 'WebSocket' | 'MCP';

/** The answer to a replayed request. */
export interface Attempt {
  readonly isSuccess: boolean;
  /** The status over REST; 200 or 0 for others. */
  readonly status: number;
  readonly result: unknown;
}

/** The API that requests are replayed against. */
export interface AskedApi {
  readonly origin: string;
  /** The path of GraphQL. */
  readonly endpoint: string;
  readonly schema: GqlSchema;
}

/** Makes functions that send the requests of users, and count them. The first user finds the tools for agents. */
export async function createAsker(
  { origin, endpoint, schema: whole }: AskedApi,
  first: Pick<OtherUser, 'token'>,
  { headers: given, timeout, signal }: RunOptions,
) {
  const schema = wireView(whole);
  let requests = 0;
  const headersOf = ({ token }: Pick<OtherUser, 'token'>, own: Readonly<Record<string, string>> = {}) => ({
    ...given,
    ...own,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
  const send = (path: string, init: RequestInit, user: Pick<OtherUser, 'token'>, until: AbortSignal) => {
    requests += 1;
    const headers = headersOf(user, init.headers as Record<string, string>);
    return fetch(origin + path, { ...init, headers, signal: until });
  };
  const ask = (path: string, init: RequestInit, user: Pick<OtherUser, 'token'>) =>
    withTimeout(
      timeout,
      signal,
      async (until) => {
        const response = await send(path, init, user, until);
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
        const text = isStream ? ((await readEvent(response))?.data ?? '') : await readAnswer(response);
        return { status: response.status, body: text === '' ? undefined : parseJson(text) };
      },
      () => new Error(`no answer within ${timeout} ms`),
    );
  const post = (body: object, accept = 'application/json'): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  });

  const overRest = async (operation: GqlOperation, values: Values, user: OtherUser): Promise<Attempt> => {
    const { method, target, headers = [], body } = restRequest(schema, restRoute(operation), values);
    const { status, body: result } = await ask(
      target,
      {
        ...post(body ?? {}),
        method,
        ...(body === undefined && { body: null }),
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(operation.kind === 'mutation' && { 'idempotency-key': crypto.randomUUID() }),
          ...(operation.etag === 'required' && { 'if-match': '*' }),
          ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        },
      },
      user,
    );
    // A response without content is a success of a mutation.
    const isSuccess = status >= 200 && status < 300;
    return { isSuccess, status, result: isSuccess && result === undefined ? true : result };
  };

  const documentOf = (operation: GqlOperation, values: Values, selection = printed(whole, operation)) => {
    const given = operation.arguments.filter(({ name }) => Object.hasOwn(values, name));
    const variables = given.map(({ name, type }) => {
      return [name, fromWire(whole, type)?.(values[name] as JsonValue) ?? values[name]] as const;
    });
    return { query: operationDocument(whole, operation, selection), variables: Object.fromEntries(variables) };
  };
  const overGraphql = async (
    operation: GqlOperation,
    values: Values,
    user: OtherUser,
    selection?: string,
  ): Promise<Attempt> => {
    const { body } = await ask(endpoint, post(documentOf(operation, values, selection)), user);
    const { data, errors } = (body ?? {}) as { readonly data?: Values | null; readonly errors?: unknown };
    const isSuccess = errors === undefined && data !== undefined && data !== null;
    return { isSuccess, status: isSuccess ? 200 : 0, result: data?.[operation.name] };
  };

  /** The result of a call over MCP; undefined if it is refused. */
  const call = async <Result>(method: string, params: object, user: Pick<OtherUser, 'token'>) => {
    const request = post({ jsonrpc: '2.0', id: 1, method, params }, 'application/json, text/event-stream');
    const { body } = await ask(mcpPath, request, user);
    return ((body ?? {}) as { readonly result?: Result }).result;
  };
  const listTools = async () => {
    const result = await call<{ readonly tools?: readonly { readonly name: string }[] }>('tools/list', {}, first);
    return result?.tools?.map(({ name }) => name);
  };
  // A server that cannot be reached fails each workflow.
  const offered = (await listTools().catch(() => undefined)) ?? [];
  const tools = knownTools(schema, offered);
  const steps = findSteps(schema);
  const overMcp = async (operation: GqlOperation, values: Values, user: OtherUser): Promise<Attempt | undefined> => {
    const isIt = (one: GqlOperation) => one.name === operation.name && one.kind === operation.kind;
    const name = steps.find((step) => isIt(step.operation))?.name;
    const tool = tools.find(({ steps }) => steps.some((step) => isIt(step.operation))) ?? tools.find(runsAll);
    if (tool === undefined || name === undefined) return undefined;
    const inputs = tool.isOneStep ? values : { [name]: values };
    const params = { name: tool.definition.name, arguments: runsAll(tool) ? { name, inputs } : inputs };
    type Called = { readonly isError?: boolean; readonly structuredContent?: Values };
    const result = await call<Called>('tools/call', params, user);
    const isSuccess = result !== undefined && result.isError !== true;
    return { isSuccess, status: isSuccess ? 200 : 0, result: result?.structuredContent?.[name] };
  };

  /** The events that an agent reads; undefined if it may not. */
  const readEvents = async (operation: GqlOperation, values: Values, user: OtherUser) => {
    const { search } = new URL(restRequest(schema, restRoute(operation), values).target, origin);
    const uri = `gg://events/${operation.name}${search}`;
    type Read = { readonly contents: readonly { readonly text: string }[] };
    const result = await call<Read>('resources/read', { uri }, user);
    if (result === undefined) return undefined;
    type Events = readonly { readonly id?: string; readonly data?: unknown }[];
    return (JSON.parse(result.contents[0]?.text ?? '{}') as { readonly events: Events }).events;
  };

  const late = () => new Error(`no stream within ${timeout} ms`);
  const listen = (
    document: Pick<SocketOperation, 'query' | 'variables'>,
    user: Pick<OtherUser, 'token'>,
    until: AbortSignal,
  ) => {
    requests += 1;
    const address = origin + endpoint;
    return new Promise<Listening | undefined>((resolve) => {
      const next = new Promise<SocketResult | undefined>((take) => {
        const onOpen = () => resolve({ next });
        const onResult = (result: SocketResult) => {
          // A refusal comes before the answer to the ping.
          if (result.data === undefined) resolve(undefined);
          take(result);
        };
        const operation = { address, headers: headersOf(user), ...document, onOpen, onResult };
        void overWebSocket(operation, until).then(() => {
          resolve(undefined);
          take(undefined);
        });
      });
    });
  };
  const followOver: Readonly<Record<Way, Follow>> = {
    async REST(operation, values, user, until) {
      const headers = { accept: 'text/event-stream' };
      const { target } = restRequest(schema, restRoute(operation), values);
      return openEvents(send(target, { headers }, user, until));
    },
    async GraphQL(operation, values, user, until) {
      const request = post(documentOf(operation, values), 'text/event-stream');
      const next = await openEvents(send(endpoint, request, user, until));
      return next && (async () => resultOf(operation, await next()));
    },
    async WebSocket(operation, values, user, until) {
      const open = await listen(documentOf(operation, values), user, until);
      return open && (async () => resultOf(operation, await open.next));
    },
    async MCP(operation, values, user) {
      const before = await readEvents(operation, values, user);
      const next = async () => {
        const last = (await readEvents(operation, values, user))?.at(-1);
        return last?.id === before?.at(-1)?.id ? undefined : last?.data;
      };
      return before && next;
    },
  };
  const takesSockets = async () => {
    if (!hasWebSocket || schema.subscriptions.length === 0) return false;
    const done = new AbortController();
    const until = AbortSignal.any([signal, done.signal, AbortSignal.timeout(timeout)]);
    const open = await listen({ query: '{ __typename }', variables: {} }, first, until);
    done.abort();
    return open !== undefined;
  };
  const ways: readonly Way[] = [
    ...(['REST', 'GraphQL'] as const),
    ...((await takesSockets()) ? (['WebSocket'] as const) : []),
    ...(tools.length === 0 ? [] : (['MCP'] as const)),
  ];

  return {
    get requests() {
      return requests;
    },
    ways,
    /** Whether the server offers tools, but not those of the topology. */
    hasOtherTools: offered.length > 0 && tools.length === 0,
    /** Sends a request; undefined if the way does not have the operation. */
    async ask(way: Way, operation: GqlOperation, values: Values, user: OtherUser): Promise<Attempt | undefined> {
      if (way === 'REST') return overRest(operation, values, user);
      if (way === 'GraphQL') return overGraphql(operation, values, user);
      return way === 'MCP' ? overMcp(operation, values, user) : undefined;
    },
    /** The value of one more field of a result, over GraphQL. */
    askField: overGraphql,
    /** The first event that a user gets over a way until the signal, behind a function; undefined if the stream is refused. */
    follow(way: Way, operation: GqlOperation, values: Values, user: OtherUser, until: AbortSignal) {
      const end = AbortSignal.any([signal, until]);
      return withTimeout(timeout, end, () => followOver[way](operation, values, user, end), late);
    },
  };
}

/** An operation over WebSocket that has begun. */
interface Listening {
  /** Its first result; undefined if it ends without one. */
  readonly next: Promise<SocketResult | undefined>;
}

/** Opens a stream of events, and returns its first one behind a function; undefined if the stream is refused. */
type Follow = (
  operation: GqlOperation,
  values: Values,
  user: OtherUser,
  until: AbortSignal,
) => Promise<(() => Promise<unknown>) | undefined>;

/** See {@link Follow}. */
async function openEvents(opened: Promise<Response>): Promise<(() => Promise<unknown>) | undefined> {
  const response = await opened;
  if (response.status !== 200) {
    await response.body?.cancel();
    return undefined;
  }
  const event = readEvent(response).then(
    (one) => (one && ['message', 'next'].includes(one.event) ? parseJson(one.data) : undefined),
    () => undefined,
  );
  return () => event;
}

function resultOf({ name }: GqlOperation, result: unknown): unknown {
  return (result as SocketResult | undefined)?.data?.[name];
}

function printed(schema: GqlSchema, operation: GqlOperation): string {
  return printSelection(defaultSelection(schema, operation.type));
}

/** The tools of a topology that have the names of those that a server offers; none if there are others. */
function knownTools(schema: GqlSchema, names: readonly string[]): readonly Tool[] {
  const modes = (['chains', 'operations', 'find'] as const).map((mode) => createTools(schema, mode));
  return modes.find((tools) => tools.every(({ definition }) => names.includes(definition.name))) ?? [];
}
