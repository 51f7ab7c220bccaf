import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJsonLinesChannel } from '../../../src/runtime/channels/json-lines.js';
import { subscribe } from '../subscriber.js';
import { ask, post, run } from '../topology-server.js';
import { scratchFolder, serveIo } from './io-server.js';

const source = `
  (orders)-[:PROCESS { operation: 'orders', id: ID, returns: [Order!]! }]->(order: Record { id: ID!, count: Int! })
  (root)-[:PROCESS { operation: 'order', id: ID! }]->(order)
  (new_order { id: ID!, count: Int! })-[:FOLD]->(saved_order: Record { id: ID!, count: Int! })
  (saved_order)-[:FORK { id: ID }]->(order_saved: Event { id: ID!, count: Int! })
`;

describe('a JSON Lines file behind a topology', () => {
  test('is read by queries, appended to by mutations, and FORK tells the subscribers', async () => {
    const path = join(scratchFolder(), 'orders.jsonl');
    writeFileSync(path, '{"id":"1","count":2}\n{"id":"2","count":5}\n');
    const server = serveIo(source, [
      createJsonLinesChannel({ node: 'order', direction: 'in', path }),
      createJsonLinesChannel({ node: 'saved_order', direction: 'out', path }),
    ]);
    const events = await subscribe(server, 'subscription { orderSaved { id count } }');
    const { body } = await post(server, '/api/savedOrder', { input: { id: '3', count: 7 } });
    expect(body).toEqual({ id: '3', count: 7 });
    expect(await events.next()).toEqual({ data: { orderSaved: { id: '3', count: 7 } } });
    expect(readFileSync(path, 'utf8').split('\n')[2]).toBe('{"id":"3","count":7}');
    expect((await ask(server, '/api/order?id=3')).body).toEqual({ id: '3', count: 7 });
    const { data } = await run(server, '{ orders { id } }');
    expect(data.orders.map(({ id }: { id: string }) => id)).toEqual(['1', '2', '3']);
  });

  test('is told of in the OpenAPI document and on the page', async () => {
    const path = join(scratchFolder(), 'orders.jsonl');
    const server = serveIo(source, [
      createJsonLinesChannel({ node: 'order', direction: 'in', path }),
      createJsonLinesChannel({ node: 'saved_order', direction: 'out', path }),
    ]);
    const { body } = await ask(server, '/openapi.json');
    expect(body['x-io']).toEqual([
      {
        node: 'order',
        direction: 'in',
        transport: 'jsonl',
        operations: [
          { kind: 'query', name: 'orders', access: 'read' },
          { kind: 'query', name: 'order', access: 'read' },
        ],
      },
      {
        node: 'saved_order',
        direction: 'out',
        transport: 'jsonl',
        operations: [{ kind: 'mutation', name: 'savedOrder', access: 'write' }],
      },
    ]);
    expect(body.paths['/api/savedOrder'].post['x-io']).toEqual([
      { node: 'saved_order', direction: 'out', transport: 'jsonl', access: 'write' },
    ]);
    const { text } = await ask(server, '/');
    expect(text).toContain('<h2>Channels<span>2</span></h2>');
    expect(text).toContain('<a href="#mutation-savedOrder">write savedOrder</a>');
  });
});
