import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { createAlphaServer } from '../../../../src/runtime/hosts/alpha/alpha-server.js';
import type { RuntimeIoChannel } from '../../../../src/runtime/server/channels/binding/channel.js';
import { createChildProcessChannel } from '../../../../src/runtime/server/channels/transports/child-process.js';
import { createHttpJsonChannel } from '../../../../src/runtime/server/channels/transports/http-json.js';
import { createJsonFileChannel } from '../../../../src/runtime/server/channels/transports/json-file.js';
import { createJsonLinesChannel } from '../../../../src/runtime/server/channels/transports/json-lines.js';
import { createStreamChannel } from '../../../../src/runtime/server/channels/transports/node-streams.js';
import { subscribe } from '../subscriber.js';
import { ask, post, run, serve } from '../topology-server.js';
import { layerOf, scratchFolder, serveIo } from './io-server.js';

const source = `
  (form { id: ID!, count: String, tags: [String], made: String })
    -[:FOLD]->(item: Record { id: ID!, count: Int!, tags: [String!]!, color: 'red', made: String! })
  (root)-[:PROCESS { operation: 'items', id: ID, returns: [Item!]! }]->(item)
  (root)-[:PROCESS { operation: 'latest' }]->(item)
  (bell)-[:FORK]->(item)
`;

let log: MockInstance<typeof console.error>;
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const whole = { id: '1', count: '5', tags: ['a'], made: 'now' };

/** A channel, and what was written to it. */
type Made = { readonly channel: RuntimeIoChannel; readonly written: () => unknown[] };

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const fileText = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const stores: readonly (readonly [string, () => Made])[] = [
  [
    'a JSON Lines file',
    () => {
      const path = join(scratchFolder(), 'items.jsonl');
      const channel = createJsonLinesChannel({ node: 'item', direction: 'out', path });
      return { channel, written: () => linesOf(fileText(path)) };
    },
  ],
  [
    'a JSON file',
    () => {
      const path = join(scratchFolder(), 'item.json');
      const channel = createJsonFileChannel({ node: 'item', direction: 'out', path });
      return { channel, written: () => linesOf(fileText(path)) };
    },
  ],
  [
    'a stream',
    () => {
      const output = new PassThrough();
      let text = '';
      output.on('data', (chunk) => {
        text += chunk;
      });
      return { channel: createStreamChannel({ node: 'item', output }), written: () => linesOf(text) };
    },
  ],
  [
    'a custom channel that stores',
    () => {
      const records: unknown[] = [];
      const write = (record: unknown) => void records.push(record);
      const channel = { node: 'item', direction: 'out', transport: 'own', stores: true, write } as const;
      return { channel, written: () => records };
    },
  ],
];

describe.each(stores)('%s', (_name, make) => {
  test.each([
    ['nothing', {}, 'input.id', '“input.id” is missing.'],
    ['a part', { id: '1', count: '5' }, 'input.tags', '“input.tags” is missing.'],
    ['null', { ...whole, made: null }, 'input.made', '“input.made” must not be null.'],
    ['another type', { ...whole, count: 'many' }, 'input.count', '“input.count” must be a 32-bit integer, not "many".'],
    ['a bad item', { ...whole, tags: ['a', null] }, 'input.tags[1]', '“input.tags[1]” must not be null.'],
  ])('rejects %s with 400 and the path, and writes nothing', async (_what, input, parameter, detail) => {
    const { channel, written } = make();
    const beta = serveIo(source, [channel]);
    const alpha = createAlphaServer({
      topologies: [{ name: 'test.gg', source }],
      layers: [layerOf(source, [channel])],
    });
    const extensions = { code: 'BAD_USER_INPUT', parameter, node: 'item' };
    for (const server of [beta, alpha]) {
      expect(await post(server, '/api/item', { input })).toMatchObject({
        status: 400,
        body: { detail, ...extensions },
      });
      const query = 'mutation ($input: FormInput) { item(input: $input) { id } }';
      const { body } = await post(server, '/graphql', { query, variables: { input } });
      expect(body).toMatchObject({ data: { item: null }, errors: [{ message: detail, extensions }] });
    }
    expect(await post(beta, '/api/item', { input: null })).toMatchObject({ status: 400 });
    expect(await post(beta, '/api/item', {})).toMatchObject({ status: 400 });
    expect(written()).toEqual([]);
    expect(await post(beta, '/api/item', { input: whole })).toMatchObject({ status: 200 });
    expect(written()).toEqual([whole]);
    expect(log).not.toHaveBeenCalled();
  });
});

test('every accepted record of a file can be read again', async () => {
  const path = join(scratchFolder(), 'items.jsonl');
  const channel = createJsonLinesChannel({ node: 'item', direction: 'inout', path, badRecords: 'fail' });
  const server = serveIo(source, [channel]);
  const text = fc.option(fc.constantFrom('1', 'x', '', '2.5'), { nil: undefined });
  const input = fc.record({ id: text, count: text, tags: fc.option(fc.array(text)), made: text });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const { status } = await post(server, '/api/item', { input: given });
      if (status === 200) accepted += 1;
      else expect(status).toBe(400);
      const { status: read, body } = await ask(server, '/api/items');
      expect([read, body.length]).toEqual([200, accepted]);
    }),
    { numRuns: 60, examples: [[{ id: '1', count: '1', tags: ['x'], made: 'x' }]] },
  );
  expect(accepted).toBeGreaterThan(0);
});

describe('a channel that may add fields', () => {
  const http = (record: unknown) =>
    new Promise<{ readonly url: string; readonly bodies: unknown[] }>((resolve) => {
      const bodies: unknown[] = [];
      const server = createServer(async (request, response) => {
        bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
        response.setHeader('content-type', 'application/json').end(JSON.stringify(record));
      });
      onTestFinished(() => void server.close());
      server.listen(0, () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }));
    });

  test('gets a record without fields that the source does not require', async () => {
    const made = { id: '1', count: 5, tags: [], made: 'now' };
    const { url, bodies } = await http(made);
    const program = `require('readline').createInterface({ input: process.stdin }).on('line', (line) =>
      console.log(JSON.stringify({ id: JSON.parse(line).id, value: ${JSON.stringify(made)} })))`;
    for (const channel of [
      createHttpJsonChannel({ node: 'item', direction: 'out', url }),
      createChildProcessChannel({
        node: 'item',
        direction: 'out',
        command: process.execPath,
        args: ['-e', program],
      }),
      { node: 'item', direction: 'out', transport: 'own', write: () => made } as const,
    ]) {
      const server = serveIo(source, [channel]);
      expect(await post(server, '/api/item', { input: { id: '1' } })).toMatchObject({
        status: 200,
        body: made,
      });
      expect(await post(server, '/api/item', { input: { count: '5' } })).toMatchObject({
        status: 400,
        body: { parameter: 'input.id' },
      });
      expect(await post(server, '/api/item', { input: { id: '1', count: 'x' } })).toMatchObject({
        status: 400,
        body: { parameter: 'input.count' },
      });
    }
    expect(bodies).toEqual([{ id: '1' }]);
  });

  test('fails the mutation if its result does not fit', async () => {
    const channel = { node: 'item', direction: 'out', transport: 'own', write: () => ({ id: '1' }) } as const;
    expect(await post(serveIo(source, [channel]), '/api/item', { input: { id: '1' } })).toMatchObject({
      status: 502,
      body: { code: 'GG5013', detail: expect.stringContaining('count is missing') },
    });
  });

  test('accepts records whose missing fields have resolvers or constants', async () => {
    const path = join(scratchFolder(), 'items.jsonl');
    const channel = createJsonLinesChannel({ node: 'item', direction: 'inout', path });
    const server = serveIo(source, [channel], {
      resolvers: { Item: { made: () => 'by a resolver', count: () => 1 } },
    });
    await post(server, '/api/item', { input: { id: '1', tags: [], count: 'many' } });
    expect((await ask(server, '/api/items')).body).toEqual([
      { id: '1', count: 1, tags: [], color: 'red', made: 'by a resolver' },
    ]);
  });
});

describe('a query over records that do not fit', () => {
  const good = { id: '1', count: 5, tags: [], made: 'now' };
  const records = [good, {}, 'text', { ...good, id: '2', count: 'many' }, { ...good, id: '3' }];
  const readers: readonly (readonly [string, (badRecords?: 'fail') => RuntimeIoChannel])[] = [
    [
      'of a JSON Lines file',
      (badRecords) => {
        const path = join(scratchFolder(), 'items.jsonl');
        writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        return createJsonLinesChannel({
          node: 'item',
          direction: 'in',
          path,
          ...(badRecords && { badRecords }),
        });
      },
    ],
    [
      'of a JSON file',
      (badRecords) => {
        const path = join(scratchFolder(), 'items.json');
        writeFileSync(path, JSON.stringify(records));
        return createJsonFileChannel({
          node: 'item',
          direction: 'in',
          path,
          ...(badRecords && { badRecords }),
        });
      },
    ],
    [
      'of a custom channel',
      (badRecords) => ({
        node: 'item',
        direction: 'in',
        transport: 'own',
        read: ({ many }) => (many ? records : records.at(-1)),
        ...(badRecords && { badRecords }),
      }),
    ],
  ];

  test.each(readers)('%s returns the others; invalid records are logged once and counted', async (_, make) => {
    const layer = layerOf(source, [make()]);
    const server = serve(source, { layers: [layer] });
    for (let round = 1; round <= 2; round++) {
      const { data, errors } = await run(server, '{ items { id } latest { id } }');
      expect(errors).toBeUndefined();
      expect(data).toEqual({ items: [{ id: '1' }, { id: '3' }], latest: { id: '3' } });
    }
    expect(layer.badRecords.get('item')).toBeGreaterThanOrEqual(6);
    const reports = log.mock.calls.flat().map(String);
    expect(new Set(reports).size).toBe(reports.length);
    for (const reason of ['2: id is missing', '3: it must be an object', '4: count must be a 32-bit integer']) {
      expect(reports.filter((report) => report.includes(reason))).toHaveLength(1);
    }
  });

  test.each(readers)('%s fails with badRecords: fail', async (_, make) => {
    const server = serveIo(source, [make('fail')]);
    const { body, status } = await ask(server, '/api/items');
    expect([status, body.code]).toEqual([502, 'GG5013']);
    expect(body.detail).toMatch(/(line|record) 2: id is missing\.$/);
  });

  test('is not null if the only match does not fit', async () => {
    const path = join(scratchFolder(), 'items.jsonl');
    writeFileSync(path, '{"id":"1"}\n');
    const server = serveIo(source, [createJsonLinesChannel({ node: 'item', direction: 'in', path })]);
    expect(await ask(server, '/api/latest')).toMatchObject({ status: 502, body: { code: 'GG5013' } });
    expect((await ask(server, '/api/items')).body).toEqual([]);
  });

  test('of a stream returns the next record that fits', async () => {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    const text = ['nonsense\n', ...lines.slice(1)].join('');
    const input = Readable.from([Buffer.from(text)], { objectMode: false });
    const server = serveIo(source, [createStreamChannel({ node: 'item', input })]);
    expect((await ask(server, '/api/latest')).body).toMatchObject({ id: '3' });
    expect(log).toHaveBeenCalledTimes(4);
  });

  test('is an error of a subscription, which continues', async () => {
    const channel: RuntimeIoChannel = {
      node: 'bell',
      direction: 'in',
      transport: 'own',
      async *subscribe() {
        yield* records;
      },
    };
    const events = await subscribe(serveIo(source, [channel]), 'subscription { item { id } }');
    const results = [];
    for (const _ of records) results.push((await events.next()) as { data?: unknown; errors?: unknown });
    expect(results.map(({ data }) => (data as { item: unknown }).item)).toEqual([
      { id: '1' },
      null,
      null,
      null,
      { id: '3' },
    ]);
    expect(results[1]?.errors).toMatchObject([{ extensions: { code: 'GG5013', node: 'bell' } }]);
  });
});

test('an event that lacks a required field is not written, and the mutation fails', async () => {
  const path = join(scratchFolder(), 'told.jsonl');
  const text = `
    (form { id: ID })-[:FOLD]->(made { id: ID })
    (made)-[:FORK]->(told: Event { id: ID! })
  `;
  const server = serveIo(text, [createJsonLinesChannel({ node: 'told', direction: 'out', path })], {
    resolvers: { Mutation: { made: (_parent: unknown, { input }: { input: object }) => input } },
  });
  expect(await post(server, '/api/made', { input: {} })).toMatchObject({
    status: 502,
    body: { code: 'GG5015', detail: expect.stringContaining('id is missing') },
  });
  expect(existsSync(path)).toBe(false);
  expect(await post(server, '/api/made', { input: { id: '1' } })).toMatchObject({ status: 200 });
  expect(fileText(path)).toBe('{"id":"1"}\n');
});
