import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
(line: Input {
  sku: ID!,
  /// @minimum 1
  quantity: Int!
})
(cart: Input {
  lines: [Line!]!,
  /// @format email
  email: String
})
(cart)-[:FOLD]->(receipt { total: Int!, labels(
  /// @maxLength 2
  prefix: String = 'a'): [String!]! })
(root)-[:PROCESS {
  /// @maximum 100
  first: Int! = 10
}]->(receipt)
(root)-[:PROCESS {
  /// @maximum 1
  n: Int, returns: Int!
}]->(strict { total: Int! })
(receipt)-[:FORK {
  /// @minLength 3
  shop: String
}]->(sold { total: Int! })
`;

/** Values that break their constraints. */
export const constraints: Topic = {
  name: 'constraints',
  define(host) {
    let server: RunningHost;
    let calls = 0;
    beforeAll(async () => {
      const resolve = () => {
        calls++;
        return { total: 3, labels: () => [] };
      };
      server = await host.start({
        topologies: [{ name: 'cart.gg', source }],
        resolvers: { Query: { receipt: resolve }, Mutation: { receipt: resolve } },
      });
    });
    beforeEach(() => {
      calls = 0;
    });

    const mutation = 'mutation($input: Cart!) { receipt(input: $input) { total } }';
    const cart = (quantity: number, email: string | null = null) => ({
      email,
      lines: [
        { sku: 'a', quantity: 1 },
        { sku: 'b', quantity },
      ],
    });
    const refusal = (answer: Answer) => answer.body.errors.map((error: object) => ({ ...error, locations: [] }));
    const wrongLine = {
      message: '“input.lines[1].quantity” must be at least 1.',
      locations: [],
      path: ['receipt'],
      extensions: { code: 'BAD_USER_INPUT', parameter: 'input.lines[1].quantity' },
    };
    const mistake = (pointer: string, detail: string) => ({ pointer, detail, code: 'BAD_USER_INPUT' });
    const wrongQuantity = mistake('#/input/lines/1/quantity', wrongLine.message);
    const wrongEmail = mistake('#/input/email', '“input.email” must be a valid email.');

    test('GraphQL rejects invalid arguments before a resolver runs, with one error that names the path', async () => {
      // The plan of a document is compiled for its second run.
      for (let run = 0; run < 3; run++) {
        const answer = await ask(server, mutation, { input: cart(0, 'no address') });
        expect([answer.status, answer.body.data]).toEqual([200, null]);
        const extensions = { ...wrongLine.extensions, errors: [wrongQuantity, wrongEmail] };
        expect(refusal(answer)).toEqual([{ ...wrongLine, extensions }]);
      }
      const literal = 'mutation { receipt(input: { lines: [{ sku: 1, quantity: 0 }] }) { total } }';
      expect(refusal(await ask(server, literal))[0].extensions.parameter).toBe('input.lines[0].quantity');
      expect(calls).toBe(0);
    });

    test('REST rejects invalid arguments with the same message', async () => {
      const body = await post(server, '/api/receipt', { input: cart(0) });
      expect(body.headers.get('content-type')).toBe('application/problem+json');
      expect(body.body).toMatchObject({
        status: 400,
        detail: wrongLine.message,
        parameter: 'input.lines[1].quantity',
        code: 'BAD_USER_INPUT',
        errors: [wrongQuantity],
      });
      const both = await post(server, '/api/receipt', { input: cart(0, 'no address') });
      expect(both.body.errors).toEqual([wrongQuantity, wrongEmail]);
      const email = await post(server, '/api/receipt', { input: cart(1, 'no address') });
      expect([email.status, email.body.detail]).toEqual([400, '“input.email” must be a valid email.']);
      const query = await get(server, '/api/receipt?first=101');
      expect([query.status, query.body.detail, query.body.parameter]).toEqual([
        400,
        '“first” must be at most 100.',
        'first',
      ]);
      expect(calls).toBe(0);
    });

    test('invalid arguments of fields are rejected', async () => {
      const answer = await ask(server, '{ receipt { total labels(prefix: "abc") } }');
      expect(answer.body.errors).toMatchObject([
        { message: '“prefix” must have at most 2 characters.', path: ['receipt', 'labels'] },
      ]);
    });

    test('invalid arguments of subscriptions are rejected', async () => {
      const answer = await get(server, '/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { sold(shop: "x") { total } }' }),
      });
      expect(answer.text).toContain('“shop” must have at least 3 characters.');
    });

    test('invalid arguments are rejected even if the result cannot be null', async () => {
      for (let run = 0; run < 3; run++) {
        const answer = await ask(server, '{ strict(n: 2) }');
        expect([answer.status, answer.body.data]).toEqual([200, null]);
        expect(answer.body.errors[0].extensions).toEqual({
          code: 'BAD_USER_INPUT',
          parameter: 'n',
          errors: [mistake('#/n', '“n” must be at most 1.')],
        });
      }
      expect((await get(server, '/api/strict?n=2')).status).toBe(400);
    });

    test('constraints accept all other values', async () => {
      const answer = await ask(server, mutation, { input: cart(1, 'ada@example.com') });
      expect(answer.body).toEqual({ data: { receipt: { total: 3 } } });
      expect((await post(server, '/api/receipt', { input: cart(1) })).status).toBe(200);
      expect((await get(server, '/api/receipt')).status).toBe(200);
      expect(calls).toBe(3);
    });
  },
};
