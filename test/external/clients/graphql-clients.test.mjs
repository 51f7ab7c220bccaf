import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import apollo from '@apollo/client/core/core.cjs';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { startServer } from './server.mjs';

const { ApolloClient, gql, HttpLink, InMemoryCache } = apollo;
const query = 'query User($id: ID!) { readUser(id: $id) { id name status } }';
const mutation = 'mutation Save($input: InputUserInput) { saveUser(input: $input) { id name } }';

for (const engine of ['alpha', 'beta']) {
  describe(engine, async () => {
    test('Apollo Client runs queries and mutations, and gets errors', async (context) => {
      const server = await startServer(engine);
      context.after(() => server.stop());
      const client = new ApolloClient({
        link: new HttpLink({ uri: `${server.origin}/graphql` }),
        cache: new InMemoryCache(),
      });
      const { data } = await client.query({ query: gql(query), variables: { id: '1' } });
      assert.equal(data.readUser.name, 'Ada');
      const input = { id: '4', name: 'Radia' };
      const saved = await client.mutate({ mutation: gql(mutation), variables: { input } });
      assert.equal(saved.data.saveUser.name, 'Radia');
      await assert.rejects(client.query({ query: gql('{ nothing }') }), /Cannot query field|400/);
    });

    test('urql runs queries over POST and GET, and mutations', async (context) => {
      const server = await startServer(engine);
      context.after(() => server.stop());
      for (const preferGetMethod of [false, 'force']) {
        const client = new Client({
          url: `${server.origin}/graphql`,
          exchanges: [cacheExchange, fetchExchange],
          preferGetMethod,
        });
        const { data, error } = await client.query(query, { id: '1' }).toPromise();
        assert.equal(error, undefined);
        assert.equal(data.readUser.name, 'Ada');
        const saved = await client.mutation(mutation, { input: { id: '4', name: 'Radia' } }).toPromise();
        assert.equal(saved.data.saveUser.name, 'Radia');
        const wrong = await client.query('{ nothing }', {}).toPromise();
        assert.match(wrong.error.message, /Cannot query field/);
      }
    });

    test('urql subscribes to a stream that begins with its position', async (context) => {
      const server = await startServer(engine);
      context.after(() => server.stop());
      const client = new Client({
        url: `${server.origin}/graphql`,
        exchanges: [cacheExchange, fetchExchange],
        fetchSubscriptions: true,
      });
      const results = [];
      const { unsubscribe } = client
        .subscription('subscription { userSaved { id name } }', {})
        .subscribe((result) => results.push(result));
      // The first mutations may come before the subscription.
      for (let at = 0; results.length === 0 && at < 500; at++) {
        await client.mutation(mutation, { input: { id: '4', name: 'Radia' } }).toPromise();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      unsubscribe();
      assert.equal(results[0].error, undefined);
      assert.equal(results[0].data.userSaved.name, 'Radia');
    });
  });
}
