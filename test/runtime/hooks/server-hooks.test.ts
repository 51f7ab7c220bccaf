import { GraphQLError } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import type { HookOperation, ServerHooks } from '../../../src/index.js';
import { serve } from '../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (news)-[:FORK]->(heard: Event { text: String! })
`;

describe('the option hooks', () => {
  test.each([
    [{}, 'hooks must be a list of objects.'],
    [[null], 'hooks[0] must be an object.'],
    [[{}, () => undefined], 'hooks[1] must be an object.'],
    [[{ onRequst: () => undefined }], 'Unknown hook: hooks[0].onRequst.'],
    [[{ onEvent: 'log' }], 'hooks[0].onEvent must be a function.'],
  ])('cannot be %j', (hooks, message) => {
    expect(() => serve(source, { hooks: hooks as never })).toThrow(new TypeError(message));
  });

  test('may have absent functions, and methods of a class', async () => {
    class Counter implements ServerHooks {
      count = 0;
      onOperation(): void {
        this.count++;
      }
    }
    const counter = new Counter();
    const absent = { onRequest: undefined } as never;
    const server = serve(source, { hooks: [absent, {}, counter] });
    await server.fetch(new Request('http://test.local/api/hello'));
    expect(counter.count).toBe(1);
  });
});

describe('operations of the program', () => {
  const start = () => {
    const seen: HookOperation[] = [];
    const onOperation = (operation: HookOperation): void => {
      seen.push(operation);
      if (operation.principal === null) throw new GraphQLError('Who?', { extensions: { code: 'UNAUTHENTICATED' } });
    };
    return { seen, server: serve(source, { hooks: [{ onOperation }] }) };
  };
  const query = '{ hello { text } }';

  test('without a principal do not call hooks', async () => {
    const { seen, server } = start();
    expect((await server.executeOperation({ query })).data).toEqual({ hello: { text: 'Hello' } });
    expect(seen).toEqual([]);
  });

  test('with a principal call hooks like operations of a client', async () => {
    const { seen, server } = start();
    const { errors } = await server.executeOperation({ query, principal: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect((await server.executeOperation({ query, principal: { id: 'ada' } })).errors).toBeUndefined();
    const refused = await server.subscribe({ query: 'subscription { heard { text } }', principal: null });
    expect(refused).toMatchObject({ errors: [{ message: 'Who?' }] });
    expect(seen.map(({ name, protocol }) => [name, protocol])).toEqual([
      ['hello', 'graphql'],
      ['hello', 'graphql'],
      ['heard', 'graphql'],
    ]);
  });
});

test('onEvent gets an event of the program after a sink has accepted it', async () => {
  const seen: unknown[] = [];
  const taken = vi.fn(async () => undefined);
  const layers = [
    {
      schema: {
        enums: [],
        scalars: [],
        inputs: [],
        objects: [],
        unions: [],
        queries: [],
        mutations: [],
        subscriptions: [],
      },
      sinks: { heard: taken },
    },
  ];
  const server = serve(source, {
    layers: layers as never,
    hooks: [{ onEvent: (event) => void seen.push(event) }],
  });
  server.publish('heard', { text: 'News' });
  expect(seen).toEqual([]);
  await expect.poll(() => seen).toEqual([{ subscription: 'heard', payload: { text: 'News' } }]);
  expect(taken).toHaveBeenCalledTimes(1);
});
