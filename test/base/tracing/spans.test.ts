import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compile, createGqlServer, type GqlServer } from '../../../src/index.js';
import { type Recorder, startRecorder } from './recorder.js';

const source = `(root)-[:PROCESS { id: ID! }]->(read_user: Record { id: ID!, name: String!, pets: [Pet!] })
(pet { name: String! })
(input_user { name: String! })-[:FOLD]->(save_user { id: ID!, name: String! })
(root)-[:PROCESS]->(cache_price { cents: Int! } | shop_price { cents: Int! })
(cache_price | shop_price)-[:RACE]->(best_price)
(root)-[:PROCESS { returns: BestPrice }]->(find_price)
`;

let recorder: Recorder;
beforeEach(() => {
  recorder = startRecorder();
});
afterEach(() => recorder.stop());

describe('a compilation', () => {
  test('has a span for each phase, pass and artifact', () => {
    compile([{ name: 'service.gg', source }]);
    expect(recorder.tree()).toBe(
      [
        'gg.compile',
        '  gg.analyze',
        '    gg.parse',
        '    gg.lower',
        '      gg.pass checkImports',
        '      gg.pass collectNodes',
        '      gg.pass nameTypes',
        '      gg.pass classifyNodes',
        '      gg.pass resolveLeaves',
        '      gg.pass resolveFields',
        '      gg.pass resolveEdges',
        '    gg.schema',
        '    gg.flow',
        '  gg.emit schema.graphql',
        '  gg.emit openapi.json',
        '  gg.emit collection.json',
      ].join('\n'),
    );
    expect(recorder.span('gg.parse').attributes).toEqual({
      'gg.file': 'service.gg',
      'gg.file.length': source.length,
    });
  });
});

describe('an operation', () => {
  let server: GqlServer;
  beforeEach(() => {
    server = createGqlServer({
      topologies: [{ name: 'service.gg', source }],
      resolvers: {
        Query: {
          readUser: async () => ({ id: '1', name: 'Ada' }),
          cachePrice: () => Promise.reject(new Error('cold')),
          shopPrice: () => ({ cents: 5 }),
        },
        Mutation: {
          saveUser: () => {
            throw new TypeError('no disk');
          },
        },
        ReadUser: { pets: () => [{ name: 'Rex' }] },
      },
    });
    recorder.forget();
  });

  const post = (query: string, headers: Record<string, string> = {}) =>
    server.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      }),
    );

  test('is a span; its resolvers are children with the edge and its line', async () => {
    await post('query One { readUser(id: 1) { name pets { name } } }');
    expect(recorder.tree()).toBe('gg.operation\n  gg.resolve Query.readUser\n  gg.resolve ReadUser.pets');
    expect(recorder.span('gg.operation').attributes).toEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'One',
    });
    expect(recorder.span('gg.resolve Query.readUser').attributes).toEqual({
      'gg.field': 'Query.readUser',
      'gg.edge': 'root -[:PROCESS]-> read_user',
      'gg.source': 'service.gg:1:1',
    });
    expect(recorder.span('gg.resolve ReadUser.pets').attributes).toEqual({
      'gg.field': 'ReadUser.pets',
      'gg.source': `service.gg:1:${source.indexOf('pets') + 1}`,
    });
  });

  test('records the same spans over REST', async () => {
    expect(await (await server.fetch(new Request('http://localhost/api/readUser?id=1'))).json()).toEqual({
      id: '1',
      name: 'Ada',
      pets: [{ name: 'Rex' }],
    });
    expect(recorder.tree()).toBe('gg.operation\n  gg.resolve Query.readUser\n  gg.resolve ReadUser.pets');
    expect(recorder.span('gg.operation').attributes).toEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'readUser',
    });
  });

  test.each([
    ['GraphQL', () => post('mutation { saveUser(input: { name: "a" }) { id } }')],
    [
      'REST',
      () =>
        server.fetch(
          new Request('http://localhost/api/saveUser', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"input":{"name":"a"}}',
          }),
        ),
    ],
  ])('that fails over %s has the status error, and the span of its resolver has the exception', async (_, run) => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
    await run();
    console.mockRestore();
    const operation = recorder.span('gg.operation');
    expect(operation.status).toEqual({ code: 2, message: 'no disk' });
    expect(operation.attributes).toMatchObject({ 'graphql.errors': 1 });
    const resolver = recorder.span('gg.resolve Mutation.saveUser');
    expect(resolver.status.code).toBe(2);
    expect(resolver.events[0]?.attributes).toMatchObject({
      'exception.type': 'TypeError',
      'exception.message': 'no disk',
    });
    expect(resolver.attributes['gg.edge']).toBe('input_user -[:FOLD]-> save_user');
    expect(resolver.attributes['gg.source']).toBe('service.gg:3:1');
  });

  test('with a race has a span for the race with the winner, and a span for each branch', async () => {
    await post('{ findPrice { ... on ShopPrice { cents } } }');
    expect(recorder.tree()).toBe(
      [
        'gg.operation',
        '  gg.resolve Query.findPrice',
        '    gg.race BestPriceRace',
        '      gg.resolve Query.cachePrice',
        '      gg.resolve Query.shopPrice',
      ].join('\n'),
    );
    expect(recorder.span('gg.race BestPriceRace').attributes).toEqual({
      'gg.union': 'BestPriceRace',
      'gg.edge': 'cache_price | shop_price -[:RACE]-> best_price',
      'gg.source': 'service.gg:5:1',
      'gg.race.winner': 'ShopPrice',
    });
    expect(recorder.span('gg.resolve Query.cachePrice').status).toEqual({ code: 2, message: 'cold' });
  });

  test('with a fallback has a span that names the fallback, beside that of the failed query', async () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
    const topology = `(root)-[:PROCESS { returns: Price }]->(price { cents: Int! } | cached)
      (price)-[:VENT { fallback: true }]->(cached)`;
    server = createGqlServer({
      topologies: [{ name: 'service.gg', source: topology }],
      resolvers: { Query: { price: () => Promise.reject(new Error('cold')), cached: { cents: 5 } } },
    });
    recorder.forget();
    await post('{ price { cents } }');
    console.mockRestore();
    expect(recorder.tree()).toBe(
      ['gg.operation', '  gg.resolve Query.price', '  gg.fallback Query.price', '    gg.resolve Query.cached'].join(
        '\n',
      ),
    );
    expect(recorder.span('gg.fallback Query.price').attributes).toEqual({ 'gg.fallback': 'cached' });
  });

  test('belongs to the trace of the caller', async () => {
    await post('{ readUser(id: 1) { name } }', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const { parentSpanContext } = recorder.span('gg.operation');
    expect(parentSpanContext).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
    });
    expect(recorder.span('gg.resolve Query.readUser').spanContext().traceId).toBe(parentSpanContext?.traceId);
  });

  test('gives the same answer as without tracing', async () => {
    const query = '{ readUser(id: 1) { id name pets { name } } }';
    const traced = await (await post(query)).text();
    recorder.stop();
    expect(await (await post(query)).text()).toBe(traced);
  });

  test('records no spans when tracing is off', async () => {
    recorder.stop();
    await post('{ readUser(id: 1) { name } }');
    expect(recorder.spans()).toEqual([]);
  });
});
