import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createJsonLinesChannel } from '../../../src/channels.js';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import {
  fileScalar,
  isStructured,
  type StandardScalar,
  standardScalars,
} from '../../../src/compiler/graph/standard-scalars.js';
import { createGqlServer, type FetchCompatibleGraphQLServer, type GqlServerOptions } from '../../../src/index.js';
import { createAlphaServer } from '../../../src/runtime/hosts/alpha/alpha-server.js';
import { runs } from '../../arbitraries/runs.js';
import { scratchFolder, serveIo } from './channels/io-server.js';
import { type Answer, ask, post, run, serve } from './topology-server.js';

const names = [...standardScalars.keys()].filter((name) => name !== fileScalar);
const numberOf = (name: string) => names.indexOf(name);
const scalarOf = (name: string) => standardScalars.get(name) as StandardScalar;

/** One query and one mutation for each scalar, which answer what they were given. */
const source = names
  .map(
    (name, at) => `
(root)-[:PROCESS { v: ${name}, list: [${name}!] }]->(q${at} { v: ${name}, list: [${name}!] })
(form${at} { v: ${name} })-[:FOLD]->(m${at} { v: ${name} })`,
  )
  .join('');

type Values = Record<string, unknown>;

const resolvers = {
  Query: Object.fromEntries(names.map((name) => [`q${numberOf(name)}`, (_: unknown, args: Values) => args])),
  Mutation: Object.fromEntries(
    names.map((name) => [`m${numberOf(name)}`, (_: unknown, args: Values) => args.input as Values]),
  ),
};

const options: GqlServerOptions = { topologies: [{ name: 'all.gg', source }], resolvers };

const engines: Readonly<Record<string, () => FetchCompatibleGraphQLServer>> = {
  Yoga: () => createGqlServer(options),
  Apollo: () => createAlphaServer(options as never),
};

/** The JSON that came back, or that the value was refused because of the caller. */
type Verdict = { readonly value: JsonValue } | 'refused';

function ofGraphQL({ body }: Answer, field: string): Verdict {
  if (body.errors === undefined) return { value: body.data[field].v };
  expect(JSON.stringify(body.errors)).not.toContain('INTERNAL_SERVER_ERROR');
  return 'refused';
}

function ofRest({ status, body }: Answer): Verdict {
  expect([200, 400]).toContain(status);
  return status === 200 ? { value: body.v } : 'refused';
}

function literal(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literal(inner as JsonValue)}`)
    .join(', ')} }`;
}

/** Every way in, for a value of a scalar. */
const ways: Readonly<
  Record<string, (server: FetchCompatibleGraphQLServer, name: string, value: JsonValue) => Promise<Verdict>>
> = {
  variable: async (server, name, value) =>
    ofGraphQL(
      await post(server, '/graphql', {
        query: `query Q($v: ${name}) { q${numberOf(name)}(v: $v) { v } }`,
        variables: { v: value },
      }),
      `q${numberOf(name)}`,
    ),
  literal: async (server, name, value) =>
    ofGraphQL(
      await post(server, '/graphql', { query: `{ q${numberOf(name)}(v: ${literal(value)}) { v } }` }),
      `q${numberOf(name)}`,
    ),
  'field of an input': async (server, name, value) =>
    ofGraphQL(
      await post(server, '/graphql', {
        query: `mutation M($input: Form${numberOf(name)}Input) { m${numberOf(name)}(input: $input) { v } }`,
        variables: { input: { v: value } },
      }),
      `m${numberOf(name)}`,
    ),
  'REST body': async (server, name, value) =>
    ofRest(await post(server, `/api/m${numberOf(name)}`, { input: { v: value } })),
};

/** The query string has text only: numbers are written as their digits, objects as JSON. */
function inQuery(server: FetchCompatibleGraphQLServer, name: string, value: JsonValue): Promise<Answer> {
  const isText = typeof value === 'string' && !isStructured(scalarOf(name));
  return ask(server, `/api/q${numberOf(name)}?v=${encodeURIComponent(isText ? value : JSON.stringify(value))}`);
}

describe.each(Object.keys(engines))('standard scalars on %s', (engine) => {
  let server: FetchCompatibleGraphQLServer;
  beforeAll(() => {
    server = (engines[engine] as () => FetchCompatibleGraphQLServer)();
  });

  test.each(names)('%s is accepted over every protocol, and its example is returned unchanged', async (name) => {
    const { example } = scalarOf(name);
    for (const [way, send] of Object.entries(ways)) {
      expect(await send(server, name, example), way).toEqual({ value: example });
    }
    expect((await inQuery(server, name, example)).body.v).toEqual(example);
    const { body } = await post(server, '/graphql', {
      query: `query Q($v: [${name}!]) { q${numberOf(name)}(list: $v) { list } }`,
      variables: { v: [example, example] },
    });
    expect(body.data[`q${numberOf(name)}`].list).toEqual([example, example]);
  });

  test('every protocol has the same verdict for every value', async () => {
    const texts = names.map((name) => scalarOf(name).example).filter((one) => typeof one === 'string');
    const value = fc.oneof(
      fc.constantFrom<JsonValue>(true, false, 0, -1, 1.5, 2 ** 40, 2 ** 60, '', ' ', '1', '-5', '1.50', 'x'),
      fc.constantFrom<JsonValue>([], [1], {}, { a: 1 }, '2024-02-30', '2024-02-30T00:00:00Z', '24:00:00Z'),
      fc.constantFrom(...texts),
      fc.constantFrom(...texts).chain((text) => fc.nat(text.length).map((at) => text.slice(0, at))),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, async (name, given) => {
        const [first, ...others] = await Promise.all(
          Object.entries(ways)
            // A number in a document has all its digits, which JSON has lost before it is read.
            .filter(([way]) => way !== 'literal' || typeof given !== 'number' || scalarOf(name).isDigits !== true)
            .map(([, send]) => send(server, name, given)),
        );
        for (const other of others) expect(other).toEqual(first);
        if (typeof given === 'string') {
          const { status, body } = await inQuery(server, name, given);
          // The text of a query string may be the digits of a number.
          if (status === 200 && first === 'refused') expect(typeof body.v).toBe('number');
          else expect(status === 200 ? { value: body.v } : 'refused').toEqual(first);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test('an error names the argument and a valid value', async () => {
    const { body: rest } = await ask(server, `/api/q${numberOf('DateTime')}?v=2024-99-01`);
    expect(rest.detail).toBe('“v” must be a value of DateTime, such as "2024-01-31T09:30:00.000Z", not "2024-99-01".');
    const { body } = await post(server, '/graphql', {
      query: `{ q${numberOf('DateTime')}(v: "2024-99-01") { v } }`,
    });
    expect(body.errors[0].message).toContain('A valid value is "2024-01-31T09:30:00.000Z".');
  });
});

describe('a standard scalar', () => {
  const clock = `
(root)-[:PROCESS { at: DateTime = '2024-01-31T09:30:00Z', n: BigInt = 9007199254740993, fee: Decimal = 12.50 }]->(
  seen { at: DateTime, n: BigInt, fee: Decimal, day: Date = '2024-02-29' })
(entry { id: ID!, at: DateTime, n: BigInt, day: Date, bytes: Byte, cents: USCurrency })-[:FOLD]->(
  saved { id: ID!, at: DateTime, n: BigInt, day: Date, bytes: Byte, cents: USCurrency })
(root)-[:PROCESS { n: BigInt, at: DateTime, operation: 'entries', returns: [Saved!]! }]->(saved)
(saved)-[:FORK { n: BigInt, at: DateTime }]->(noted { id: ID!, n: BigInt, at: DateTime })`;

  test('has its defaults and constants, and resolvers receive its TypeScript type', async () => {
    let given: Values = {};
    const server = serve(clock, { resolvers: { Query: { seen: (_, args) => (given = args) } } });
    expect(await run(server, '{ seen { at n fee day } }')).toEqual({
      data: {
        seen: { at: '2024-01-31T09:30:00.000Z', n: '9007199254740993', fee: '12.50', day: '2024-02-29' },
      },
    });
    expect(given).toEqual({ at: new Date('2024-01-31T09:30:00Z'), n: 9007199254740993n, fee: '12.50' });
  });

  test('keeps the digits of a number over REST and GraphQL', async () => {
    const server = serve(clock, { resolvers: { Query: { seen: (_, args) => args } } });
    const { data } = await run(server, '{ seen(n: 12345678901234567890, fee: 0.10) { n fee } }');
    expect(data.seen).toEqual({ n: '12345678901234567890', fee: '0.10' });
    const { body } = await ask(server, '/api/seen?n=12345678901234567890&fee=0.10');
    expect(body).toMatchObject({ n: '12345678901234567890', fee: '0.10' });
  });

  test('with an invalid result is an error without the value', async () => {
    const server = serve(clock, {
      resolvers: { Query: { seen: () => ({ at: 'a secret' }) } },
      limits: { masking: true },
    });
    const { errors } = await run(server, '{ seen { at } }');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  test('is implemented by the resolver of its name, if there is one', async () => {
    const { GraphQLScalarType } = await import('graphql');
    const DateTime = new GraphQLScalarType({
      name: 'DateTime',
      serialize: () => '2000-01-01T00:00:00Z',
      parseValue: (value) => `own ${value}`,
    });
    let given: Values = {};
    const server = serve(clock, { resolvers: { DateTime, Query: { seen: (_, args) => (given = args) } } });
    expect((await run(server, '{ seen { at } }')).data).toEqual({ seen: { at: '2000-01-01T00:00:00Z' } });
    expect(given.at).toBe('own 2024-01-31T09:30:00Z');
  });

  test('is text in the records of a channel, and filters them', async () => {
    const { join } = await import('node:path');
    const { readFile } = await import('node:fs/promises');
    const file = join(scratchFolder(), 'entries.jsonl');
    const server = serveIo(clock, [createJsonLinesChannel({ node: 'saved', direction: 'inout', path: file })]);
    const record = {
      id: '1',
      at: '2024-01-31T09:30:00.000Z',
      n: '9007199254740993',
      day: '2024-02-29',
      bytes: 'aGVsbG8=',
      cents: '$10.00',
    };
    const { status, body } = await post(server, '/api/saved', { input: record });
    expect([status, body]).toEqual([200, record]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(record);
    const query = 'query Q($n: BigInt, $at: DateTime) { entries(n: $n, at: $at) { id at n day bytes cents } }';
    const found = await run(server, query, { n: '9007199254740993', at: '2024-01-31T10:30:00+01:00' });
    expect(found).toEqual({ data: { entries: [record] } });
    expect((await run(server, query, { n: '5' })).data).toEqual({ entries: [] });
  });

  test('filters the events of a subscription by its value', async () => {
    const server = serve(clock, { resolvers: { Mutation: { saved: (_, { input }) => input } } });
    const events = (await server.subscribe({
      query: 'subscription { noted(n: 5, at: "2024-01-31T10:30:00+01:00") { id n at } }',
    })) as AsyncGenerator<unknown>;
    const next = events.next();
    const save = (id: string, n: string) =>
      run(server, `mutation { saved(input: { id: "${id}", n: ${n}, at: "2024-01-31T09:30:00Z" }) { id } }`);
    await save('1', '6');
    await save('2', '5');
    expect(JSON.parse(JSON.stringify((await next).value))).toEqual({
      data: { noted: { id: '2', n: '5', at: '2024-01-31T09:30:00.000Z' } },
    });
    await events.return(undefined);
  });

  test('is replaced by a node with its name', async () => {
    const server = serve(`
(date_time: Scalar)
(currency: Enum { values: [EUR] })
(root)-[:PROCESS { at: DateTime, in: Currency }]->(seen { at: DateTime = 'any text', in: Currency = EUR })`);
    expect((await run(server, '{ seen(at: 5, in: EUR) { at in } }')).data).toEqual({
      seen: { at: 'any text', in: 'EUR' },
    });
    expect(server.schema.scalars).toMatchObject([{ name: 'DateTime', node: { id: 'date_time' } }]);
  });
});
