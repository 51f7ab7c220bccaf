// The same checks on each runtime, over the network.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { runtimes, start } from './programs.mjs';

const json = { 'content-type': 'application/json' };

/** Adds books again and again until it is stopped, and then waits for their answers: the server ends after that. */
function addAgain(add) {
  const answers = [];
  const timer = setInterval(() => {
    const answer = add().then((response) => response.arrayBuffer());
    answers.push(answer.catch(() => undefined));
  }, 200);
  return () => {
    clearInterval(timer);
    return Promise.all(answers);
  };
}

for (const [name, { fetch: program, http, prepare }] of Object.entries(runtimes)) {
  describe(`server.fetch on ${name}`, () => {
    let running;
    before(async () => {
      await prepare?.();
      running = await start(program);
    });
    after(() => running?.stop());

    const at = (path) => `${running.origins[0]}${path}`;
    const post = (path, body, headers = {}) =>
      fetch(at(path), { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const run = async (query) => (await post('/graphql', { query })).json();

    test('answers GraphQL', async () => {
      assert.deepEqual(await run('{ hello { text } book(id: "1") { title } }'), {
        data: { hello: { text: 'Hello' }, book: { title: 'Emma' } },
      });
      const { data } = await run('{ __schema { queryType { name } } }');
      assert.equal(data.__schema.queryType.name, 'Query');
      const got = await fetch(at(`/graphql?query=${encodeURIComponent('{ hello { text } }')}`));
      assert.deepEqual(await got.json(), { data: { hello: { text: 'Hello' } } });
    });

    test('answers REST, the documents and health checks', async () => {
      const book = await fetch(at('/api/book?id=1'));
      assert.deepEqual([book.status, await book.json()], [200, { id: '1', title: 'Emma' }]);
      const missing = await fetch(at('/api/book'));
      assert.deepEqual([missing.status, (await missing.json()).detail], [400, '“id” is missing.']);
      assert.equal((await fetch(at('/nowhere'))).status, 404);
      assert.equal((await (await fetch(at('/openapi.json'))).json()).openapi, '3.1.0');
      assert.match(await (await fetch(at('/schema.graphql'))).text(), /type Book/);
      assert.match(await (await fetch(at('/'))).text(), /<!doctype html>/);
      assert.deepEqual(await (await fetch(at('/health/ready'))).json(), { status: 'ok' });
    });

    test('applies the limits', async () => {
      const { errors } = await run('{ a: hello { text } b: hello { text } c: hello { text } }');
      assert.equal(errors[0].extensions.code, 'ALIASES_LIMIT_EXCEEDED');
      assert.equal((await post('/graphql', { query: 'x'.repeat(3000) })).status, 413);
      const forged = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' };
      assert.equal((await post('/graphql', { query: '{ hello { text } }' }, forged)).status, 400);
    });

    test('masks errors', async () => {
      const rest = await fetch(at('/api/broken'));
      const text = await rest.text();
      assert.equal(rest.status, 500);
      assert.match(text, /Unexpected error\./);
      assert.doesNotMatch(text, /hunter2/);
      const { errors } = await run('{ broken }');
      assert.equal(errors[0].message, 'Unexpected error.');
      assert.equal(errors[0].extensions.code, 'INTERNAL_SERVER_ERROR');
    });

    test('sends the events of mutations to subscribers over SSE', async () => {
      const query = 'subscription { bookAdded { title } }';
      const stop = new AbortController();
      const response = await fetch(at('/graphql'), {
        method: 'POST',
        headers: { ...json, accept: 'text/event-stream' },
        body: JSON.stringify({ query }),
        signal: stop.signal,
      });
      assert.match(response.headers.get('content-type'), /^text\/event-stream/);
      const stopAdding = addAgain(() => post('/api/addBook', { input: { title: 'Persuasion' } }));
      try {
        const decoder = new TextDecoder();
        let text = '';
        for await (const chunk of response.body) {
          text += decoder.decode(chunk, { stream: true });
          if (text.includes('{"data":{"bookAdded":{"title":"Persuasion"}}}')) break;
        }
        assert.match(text, /event: next\ndata: \{"data":\{"bookAdded":\{"title":"Persuasion"\}\}\}\n\n/);
      } finally {
        await stopAdding();
        stop.abort();
      }
    });
  });

  if (http === undefined) continue;

  describe(`the hosts for Node on ${name}`, () => {
    let running;
    before(async () => {
      running = await start(http);
    });
    after(() => running?.stop());

    test('answer with Yoga and with Apollo', async () => {
      for (const origin of running.origins) {
        const body = JSON.stringify({ query: '{ hello { text } }' });
        const answer = await fetch(`${origin}/graphql`, { method: 'POST', headers: json, body });
        assert.deepEqual(await answer.json(), { data: { hello: { text: 'Hello' } } });
        assert.deepEqual(await (await fetch(`${origin}/api/hello`)).json(), { text: 'Hello' });
      }
    });

    test('serve subscriptions over WebSocket', async () => {
      const [origin] = running.origins;
      const url = `${origin.replace('http', 'ws')}/graphql`;
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
      const events = client.iterate({ query: 'subscription { bookAdded { title } }' });
      const next = events.next();
      const body = JSON.stringify({ input: { title: 'Persuasion' } });
      const stopAdding = addAgain(() => fetch(`${origin}/api/addBook`, { method: 'POST', headers: json, body }));
      try {
        assert.deepEqual((await next).value, { data: { bookAdded: { title: 'Persuasion' } } });
      } finally {
        await stopAdding();
        await client.dispose();
      }
    });
  });
}
