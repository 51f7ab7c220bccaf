import type { FetchCompatibleGraphQLServer, GqlServer } from '../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';

/** A server of one text, called `test.gg`. */
export function serve<TContext = unknown>(
  source: string,
  options: Partial<GqlServerOptions<TContext>> = {},
): GqlServer<TContext> {
  return createGqlServer({ topologies: [{ name: 'test.gg', source }], ...options });
}

/** What came back over `fetch`, with its JSON read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
  readonly body: any;
}

/** Asks a server for a path of `http://test.local`. */
export async function ask(server: FetchCompatibleGraphQLServer, path: string, init?: RequestInit): Promise<Answer> {
  return read(await server.fetch(new Request(`http://test.local${path}`, init)));
}

/** Reads an answer to its end. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Posts JSON, or a body and headers as they are given. */
export function post(server: FetchCompatibleGraphQLServer, path: string, body: unknown): Promise<Answer> {
  return ask(server, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Runs an operation in process; its data as plain objects, so that they can be compared. */
export async function run(
  server: GqlServer,
  query: string,
  variables?: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
): Promise<{ data: any; errors: any }> {
  const result = await server.executeOperation({ query, variables });
  return JSON.parse(JSON.stringify({ data: result.data, errors: result.errors }));
}
