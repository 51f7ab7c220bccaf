import { beforeAll, expect, test, vi } from 'vitest';
import { type Answer, ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** What a client hears when something is wrong. */
export const errors: Topic = {
  name: 'errors',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    test.each([
      ['a document that does not parse', '{ order(', {}, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', '{ ordr }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['a missing variable', 'query($id: ID!) { order(id: $id) { id } }', {}, 'BAD_USER_INPUT'],
      ['a variable of another type', 'query($n: Int!) { listOrders(first: $n) { id } }', { n: 'x' }, 'BAD_USER_INPUT'],
    ])('%s is 400', async (_, query, variables, code) => {
      const answer = await ask(server, query, variables);
      expect([answer.status, codes(answer)]).toEqual([400, [code]]);
      expect(answer.body).not.toHaveProperty('data');
    });

    test('an answer lists every mistake of a document', async () => {
      const { status, body } = await ask(server, '{ a b c }');
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(3);
      expect(body.errors[1].locations).toEqual([{ line: 1, column: 5 }]);
    });

    test('a body that is not a GraphQL request gets 400', async () => {
      expect((await post(server, '/graphql', '{')).status).toBe(400);
      expect((await post(server, '/graphql', '[]')).status).toBe(400);
      const accept = 'application/graphql-response+json';
      expect((await post(server, '/graphql', { variables: {} }, { accept })).status).toBe(400);
      for (const method of ['DELETE', 'PUT', 'HEAD']) {
        const answer = await get(server, '/graphql', { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
      }
    });

    test('an operation without a value fails with its edge', async () => {
      const { body } = await ask(server, '{ nowhere { value } }');
      expect(body.data).toEqual({ nowhere: null });
      expect(body.errors[0]).toMatchObject({ path: ['nowhere'], extensions: { code: 'NOT_IMPLEMENTED' } });
      expect(body.errors[0].message).toContain('orders.gg:');
      const answer = await get(server, '/api/nowhere');
      expect([answer.status, answer.body.code]).toEqual([501, 'NOT_IMPLEMENTED']);
    });

    test('an error for the client keeps its message and its code', async () => {
      const { status, body } = await ask(server, '{ refused(code: "FORBIDDEN") { value } }');
      expect(status).toBe(200);
      expect(body).toEqual({
        data: { refused: null },
        errors: [
          {
            message: 'Not for you.',
            path: ['refused'],
            locations: [{ line: 1, column: 3 }],
            extensions: { code: 'FORBIDDEN' },
          },
        ],
      });
      expect((await ask(server, '{ refused { value } }')).body.errors[0]).not.toHaveProperty('extensions');
      expect((await get(server, '/api/refused?code=FORBIDDEN')).status).toBe(403);
    });

    test('REST describes errors as problem+json', async () => {
      const missing = await get(server, '/api/order');
      expect(missing.headers.get('content-type')).toBe('application/problem+json');
      expect([missing.status, missing.body.parameter]).toEqual([400, 'id']);
      expect((await get(server, '/api/order?id=1&x=1')).body.parameter).toBe('x');
      expect((await get(server, '/api/listOrders?first=two')).body.parameter).toBe('first');
      expect((await post(server, '/api/placeOrder', { input: { total: 'x' } })).body.parameter).toBe('input.total');
      expect((await post(server, '/api/placeOrder', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await get(server, '/api/ordr')).status).toBe(404);
    });

    test('a context that throws fails the operation', async () => {
      const headers = { 'x-user': 'nobody' };
      const { body } = await ask(server, '{ greeting { text } }', {}, headers);
      expect(body.errors[0]).toMatchObject({
        message: 'Who are you?',
        extensions: { code: 'UNAUTHENTICATED' },
      });
      expect((await get(server, '/api/greeting', { headers })).status).toBe(401);
    });

    test('in production clients get no details of an unexpected error', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      const secret = await host.start(conformanceOptions());
      const answers = [
        await ask(secret, '{ broken { value } }'),
        await get(secret, '/api/broken'),
        await ask(secret, '{ greeting { text } }', {}, { 'x-user': 'crash' }),
        await get(secret, '/api/greeting', { headers: { 'x-user': 'crash' } }),
      ];
      for (const { text } of answers) {
        expect(text).toContain('Unexpected error.');
        expect(text).toContain('INTERNAL_SERVER_ERROR');
        expect(text).not.toMatch(/hunter2|10\.0\.0\.7|stack/);
      }
      expect(answers[0]?.status).toBe(200);
      expect(answers[1]?.status).toBe(500);
      const page = await get(secret, '/graphql', { headers: { accept: 'text/html' } });
      expect(page.text).not.toContain('<html');
    });
  },
};

function codes({ body }: Answer): readonly unknown[] {
  return body.errors.map((error: { extensions?: { code?: string } }) => error.extensions?.code);
}
