import { expect, test } from 'vitest';
import type { RequestContext } from '../../../src/runtime/auth/caller.js';
import { sqliteStore } from '../../../src/runtime/store/sqlite.js';
import { serve } from '../server/topology-server.js';
import { noSqlite } from './engines.js';

interface Tables {
  readonly book: { id: string; title: string };
}

const source = `
  (book: Stored { id: ID!, title: String! })
  (root)-[:FOLD { operation: 'addBooks', returns: Int! }]->(book)
`;

const resolvers = {
  Mutation: {
    async addBooks(_parent: unknown, _args: object, context: RequestContext<Tables>) {
      const database = await context.store();
      return database.transaction().execute(async (transaction) => {
        for (const id of ['1', '2'])
          await transaction
            .insertInto('book')
            .values({ id, title: `Book ${id}` })
            .execute();
        return 2;
      });
    },
  },
};

test.skipIf(noSqlite)('context.store and server.store give Kysely over the database of the store', async () => {
  const server = serve<RequestContext<Tables>>(source, {
    resolvers,
    store: sqliteStore({ file: ':memory:' }),
  });
  expect(await server.executeOperation({ query: 'mutation { addBooks }' })).toEqual({
    data: { addBooks: 2 },
  });
  const database = await server.store<Tables>();
  expect(await database.selectFrom('book').select('title').orderBy('id').execute()).toEqual([
    { title: 'Book 1' },
    { title: 'Book 2' },
  ]);
  await server.close();
});

test('server.store rejects if the server has no store', async () => {
  const server = serve(source, { resolvers: { Mutation: { addBooks: () => 0 } } });
  await expect(server.store()).rejects.toThrow('The server has no database: pass the option “store”.');
});
