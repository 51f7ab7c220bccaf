import { beforeAll, expect, test } from 'vitest';
import { type Answer, ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import { conformanceOptions } from '../topology.js';

/** How much a client may ask for. What a hostile one may do is in `test/attack`. */
export const limits: Topic = {
  name: 'limits',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(conformanceOptions());
    });

    const repeat = (times: number, text: (at: number) => string): string =>
      Array.from({ length: times }, (_, at) => text(at)).join(' ');

    test.each([
      ['aliases', `{ greeting { ${repeat(40, (at) => `a${at}: text`)} } }`, 'ALIASES_LIMIT_EXCEEDED'],
      ['root fields', `{ ${repeat(25, () => 'greeting { text }')} }`, 'ROOT_FIELDS_LIMIT_EXCEEDED'],
      ['directives', `{ greeting { ${repeat(60, () => 'text @include(if: true)')} } }`, 'DIRECTIVES_LIMIT_EXCEEDED'],
      ['tokens', `{ greeting { ${repeat(2100, () => 'text')} } }`, 'TOKENS_LIMIT_EXCEEDED'],
    ])('a document with too many %s is rejected', async (_, query, code) => {
      const answer = await ask(server, query);
      expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    });

    test('each limit can be set by its name', async () => {
      const tight = await host.start(conformanceOptions({ limits: { depth: 1, introspection: false } }));
      expect(codeOf(await ask(tight, '{ greeting { text } }'))).toBe('DEPTH_LIMIT_EXCEEDED');
      expect(codeOf(await ask(server, '{ __schema { queryType { name } } }'))).toBeUndefined();
      const hidden = await host.start(conformanceOptions({ limits: { introspection: false } }));
      expect(codeOf(await ask(hidden, '{ __schema { queryType { name } } }'))).toBe('INTROSPECTION_DISABLED');
    });

    test('a body that is too long is rejected over GraphQL and REST', async () => {
      const long = { query: '{ greeting { text } }', variables: { x: 'x'.repeat(1024 * 1024) } };
      expect((await post(server, '/graphql', long)).status).toBe(413);
      expect((await post(server, '/api/placeOrder', long)).status).toBe(413);
    });

    test('a request that a page of another site could send is rejected', async () => {
      const body = JSON.stringify({ query: 'mutation { placeOrder(input: { total: 1 }) { id } }' });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        expect((await post(server, '/graphql', body, { 'content-type': type })).status).toBe(400);
      }
      const query = encodeURIComponent('{ greeting { text } }');
      const headers = { 'sec-fetch-site': 'cross-site', accept: 'application/json' };
      expect((await get(server, `/graphql?query=${query}`, { headers })).status).toBe(400);
    });

    test('a batch of operations is rejected unless allowed', async () => {
      const operation = { query: '{ greeting { text } }' };
      expect((await post(server, '/graphql', [operation])).status).toBe(400);
      const batching = await host.start(conformanceOptions({ limits: { batching: 2 } }));
      const answer = await post(batching, '/graphql', [operation, operation]);
      expect(answer.body).toEqual([1, 2].map(() => ({ data: { greeting: { text: 'Hello' } } })));
      expect((await post(batching, '/graphql', [operation, operation, operation])).status).toBe(400);
    });

    test('a context is created for operations that run, but not for rejected ones', async () => {
      // Plugins of Apollo may read the context of a request before its documents, so it is made first.
      if (host.engine === 'alpha') return;
      let made = 0;
      const context = () => {
        made += 1;
        return { name: null };
      };
      const fine = { query: '{ greeting { text } }' };
      const refused = [
        { query: '{ greeting' },
        { query: '{ missing }' },
        { query: `{ ${'a: greeting { text } '.repeat(1_000)} }` },
        { query: '{ a: greeting { text } b: greeting { text } }' },
        { query: 'query A { greeting { text } }', operationName: 'B' },
      ];
      const limited = await host.start(
        conformanceOptions({
          context,
          limits: { batching: 10, aliases: 1 },
          rateLimits: [{ limit: 20, per: '1h', by: 'principal' }],
        }),
      );
      for (const one of refused) expect((await post(limited, '/graphql', one)).body.errors).toHaveLength(1);
      await post(limited, '/graphql', refused);
      expect(made).toBe(0);
      const { body } = await post(limited, '/graphql', [...refused, fine, fine]);
      expect(body.map((one: object) => 'errors' in one)).toEqual([...refused.map(() => true), false, false]);
      expect(made).toBe(2);
      expect((await post(limited, '/graphql', [fine, fine, fine, fine])).status).toBe(429);
      expect(made).toBe(2);
    });

    test('an operation that exceeds its deadline is cancelled', async () => {
      const hasty = await host.start(
        conformanceOptions({
          limits: { timeout: 50 },
          resolvers: { Query: { broken: () => new Promise(() => undefined) } },
        }),
      );
      expect(codeOf(await ask(hasty, '{ broken { value } }'))).toBe('OPERATION_TIMEOUT');
      expect((await get(hasty, '/api/broken')).status).toBe(504);
    });
  },
};

function codeOf({ body }: Answer): unknown {
  return body.errors?.[0]?.extensions?.code;
}
