import { GraphQLError } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

const source = `
(problem: Record { code: String })
(root)-[:PROCESS { status: Float, name: String, value: String, operation: 'fail' }]->(problem)
(form: Input { status: Float })-[:FOLD]->(saved: Record { code: String })
`;

interface Wish {
  readonly status?: number;
  readonly name?: string;
  readonly value?: string;
}

const refuse = ({ status, name, value = '' }: Wish): never => {
  const headers = name === undefined ? {} : { headers: new Map([[name, value]]) };
  const http: object = { ...(status !== undefined && { status }), ...headers };
  throw new GraphQLError('No.', { extensions: { code: 'NO', http } });
};

/** Statuses and headers that no answer can have, from resolvers and hooks: 500, and the connection stays usable. */
export const impossibleAnswers: Topic = {
  name: 'answers that cannot be',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start({
        topologies: [{ name: 'problems.gg', source }],
        resolvers: {
          Query: { fail: (_: unknown, wish: Wish) => refuse(wish) },
          Mutation: { saved: (_: unknown, { input }: { input: Wish }) => refuse(input) },
        },
        hooks: [
          {
            onRequest: ({ header }) => {
              const wish = header('x-wish');
              if (wish !== undefined) refuse(JSON.parse(wish));
            },
          },
        ],
      });
    });
    const accept = 'application/graphql-response+json';
    const query =
      'query ($status: Float, $name: String, $value: String) { fail(status: $status, name: $name, value: $value) { code } }';
    const mutation = 'mutation ($input: Form!) { saved(input: $input) { code } }';

    test.each([100, 101, 103, 150, 199, 0, -1, 99, 600, 999, 1e9, 200.5])(
      'a status of %s becomes 500',
      async (status) => {
        const answers = [
          await get(server, `/api/fail?status=${status}`),
          await post(server, '/api/saved', { input: { status } }),
          await post(server, '/graphql', { query, variables: { status } }, { accept }),
          await post(server, '/graphql', { query: mutation, variables: { input: { status } } }, { accept }),
          await get(server, '/api/fail', { headers: { 'x-wish': JSON.stringify({ status }) } }),
          await post(server, '/graphql', { query }, { 'x-wish': JSON.stringify({ status }) }),
        ];
        expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 500));
      },
    );

    test.each([
      ['x-a', 'a\r\nset-cookie: b=1'],
      ['x-a', 'a\nb'],
      ['x-a', 'a\rb'],
      ['x-a', 'a\0b'],
      ['x-a', 'a\u0100b'],
      ['x a', 'a'],
      ['x-a\r\nset-cookie', 'a'],
      ['', 'a'],
      ['x:a', 'a'],
    ])('the header %j: %j gives 500 or is omitted', async (name, value) => {
      const variables = { name, value };
      const parameters = `name=${encodeURIComponent(name)}&value=${encodeURIComponent(value)}`;
      const answers = [
        await get(server, `/api/fail?${parameters}`),
        await post(server, '/graphql', { query, variables }, { accept }),
        await post(server, '/graphql', { query, variables }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.headers.get('set-cookie')).toBeNull();
        expect(answer.headers.get('x-a')).toBeNull();
      }
      const hooked = await get(server, '/api/fail', {
        headers: { 'x-wish': JSON.stringify(variables).replace('\u0100', '\\u0100') },
      });
      expect([hooked.status, hooked.headers.get('set-cookie')]).toEqual([500, null]);
    });

    test('valid statuses and headers are those of the answer', async () => {
      const answer = await get(server, '/api/fail?status=418&name=x-a&value=b');
      expect([answer.status, answer.headers.get('x-a')]).toEqual([418, 'b']);
    });
  },
};
