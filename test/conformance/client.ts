import type { RunningHost } from './hosts.js';

/** What came back, with its JSON read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
  readonly body: any;
}

/** Asks for a path and reads the answer to its end. */
export async function get(host: RunningHost, path: string, init?: RequestInit): Promise<Answer> {
  const response = await host.ask(path, init);
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Posts JSON, or a text as it is. */
export function post(
  host: RunningHost,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return get(host, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends an operation, and asks for the statuses that GraphQL over HTTP lays down. */
export function ask(
  host: RunningHost,
  query: string,
  variables?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const accept = 'application/graphql-response+json';
  return post(host, '/graphql', { query, variables }, { accept, ...headers });
}
