import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { GqlServer } from '../../../src/index.js';

/** The versions of the protocol that clients negotiate: the current one, and the last one with a handshake. */
export const eras = ['2026-07-28', '2025-11-25'] as const;

/** Connects the official client to a server. */
export async function connect(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  era: (typeof eras)[number] = '2026-07-28',
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const fetch = (url: string | URL, init?: RequestInit) => ask(new URL(url).pathname, init);
  const url = new URL('http://localhost/mcp');
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers: { ...headers } } }));
  return client;
}

/** The same to a server in this process. */
export function connectTo(
  server: Pick<GqlServer, 'fetch'>,
  ...rest: Parameters<typeof connect> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Client> {
  return connect((path, init) => server.fetch(new Request(`http://localhost${path}`, init)), ...rest);
}

/** The text of the result of a tool. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return content.map((part) => (part as { readonly text: string }).text).join('\n');
}
