import { describe, expect, test } from 'vitest';
import { type Exchange, send } from '../../web/try/send.js';

const request = { method: 'POST', url: '/graphql', headers: [{ name: 'a', value: 'b' }], body: '{}' };

async function exchangesOf(
  fetch: Parameters<typeof send>[0],
  signal = new AbortController().signal,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  await send(fetch, 'http://localhost', request, signal, (exchange) => exchanges.push(exchange));
  return exchanges;
}

describe('an exchange', () => {
  test('has the status, the headers and the body of the answer', async () => {
    const seen: unknown[] = [];
    const exchanges = await exchangesOf(async (url, { method, body, headers }) => {
      seen.push(url, method, body, headers);
      return new Response('text', { status: 404, headers: { 'x-a': '1' } });
    });
    expect(seen).toEqual(['http://localhost/graphql', 'POST', '{}', [['a', 'b']]]);
    expect(exchanges.at(0)).toMatchObject({ isOpen: true, request });
    expect(exchanges.at(-1)).toMatchObject({
      status: 404,
      body: 'text',
      isOpen: false,
      duration: expect.any(Number),
    });
    expect(exchanges.at(-1)?.headers).toContainEqual({ name: 'x-a', value: '1' });
  });

  test('reports an unreachable server', async () => {
    const exchanges = await exchangesOf(async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(exchanges.at(-1)).toMatchObject({
      problem: 'The server did not answer: Failed to fetch.',
      isOpen: false,
    });
  });

  test('reports events as they come, and keeps them when it is stopped', async () => {
    const controller = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start(own) {
        own.enqueue(new TextEncoder().encode('event: next\ndata: 1\n\n'));
        controller.signal.addEventListener('abort', () => own.error(controller.signal.reason));
      },
    });
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    const exchanges: Exchange[] = [];
    await send(
      async () => new Response(body, { headers }),
      '',
      request,
      controller.signal,
      (exchange) => {
        exchanges.push(exchange);
        if (exchange.events?.length === 1) controller.abort();
      },
    );
    expect(exchanges.at(-1)).toMatchObject({ isOpen: false, events: [{ event: 'next', data: '1' }] });
    expect(exchanges.at(-1)?.problem).toBeUndefined();
  });
});
