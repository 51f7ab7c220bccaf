import { GraphQLError } from 'graphql';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const source = `
/// Not enough copies are left.
(out_of_stock: Problem { status: 409, left: Int!, shelf: Shelf = NEW, shops: [Shop!] })
(gone: Problem { status: 410 })
(shelf: Enum { values: [NEW, OLD] })
(shop { name: String! })
(book { isbn: ID!, title: String })
(root)-[:PROCESS { isbn: ID!, throws: [Gone] }]->(book)
(root)-[:FOLD { how: String!, returns: Book, throws: [OutOfStock, Gone] }]->(buy)
`;

class OutOfStock extends Error {
  override readonly name = 'OutOfStock';

  constructor(
    readonly left: unknown,
    message = '',
  ) {
    super(message);
  }
}

const failures: Readonly<Record<string, () => unknown>> = {
  thrown: () => {
    throw new OutOfStock(3, 'Only 3.');
  },
  rejected: () => Promise.reject(Object.assign(new OutOfStock(2), { shops: [{ name: 'A', secret: 1 }] })),
  returned: () => Object.assign(new Error('Late.'), { name: 'Gone' }),
  coded: () => {
    throw new GraphQLError('Own.', { extensions: { code: 'OUT_OF_STOCK', left: 1 } });
  },
  wrong: () => {
    throw new OutOfStock('many', 'hunter2');
  },
  missing: () => {
    throw new OutOfStock(undefined, 'hunter2');
  },
};

function options(): GqlServerOptions<ConformanceContext> {
  return {
    topologies: [{ name: 'shop.gg', source }],
    limits: { masking: true },
    resolvers: {
      Query: {
        book: (_: unknown, { isbn }: { isbn: string }) => {
          if (isbn === 'other') throw new OutOfStock(3, 'hunter2');
          return { isbn, title: () => Promise.reject(Object.assign(new Error('Left.'), { name: 'Gone' })) };
        },
      },
      Mutation: { buy: (_: unknown, { how }: { how: string }) => failures[how]?.() },
    },
  };
}

/** The declared errors of a topology. */
export const problems: Topic = {
  name: 'declared errors',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(options());
    });
    beforeEach(() => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
    });
    const buy = (how: string) => post(server, '/api/buy', { how });
    const mutate = async (how: string) =>
      (await ask(server, `mutation { x: buy(how: "${how}") { isbn } }`)).body.errors[0];

    test('declared problems are answered with their code and fields', async () => {
      expect(await mutate('thrown')).toMatchObject({
        message: 'Only 3.',
        path: ['x'],
        extensions: { code: 'OUT_OF_STOCK', left: 3, shelf: 'NEW' },
      });
      expect(await mutate('rejected')).toMatchObject({
        message: 'Not enough copies are left.',
        extensions: { code: 'OUT_OF_STOCK', left: 2, shops: [{ name: 'A' }] },
      });
      expect((await mutate('rejected')).extensions.shops).toEqual([{ name: 'A' }]);
      expect(await mutate('returned')).toMatchObject({ message: 'Late.', extensions: { code: 'GONE' } });
    });

    test('declared problems are problem details with their status over REST', async () => {
      const { status, headers, body } = await buy('thrown');
      expect([status, headers.get('content-type')]).toEqual([409, 'application/problem+json']);
      expect(body).toEqual({
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail: 'Only 3.',
        code: 'OUT_OF_STOCK',
        left: 3,
        shelf: 'NEW',
      });
      expect((await buy('returned')).status).toBe(410);
      expect((await buy('coded')).status).toBe(409);
    });

    test('declared problems apply to nested fields of the operation', async () => {
      const { status, body } = await get(server, '/api/book?isbn=1');
      expect([status, body.code, body.detail]).toEqual([410, 'GONE', 'Left.']);
    });

    test('problems are masked if the operation does not declare them, or a field has the wrong type', async () => {
      for (const { status, text, body } of [
        await get(server, '/api/book?isbn=other'),
        await buy('wrong'),
        await buy('missing'),
      ]) {
        expect([status, body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
        expect(text).not.toContain('hunter2');
      }
      expect(await mutate('wrong')).toMatchObject({ extensions: { code: 'INTERNAL_SERVER_ERROR' } });
    });
  },
};
