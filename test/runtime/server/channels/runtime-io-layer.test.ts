import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import { createAlphaServer } from '../../../../src/runtime/hosts/alpha/alpha-server.js';
import { TopologyError } from '../../../../src/runtime/load/topology-error.js';
import type { ChannelCall, RuntimeIoChannel } from '../../../../src/runtime/server/channels/binding/channel.js';
import { ChannelError } from '../../../../src/runtime/server/channels/binding/channel.js';
import {
  buildRuntimeIoProjectionLayer,
  type RuntimeIoProjectionSource,
} from '../../../../src/runtime/server/channels/runtime-io-layer.js';
import { createJsonLinesChannel } from '../../../../src/runtime/server/channels/transports/json-lines.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';
import { until } from '../http-server.js';
import { orNothing, subscribe } from '../subscriber.js';
import { ask, post, run, serve } from '../topology-server.js';
import { layerOf, scratchFolder, serveIo } from './io-server.js';

const source = `
  (orders)-[:PROCESS { operation: 'orders', id: ID, returns: [Order!]! }]->(order: Record { id: ID!, count: Int! })
  (root)-[:PROCESS { operation: 'order', id: ID! }]->(order)
  (new_order { id: ID!, count: Int! })-[:FOLD]->(saved_order: Record { id: ID!, count: Int! })
  (saved_order)-[:FORK { id: ID }]->(order_saved: Event { id: ID!, count: Int! })
`;

afterEach(() => vi.restoreAllMocks());

/** A channel of the test's own. */
function channel(
  node: string,
  direction: RuntimeIoChannel['direction'],
  methods: Partial<RuntimeIoChannel>,
): RuntimeIoChannel {
  return { node, direction, transport: 'test', ...methods };
}

/** Records that come when the test says so. */
function feed() {
  const waiting: unknown[] = [];
  let wake = (): void => undefined;
  const calls: ChannelCall[] = [];
  return {
    calls,
    give(...records: readonly unknown[]) {
      waiting.push(...records);
      wake();
    },
    async *subscribe(call: ChannelCall) {
      calls.push(call);
      call.signal.addEventListener('abort', () => wake());
      while (!call.signal.aborted) {
        if (waiting.length > 0) yield waiting.shift();
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

describe('a JSON Lines file behind a topology', () => {
  test('is read by queries and appended to by mutations, whose events reach subscribers', async () => {
    const path = join(scratchFolder(), 'orders.jsonl');
    writeFileSync(path, '{"id":"1","count":2}\n{"id":"2","count":5}\n');
    const server = serveIo(source, [
      createJsonLinesChannel({ node: 'order', direction: 'in', path }),
      createJsonLinesChannel({ node: 'saved_order', direction: 'out', path }),
    ]);
    const events = await subscribe(server, 'subscription { orderSaved { id count } }');
    const { body } = await post(server, '/api/savedOrder', { input: { id: '3', count: 7 } });
    expect(body).toEqual({ id: '3', count: 7 });
    expect(await events.next()).toEqual({ data: { orderSaved: { id: '3', count: 7 } } });
    expect(readFileSync(path, 'utf8').split('\n')[2]).toBe('{"id":"3","count":7}');
    expect((await ask(server, '/api/order?id=3')).body).toEqual({ id: '3', count: 7 });
    const { data } = await run(server, '{ orders { id } }');
    expect(data.orders.map(({ id }: { id: string }) => id)).toEqual(['1', '2', '3']);
  });

  test('is in the OpenAPI document and on the page', async () => {
    const path = join(scratchFolder(), 'orders.jsonl');
    const server = serveIo(source, [
      createJsonLinesChannel({ node: 'order', direction: 'in', path }),
      createJsonLinesChannel({ node: 'saved_order', direction: 'out', path }),
    ]);
    const { body } = await ask(server, '/openapi.json');
    expect(body['x-io']).toEqual([
      {
        node: 'order',
        direction: 'in',
        transport: 'jsonl',
        operations: [
          { kind: 'query', name: 'orders', access: 'read' },
          { kind: 'query', name: 'order', access: 'read' },
        ],
      },
      {
        node: 'saved_order',
        direction: 'out',
        transport: 'jsonl',
        operations: [{ kind: 'mutation', name: 'savedOrder', access: 'write' }],
      },
    ]);
    expect(body.paths['/api/savedOrder'].post['x-io']).toEqual([
      { node: 'saved_order', direction: 'out', transport: 'jsonl', access: 'write' },
    ]);
    const { text } = await ask(server, '/');
    expect(text).toContain('<h2>Channels<span>2</span></h2>');
    expect(text).toContain('<a href="#mutation-savedOrder">write savedOrder</a>');
  });
});

describe('a call of a channel has', () => {
  test('the arguments, the matching ones, the context and a signal', async () => {
    const calls: ChannelCall[] = [];
    const server = serveIo(
      `(root)-[:PROCESS { id: ID!, first: Int = 5, returns: [Item!]! }]->(item { id: ID! })`,
      [
        channel('item', 'in', {
          read(call) {
            calls.push(call);
            return [];
          },
        }),
      ],
      { context: { user: 'Ada' } },
    );
    await run(server, '{ item(id: "7") { id } }');
    expect(calls).toMatchObject([
      {
        node: 'item',
        operation: 'item',
        args: { id: '7', first: 5 },
        match: { id: '7' },
        many: true,
        context: { user: 'Ada' },
      },
    ]);
    expect(calls[0]?.signal.aborted).toBe(false);
  });

  test('a signal for the timeout, after which its result is dropped', async () => {
    let heard: unknown;
    const server = serveIo('(root)-[:PROCESS]->(item { id: ID! })', [
      channel('item', 'in', {
        timeout: 20,
        read: ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              heard = signal.reason;
              reject(new Error('too late'));
            });
          }),
      }),
    ]);
    const { errors } = await run(server, '{ item { id } }');
    expect(errors).toMatchObject([
      {
        message: 'The channel of the node item (test) timed out: no answer within 20 ms.',
        extensions: { code: 'GG5012', node: 'item' },
      },
    ]);
    expect(heard).toBeInstanceOf(ChannelError);
  });

  test('a signal for cancellation by the client or by another branch of a race', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const aborted: string[] = [];
    let started = 0;
    const slow = (node: string) =>
      channel(node, 'in', {
        read: ({ signal }) =>
          new Promise((_resolve, reject) => {
            started += 1;
            signal.addEventListener('abort', () => {
              aborted.push(node);
              reject(signal.reason);
            });
          }),
      });
    const server = serveIo(
      `
      (root)-[:PROCESS]->(near { a: Int } | far { a: Int })
      (near | far)-[:RACE]->(best)
      (root)-[:PROCESS]->(best)
    `,
      [slow('near'), channel('far', 'in', { read: () => ({ a: 1 }) })],
    );
    expect(await run(server, '{ best { ... on Far { a } } }')).toEqual({ data: { best: { a: 1 } } });
    expect(aborted).toEqual(['near']);
    const controller = new AbortController();
    const running = server.executeOperation({ query: '{ near { a } }', signal: controller.signal });
    await until(() => started === 2);
    controller.abort();
    expect((await running).errors?.[0]?.extensions.code).toBe('OPERATION_ABORTED');
    await until(() => aborted.length === 2);
    const gone = await server.executeOperation({ query: '{ near { a } }', signal: controller.signal });
    expect(gone.errors?.[0]?.extensions.code).toBe('OPERATION_ABORTED');
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('a channel that fails', () => {
  const read = async (fail: () => unknown, masking = false) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serveIo(
      "(root)-[:PROCESS]->(item { id: ID! }) (root)-[:PROCESS { operation: 'sure', returns: Item! }]->(item)",
      [channel('item', 'in', { read: fail })],
      { limits: { masking } },
    );
    const { errors } = await run(server, '{ item { id } }');
    const sure = await run(server, '{ sure { id } }');
    return { error: errors?.[0], sure: sure.errors?.[0], logged: logged.mock.calls };
  };

  test('reports its reason to callers, and the cause on the console only', async () => {
    const { error, logged } = await read(() => {
      throw new ChannelError('failed', 'the door is shut', { cause: new Error('/secret/door') });
    });
    expect(error).toMatchObject({
      message: 'The channel of the node item (test) failed: the door is shut.',
      extensions: { code: 'GG5011', node: 'item', transport: 'test' },
    });
    expect(logged.length).toBe(2);
    expect(logged[0]).toEqual(['The channel of the node item (test), the door is shut:', new Error('/secret/door')]);
  });

  test.each([
    ['failed', 'GG5011', 'failed'],
    ['timeout', 'GG5012', 'did not answer in time'],
    ['unreadable', 'GG5013', 'gave an unreadable answer'],
    ['overrun', 'GG5014', 'is overloaded'],
  ] as const)('shows only the kind of failure while errors are masked: %s', async (fault, code, words) => {
    const { error, logged } = await read(() => Promise.reject(new ChannelError(fault, '/srv/data')), true);
    expect(error.message).toBe(`A system behind this operation ${words}.`);
    expect(error.extensions).toEqual({ code, reference: expect.any(String) });
    expect(String(logged.flat())).toContain(`reference ${error.extensions.reference}`);
    expect(String(logged.flat())).toContain('/srv/data');
  });

  test.each([
    ['overrun', 'GG5014', 'is overloaded'],
    ['unreadable', 'GG5013', 'returned an unusable value'],
  ] as const)('has the code of its fault: %s', async (fault, code, words) => {
    const { error, logged } = await read(() => Promise.reject(new ChannelError(fault, 'so it is')));
    expect(error.message).toBe(`The channel of the node item (test) ${words}: so it is.`);
    expect(error.extensions.code).toBe(code);
    expect(logged).toEqual([]);
  });

  test.each([[new Error('password=1234')], ['password=1234'], [undefined]])(
    'without a reason for callers hides the thrown value: %s',
    async (thrown) => {
      const { error } = await read(() => {
        throw thrown;
      });
      expect(error.message).toBe('The channel of the node item (test) failed: it threw an error.');
    },
  );

  test('with a GraphQLError passes it on', async () => {
    const { error } = await read(() => {
      throw new GraphQLError('Not yours.', { extensions: { code: 'FORBIDDEN' } });
    });
    expect(error).toMatchObject({ message: 'Not yours.', extensions: { code: 'FORBIDDEN' } });
  });

  test('by returning nothing for a required value is reported', async () => {
    const { error, sure } = await read(() => undefined);
    expect(error).toBeUndefined();
    expect(sure.message).toBe(
      'The channel of the node item (test) returned an unusable value: no value, but the operation requires one.',
    );
  });
});

describe('writing', () => {
  const source = '(form { id: ID!, name: String })-[:FOLD]->(saved { id: ID!, name: String, at: Int })';
  const save = 'mutation { saved(input: { id: "1", name: "Ada" }) { id name at } }';

  test('returns the record or the value of the channel', async () => {
    const taken: unknown[] = [];
    const plain = serveIo(source, [channel('saved', 'out', { write: (record) => void taken.push(record) })]);
    expect(await run(plain, save)).toEqual({ data: { saved: { id: '1', name: 'Ada', at: null } } });
    expect(taken).toEqual([{ id: '1', name: 'Ada' }]);
    const wise = serveIo(source, [
      channel('saved', 'out', { write: async (record) => ({ ...(record as object), at: 5 }) }),
    ]);
    expect(await run(wise, save)).toEqual({ data: { saved: { id: '1', name: 'Ada', at: 5 } } });
  });

  test('is overridden by a resolver for the same field', async () => {
    const write = vi.fn();
    const server = serveIo(source, [channel('saved', 'out', { write })], {
      resolvers: { Mutation: { saved: () => ({ id: '2' }) } },
    });
    expect((await run(server, save)).data.saved.id).toBe('2');
    expect(write).not.toHaveBeenCalled();
  });
});

describe('a channel at the target of a FORK edge', () => {
  const source = `
    (form { id: ID! })-[:FOLD]->(saved { id: ID!, secret: String })
    (saved)-[:FORK { id: ID }]->(audit: Event { id: ID!, kind: 'saved' } | told: Event { id: ID! })
  `;
  const save = (id: string) => `mutation { saved(input: { id: "${id}" }) { id } }`;
  const resolvers = {
    Mutation: { saved: (_: unknown, { input }: { input: object }) => ({ ...input, secret: 'x' }) },
  };

  test('writes each event before the mutation answers, and before subscribers get it', async () => {
    const happened: unknown[] = [];
    let release = (): void => undefined;
    const server = serveIo(
      source,
      [
        channel('audit', 'out', {
          write: (record, { signal, operation }) => {
            happened.push({ record, operation, aborted: signal.aborted });
            return new Promise<void>((resolve) => {
              release = resolve;
            });
          },
        }),
      ],
      { resolvers },
    );
    const audits = await subscribe(server, 'subscription { audit { id kind } }');
    const others = await subscribe(server, 'subscription { told { id } }');
    const saving = run(server, save('1'));
    expect((await others.next()).data.told.id).toBe('1');
    expect(happened).toEqual([{ record: { id: '1', kind: 'saved' }, operation: 'audit', aborted: false }]);
    const hearing = audits.next();
    expect(await orNothing(Promise.race([saving, hearing]))).toBe('nothing');
    release();
    expect(await hearing).toEqual({ data: { audit: { id: '1', kind: 'saved' } } });
    expect((await saving).data.saved).toEqual({ id: '1' });
  });

  test('that fails to write fails the mutation, and its subscribers get no event', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let fail: unknown = new ChannelError('failed', 'the disk is full');
    const server = serveIo(
      source,
      [
        channel('audit', 'out', {
          timeout: 20,
          write: () => (fail === 'slow' ? new Promise(() => undefined) : Promise.reject(fail)),
        }),
      ],
      { resolvers },
    );
    const audits = await subscribe(server, 'subscription { audit { id } }');
    const others = await subscribe(server, 'subscription { told { id } }');
    const messageOf = async () => (await run(server, save('1'))).errors[0];
    expect(await messageOf()).toMatchObject({
      message: 'The change was made, but its event could not be written to the node audit (test): the disk is full.',
      extensions: { code: 'GG5015', node: 'audit', transport: 'test' },
    });
    fail = new GraphQLError('Not today.');
    expect((await messageOf()).message).toMatch(/event could not be written to the node .*: Not today\.\.?$/);
    fail = new Error('secret');
    expect((await messageOf()).message).toMatch(/\(test\): it threw an error\.$/);
    fail = 'slow';
    expect((await messageOf()).message).toMatch(/\(test\): no answer within 20 ms\.$/);
    expect((await post(server, '/api/saved', { input: { id: '1' } })).status).toBe(502);
    expect(await orNothing(audits.next())).toBe('nothing');
    for (let times = 0; times < 5; times++) expect((await others.next()).data.told.id).toBe('1');
  });

  test('writes published events, and reports failures on the console', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const taken: unknown[] = [];
    const server = serveIo(source, [
      channel('audit', 'out', {
        write: (record) => {
          if ((record as { id: string }).id === 'bad') throw new ChannelError('failed', 'it is bad');
          taken.push(record);
        },
      }),
    ]);
    const audits = await subscribe(server, 'subscription { audit { id } }');
    server.publish('audit', { id: '1', secret: 'x' });
    expect(await audits.next()).toEqual({ data: { audit: { id: '1' } } });
    expect(taken).toEqual([{ id: '1', kind: 'saved' }]);
    server.publish('audit', { id: 'bad' });
    await until(() => logged.mock.calls.length > 0);
    expect(String(logged.mock.calls[0]?.[0])).toContain(
      'its event could not be written to the node audit (test): it is bad',
    );
  });
});

test('an event is written only by the instance where it happened', async () => {
  const source = `
    (form { id: ID! })-[:FOLD]->(saved { id: ID! })
    (saved)-[:FORK]->(audit: Event { id: ID! })
  `;
  const written: string[] = [];
  const events = new EventTarget();
  const instance = (name: string) =>
    serveIo(source, [channel('audit', 'out', { write: () => void written.push(name) })], {
      events,
      resolvers: { Mutation: { saved: (_: unknown, { input }: { input: object }) => input } },
    });
  const [one, two] = [instance('one'), instance('two')];
  const heard = await subscribe(two, 'subscription { audit { id } }');
  await run(one, 'mutation { saved(input: { id: "1" }) { id } }');
  expect(await heard.next()).toEqual({ data: { audit: { id: '1' } } });
  expect(written).toEqual(['one']);
});

test('a layer joins a server with any type of context', () => {
  const server = createGqlServer<{ readonly user: string }>({
    topologies: [{ name: 'test.gg', source }],
    context: { user: 'Ada' },
    layers: [layerOf(source, [channel('order', 'in', { read: () => null })])],
  });
  expect(server.schema.io?.length).toBe(1);
});

describe('a channel that is subscribed to', () => {
  const source = `
    (form { id: ID! })-[:FOLD]->(saved { id: ID! })
    (saved)-[:FORK { id: ID }]->(seen: Event { id: ID! })
  `;
  const resolvers = { Mutation: { saved: (_: unknown, { input }: { input: object }) => input } };
  const save = (id: string) => `mutation { saved(input: { id: "${id}" }) { id } }`;
  const seen = (result: { data: { seen: { id: string } } }) => result.data.seen.id;

  test('is merged with the events of mutations, and the arguments filter both', async () => {
    const { give, calls, ...outside } = feed();
    const server = serveIo(source, [channel('seen', 'in', outside)], { resolvers });
    const all = await subscribe(server, 'subscription { seen { id } }');
    give({ id: '1' });
    expect(seen(await all.next())).toBe('1');
    await run(server, save('2'));
    expect(seen(await all.next())).toBe('2');
    await all.stop();
    const some = await subscribe(server, 'subscription { seen(id: "4") { id } }');
    await run(server, save('3'));
    give({ id: '3' });
    give({ id: 4 });
    expect(seen(await some.next())).toBe('4');
    expect(calls[1]?.args).toEqual({ id: '4' });
    await run(server, save('4'));
    expect(seen(await some.next())).toBe('4');
    await some.stop();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test('that echoes its writes is the only source of events', async () => {
    const path = join(scratchFolder(), 'seen.jsonl');
    const server = serveIo(source, [createJsonLinesChannel({ node: 'seen', direction: 'inout', path, interval: 5 })], {
      resolvers,
    });
    const events = await subscribe(server, 'subscription { seen { id } }');
    await run(server, save('1'));
    await run(server, save('2'));
    expect(seen(await events.next())).toBe('1');
    expect(seen(await events.next())).toBe('2');
    await events.stop();
  });

  test('reports an unusable record, and continues', async () => {
    const { give, ...outside } = feed();
    const server = serveIo(source, [channel('seen', 'in', outside)], { resolvers });
    const events = await subscribe(server, 'subscription { seen { id } }');
    give('text', new ChannelError('unreadable', 'line 3 is not JSON'), { id: '1' });
    expect(await events.next()).toMatchObject({
      data: { seen: null },
      errors: [{ extensions: { code: 'GG5013', node: 'seen' } }],
    });
    expect((await events.next()).errors[0].message).toMatch(/line 3 is not JSON\.$/);
    expect(seen(await events.next())).toBe('1');
    await events.stop();
  });

  test('ends the subscription when it fails or ends, with the name of the node', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = serveIo(source, [
      channel('seen', 'in', {
        subscribe: async function* () {
          yield { id: '1' };
          throw new Error('secret');
        },
      }),
    ]);
    const events = await subscribe(broken, 'subscription { seen { id } }');
    expect(seen(await events.next())).toBe('1');
    expect((await events.next()).errors).toEqual([
      {
        message: 'The channel of the node seen (test) failed: it threw an error.',
        extensions: { code: 'GG5011', node: 'seen', transport: 'test' },
      },
    ]);
    expect(await events.next()).toBeUndefined();
    const short = serveIo(source, [channel('seen', 'in', { subscribe: async function* () {} })]);
    expect(await (await subscribe(short, 'subscription { seen { id } }')).next()).toBeUndefined();
  });

  test('that cannot be opened fails the subscription at its start', async () => {
    const server = serveIo(source, [
      channel('seen', 'in', { subscribe: () => Promise.reject(new ChannelError('failed', 'it is shut')) }),
    ]);
    expect(await server.subscribe({ query: 'subscription { seen { id } }' })).toMatchObject({
      errors: [{ message: 'The channel of the node seen (test) failed: it is shut.' }],
    });
  });

  test.each([[undefined], [[1, 2]]])('that returns no async iterable fails: %j', async (records) => {
    const server = serveIo(source, [
      channel('seen', 'in', { subscribe: () => records as unknown as AsyncIterable<unknown> }),
    ]);
    expect(await server.subscribe({ query: 'subscription { seen { id } }' })).toMatchObject({
      errors: [{ extensions: { code: 'GG5013', node: 'seen' } }],
    });
  });

  test('is released immediately when the subscriber disconnects, even while it waits', async () => {
    let returned = 0;
    const aborted: boolean[] = [];
    const server = serveIo(source, [
      channel('seen', 'in', {
        subscribe: ({ signal }) => {
          signal.addEventListener('abort', () => aborted.push(true));
          return {
            [Symbol.asyncIterator]: () => ({
              next: () => new Promise<never>(() => undefined),
              return: () => {
                returned += 1;
                return Promise.reject(new Error('nobody hears this'));
              },
            }),
          };
        },
      }),
    ]);
    const events = await subscribe(server, 'subscription { seen { id } }');
    const waiting = events.next();
    await events.stop();
    expect(await waiting).toBeUndefined();
    expect([aborted, returned]).toEqual([[true], 1]);
  });

  test('is released when the subscriber is too slow for the events of mutations', async () => {
    const { give: _give, calls, ...outside } = feed();
    const server = serveIo(source, [channel('seen', 'in', outside)], { resolvers });
    const events = await subscribe(server, 'subscription { seen { id } }');
    for (let id = 0; id < 102; id++) await run(server, save(String(id)));
    let last = await events.next();
    while (last.errors === undefined) last = await events.next();
    expect(last.errors[0].extensions.code).toBe('SUBSCRIBER_TOO_SLOW');
    expect(await events.next()).toBeUndefined();
    expect(calls[0]?.signal.aborted).toBe(true);
  });
});

describe('on Apollo Server', () => {
  test('a channel works and fails like on Yoga', async () => {
    const server = createAlphaServer({
      topologies: [{ name: 'test.gg', source }],
      layers: [
        layerOf(source, [
          channel('order', 'in', {
            read: ({ many }) => {
              if (many) return [{ id: '1', count: 2 }];
              throw new ChannelError('failed', 'it is shut');
            },
          }),
        ]),
      ],
    });
    const { body } = await post(server, '/graphql', { query: '{ orders { id } order(id: "1") { id } }' });
    expect(body.data).toEqual({ orders: [{ id: '1' }], order: null });
    expect(body.errors).toMatchObject([
      {
        message: 'The channel of the node order (test) failed: it is shut.',
        extensions: { code: 'GG5011', node: 'order', transport: 'test' },
      },
    ]);
    expect((await ask(server, '/api/order?id=1')).status).toBe(502);
  });
});

describe('a layer', () => {
  test('with mistakes in its channels is rejected with all findings', () => {
    const make = () =>
      serveIo(source, [channel('ordre', 'in', { read: () => null }), channel('order', 'out', { write: () => null })]);
    expect(make).toThrow(TopologyError);
    expect(make).toThrow(/GG5006 .*Did you mean order\?\n.*test\.gg:2:\d+ GG5007 /);
  });

  test('of a topology with errors serves nothing, and passes the errors on', () => {
    const layer = layerOf('(root)-[:PROCESS { returns: Nobody! }]->(item)', [
      channel('item', 'in', { read: () => null }),
    ]);
    expect(layer.bindings).toEqual([]);
    expect(layer.diagnostics.map(({ code }) => code)).toContain('GG2008');
  });

  test('with a wrong graph or wrong channels throws', () => {
    const { ast, schema } = compile(source);
    const build = (given: unknown) => () => buildRuntimeIoProjectionLayer(given as RuntimeIoProjectionSource);
    expect(build({ graph: schema, channels: [] })).toThrow(
      'graph must be a topology: the result of compile(), or its `ast`.',
    );
    expect(build({ channels: [] })).toThrow(TypeError);
    expect(build({ graph: ast })).toThrow('channels must be a list of channels.');
  });

  test('of another topology is rejected', () => {
    const layer = layerOf(source, [channel('order', 'in', { read: () => null })]);
    const text = '(root)-[:PROCESS]->(other { id: ID! })';
    expect(() => serve(text, { layers: [layer] })).toThrow(/GG5002 There is a resolver for Query\.orders/);
  });

  test('adds its table but no types, and closes its channels', async () => {
    const close = vi.fn();
    const layer = layerOf(source, [
      channel('order', 'in', { read: () => null, close }),
      channel('saved_order', 'out', { write: () => null }),
    ]);
    expect(layer.schema).toEqual({ io: layer.bindings });
    expect(JSON.parse(JSON.stringify(layer.bindings))).toEqual(layer.bindings);
    expect(Object.keys(layer.resolvers)).toEqual(['Query', 'Mutation']);
    await layer.close();
    expect(close).toHaveBeenCalledOnce();
  });

  test('combines with other layers: their tables are concatenated', () => {
    const one = layerOf(source, [channel('order', 'in', { read: () => null })]);
    const two = layerOf(source, [channel('saved_order', 'out', { write: () => null })]);
    const { schema } = serve(source, { layers: [one, two] });
    expect(schema.io?.map(({ node }) => node)).toEqual(['order', 'saved_order']);
  });
});
