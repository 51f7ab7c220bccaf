import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningHost } from '../../conformance/hosts.js';
import { connect } from '../mcp/connect.js';
import { closeServers, serve } from './ways.js';

afterEach(async () => {
  await closeServers();
  vi.restoreAllMocks();
});

const query = 'mutation { change(input: { count: 1 }) { text } }';
const args = { input: { count: 1 } };

async function post(server: RunningHost, key: string, path: string, body: object, accept: string) {
  const headers = {
    authorization: 'Bearer ada',
    'content-type': 'application/json',
    'idempotency-key': key,
    accept,
  };
  const answer = await server.ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.text();
  return answer.headers.get('event-id');
}

/** The ways in of a mutation. Each calls it with a key, and returns its receipt. */
const ways: Readonly<Record<string, (server: RunningHost, key: string) => Promise<unknown>>> = {
  REST: (server, key) => post(server, key, '/api/change', args, '*/*'),
  GraphQL: (server, key) => post(server, key, '/graphql', { query }, 'application/json'),
  SSE: (server, key) => post(server, key, '/graphql', { query }, 'text/event-stream'),
  async WebSocket(server, key) {
    const client = createClient({
      url: `${server.origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: 'Bearer ada' },
    });
    const results = client.iterate({ query, extensions: { idempotencyKey: key } });
    const { value } = await results.next();
    await client.dispose();
    return (value as { readonly extensions?: Readonly<Record<string, unknown>> }).extensions?.eventId;
  },
  async MCP(server, key) {
    const headers = { authorization: 'Bearer ada', 'idempotency-key': key };
    const client = await connect((path, init) => server.ask(path, init), '2026-07-28', headers);
    try {
      const { _meta } = await client.callTool({ name: 'change', arguments: args });
      return _meta?.['gg-svc/eventId'];
    } finally {
      await client.close();
    }
  },
};

/** The text of the first event after an id. */
async function eventAfter(server: RunningHost, id: string): Promise<string> {
  const ending = new AbortController();
  const headers = { authorization: 'Bearer ada', accept: 'text/event-stream', 'last-event-id': id };
  const { body } = await server.ask('/api/told', { headers, signal: ending.signal });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk as Uint8Array);
      const [, event] = /^data: (.+)$/m.exec(text) ?? [];
      if (event !== undefined) return event;
    }
    return text;
  } finally {
    ending.abort();
  }
}

describe.each(Object.entries(ways))('the receipt of a mutation, over %s', (_, change) => {
  test('is the id of its event: a subscription after it gets the next one', async () => {
    const { server } = await serve({ idempotency: {} });
    const receipt = await change(server, 'a');
    await change(server, 'b');
    expect(await eventAfter(server, String(receipt))).toBe('{"text":"change 2"}');
  });

  test('is the same for a repeat', async () => {
    const { server, ran } = await serve({ idempotency: {} });
    const receipt = await change(server, 'a');
    expect([await change(server, 'a'), ran]).toEqual([receipt, ['change']]);
  });
});
