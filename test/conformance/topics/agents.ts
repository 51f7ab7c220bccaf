import { expect, test } from 'vitest';
import { connect, eras } from '../../runtime/mcp/connect.js';
import { post } from '../client.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'read', arguments: { whoami: {} } },
});
const accept = { accept: 'application/json, text/event-stream' };

/** Agents at `/mcp`. */
export const agents: Topic = {
  name: 'agents',
  countsRequests: true,
  define(host) {
    test.each(eras)('agents call tools over MCP %s with the context of their requests', async (era) => {
      const server = await host.start(conformanceOptions({ mcp: true }));
      const client = await connect((path, init) => server.ask(path, init), era);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read');
      const result = await client.callTool({ name: 'read', arguments: { whoami: {} } });
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toHaveProperty('whoami');
      await client.close();
    });

    test('agents get 404 without the option', async () => {
      const server = await host.start(conformanceOptions());
      const { status } = await post(server, '/mcp', call(1), accept);
      expect(status).toBe(404);
    });

    test.each([
      ['https://evil.example', 'https://evil.example'],
      ['null', 'null'],
    ])('agents in a page of %s are rejected', async (_, origin) => {
      const server = await host.start(conformanceOptions({ mcp: true }));
      const { status, body } = await post(server, '/mcp', call(7), { ...accept, origin });
      expect(status).toBe(403);
      expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { status: 403, code: 'FORBIDDEN' } } });
    });

    test('agents in a page of an origin that CORS allows are accepted', async () => {
      const origin = 'https://agents.example';
      const server = await host.start(conformanceOptions({ mcp: true, cors: { origins: [origin] } }));
      const { status, headers } = await post(server, '/mcp', call(1), { ...accept, origin });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    });

    test.each([
      ['no JSON', '{', 400],
      ['more than the limit', `{"a":"${'x'.repeat(2_000_000)}"}`, 413],
    ])('agents get an error of JSON-RPC for a body with %s', async (_, body, expected) => {
      const server = await host.start(conformanceOptions({ mcp: true }));
      const answer = await post(server, '/mcp', body, accept);
      expect(answer.status).toBe(expected);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { status: expected } } });
    });
  },
};
