import { withTimeout } from '../../../base/values/with-timeout.js';
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
import { parseJson, readAnswer, readEvent } from '../read-answer.js';
import type { RunOptions } from '../run-workflow.js';
import type { OtherUser } from './rules.js';
import type { Values } from './step-arguments.js';

export type Way = 'REST' | 'GraphQL' | 'MCP';

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

/**
 * Makes functions that send the requests of users, and count them.
 *
 * @param first - Its token finds the tools for agents.
 */
export async function createAsker(
  { origin, endpoint, schema: whole }: AskedApi,
  first: Pick<OtherUser, 'token'>,
  { headers: given, timeout, signal }: RunOptions,
) {
  const schema = wireView(whole);
  let requests = 0;
  const send = (path: string, init: RequestInit, { token }: Pick<OtherUser, 'token'>, until: AbortSignal) => {
    requests += 1;
    const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...given, ...(init.headers as Record<string, string>), ...credentials };
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

  const variablesOf = (operation: GqlOperation, values: Values) =>
    Object.fromEntries(
      operation.arguments.flatMap(({ name, type }) =>
        Object.hasOwn(values, name)
          ? [[name, fromWire(whole, type)?.(values[name] as JsonValue) ?? values[name]]]
          : [],
      ),
    );
  const overGraphql = async (
    operation: GqlOperation,
    values: Values,
    user: OtherUser,
    selection = printed(whole, operation),
  ): Promise<Attempt> => {
    const variables = variablesOf(operation, values);
    const { body } = await ask(
      endpoint,
      post({ query: operationDocument(whole, operation, selection), variables }),
      user,
    );
    const { data, errors } = (body ?? {}) as { readonly data?: Values | null; readonly errors?: unknown };
    const isSuccess = errors === undefined && data !== undefined && data !== null;
    return { isSuccess, status: isSuccess ? 200 : 0, result: data?.[operation.name] };
  };

  const call = (method: string, params: object, user: Pick<OtherUser, 'token'>) =>
    ask(
      mcpPath,
      post({ jsonrpc: '2.0', id: 1, method, params }, 'application/json, text/event-stream'),
      user,
    );
  const tools = await offeredTools(schema, async () => {
    const { body } = await call('tools/list', {}, first);
    const { result } = (body ?? {}) as {
      readonly result?: { readonly tools?: readonly { readonly name: string }[] };
    };
    return result?.tools?.map(({ name }) => name);
  });
  const overMcp = async (
    operation: GqlOperation,
    values: Values,
    user: OtherUser,
  ): Promise<Attempt | undefined> => {
    const isIt = (one: GqlOperation) => one.name === operation.name && one.kind === operation.kind;
    const tool = tools.find(({ steps }) => steps.some((step) => isIt(step.operation)));
    const name = tool?.steps.find((step) => isIt(step.operation))?.name;
    if (tool === undefined || name === undefined) return undefined;
    const params = { name: tool.definition.name, arguments: tool.isOneStep ? values : { [name]: values } };
    const { body } = await call('tools/call', params, user);
    const { result } = (body ?? {}) as {
      readonly result?: { readonly isError?: boolean; readonly structuredContent?: Values };
    };
    const isSuccess = result !== undefined && result.isError !== true;
    return { isSuccess, status: isSuccess ? 200 : 0, result: result?.structuredContent?.[name] };
  };

  return {
    get requests() {
      return requests;
    },
    ways: tools.length === 0 ? (['REST', 'GraphQL'] as const) : (['REST', 'GraphQL', 'MCP'] as const),
    /** Sends a request; undefined if no tool offers the operation to agents. */
    async ask(
      way: Way,
      operation: GqlOperation,
      values: Values,
      user: OtherUser,
    ): Promise<Attempt | undefined> {
      if (way === 'REST') return overRest(operation, values, user);
      return way === 'GraphQL' ? overGraphql(operation, values, user) : overMcp(operation, values, user);
    },
    /** The value of one more field of a result, over GraphQL. */
    askField: overGraphql,
    /** The first event that a user gets over a way until the signal, behind a function; undefined if the stream is refused. */
    async follow(way: Way, operation: GqlOperation, values: Values, user: OtherUser, until: AbortSignal) {
      const accept = { accept: 'text/event-stream' };
      const document = {
        query: operationDocument(whole, operation, printed(whole, operation)),
        variables: variablesOf(operation, values),
      };
      const request: readonly [string, RequestInit] =
        way === 'REST'
          ? [restRequest(schema, restRoute(operation), values).target, { headers: accept }]
          : [endpoint, post(document, 'text/event-stream')];
      const end = AbortSignal.any([signal, until]);
      const late = () => new Error(`no stream within ${timeout} ms`);
      const response = await withTimeout(timeout, end, () => send(...request, user, end), late);
      if (response.status !== 200) {
        await response.body?.cancel();
        return undefined;
      }
      const next = readEvent(response).catch(() => undefined);
      const result = next.then((event) => {
        if (event === undefined || (event.event !== 'message' && event.event !== 'next')) return undefined;
        const data = parseJson(event.data) as { readonly data?: Values | null };
        return way === 'REST' ? data : data.data?.[operation.name];
      });
      return () => result;
    },
  };
}

function printed(schema: GqlSchema, operation: GqlOperation): string {
  return printSelection(defaultSelection(schema, operation.type));
}

/** The tools of a server; none if it does not serve agents. */
async function offeredTools(
  schema: GqlSchema,
  list: () => Promise<readonly string[] | undefined>,
): Promise<readonly Tool[]> {
  // A server that cannot be reached fails each workflow.
  const names = await list().catch(() => undefined);
  if (names === undefined) return [];
  const modes = (['chains', 'operations'] as const).map((mode) => createTools(schema, mode));
  return modes.find((tools) => tools.every(({ definition }) => names.includes(definition.name))) ?? [];
}
