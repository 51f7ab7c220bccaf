import { describe, expect, it } from 'vitest';
import { formatCheck } from '../../../src/base/json-schema/formats.js';
import { exampleArguments } from '../../../src/compiler/api/examples.js';
import { run, serve } from '../server/topology-server.js';

/** The message for a value of an argument; `ok` if it is accepted. */
async function judge(type: string, tags: readonly string[], value: unknown): Promise<string> {
  const doc = tags.map((tag) => `/// ${tag}\n`).join('');
  const input = type.includes('Deep');
  const source = `${input ? `(deep: Input {\n${doc} x: Int, next: Deep, all: [[Deep]] })` : ''}
    (any: Scalar)
    (root)-[:PROCESS {\n${input ? '' : doc} a: ${type}, returns: String }]->(show)`;
  const server = serve(source, { resolvers: { Query: { show: () => 'ok' } } });
  const { data, errors } = await run(server, `query($a: ${type}) { show(a: $a) }`, { a: value });
  return errors === undefined ? data.show : errors[0].message;
}

describe('a constraint', () => {
  it.each([
    ['@minimum 1', 'Int', [1, 2], [0], '“a” must be at least 1.'],
    ['@maximum 1', 'Float', [1, 0.5], [1.001], '“a” must be at most 1.'],
    ['@exclusiveMinimum 1', 'Float', [1.001], [1, 0], '“a” must be greater than 1.'],
    ['@exclusiveMaximum 1', 'Float', [0.999], [1, 2], '“a” must be less than 1.'],
    ['@multipleOf 0.1', 'Float', [0.3, 0, -1.1, 7], [0.35], '“a” must be a multiple of 0.1.'],
    ['@multipleOf 5', 'Int', [10, 0, -5], [1, 12], '“a” must be a multiple of 5.'],
    ['@minLength 2', 'String', ['ab', '😀😀'], ['a', '😀', ''], '“a” must have at least 2 characters.'],
    ['@maxLength 1', 'ID', ['a', '😀', ''], ['ab', '12'], '“a” must have at most 1 character.'],
    ['@pattern ^[A-Z]+$', 'String', ['AB'], ['', 'aB', 'A\nB'], '“a” must match the pattern ^[A-Z]+$.'],
    ['@pattern \\p{L}', 'String', ['é'], ['1'], '“a” must match the pattern \\p{L}.'],
    ['@format email', 'String', ['ada@example.com'], ['ada', 'a@b@c', 'a@[x:y]'], '“a” must be a valid email.'],
    ['@format unheard-of', 'String', ['x'], [], ''],
    ['@minItems 1', '[Int]', [[1], [null]], [[]], '“a” must have at least 1 element.'],
    ['@maxItems 1', '[[Int]]', [[], [[1, 2, 3]]], [[[1], [2]]], '“a” must have at most 1 element.'],
    ['@minimum 1', 'Any', [1, 'text', { x: 0 }, [0]], [0], '“a” must be at least 1.'],
    ['@maxItems 1', 'Any', [[1], 5], [], ''],
  ])('%s on %s accepts valid values and rejects others', async (tag, type, accepted, refused, message) => {
    for (const value of [...accepted, null]) expect(await judge(type, [tag], value)).toBe('ok');
    for (const value of refused) expect(await judge(type, [tag], value)).toBe(message);
  });

  it('of the elements of a list names the element', async () => {
    expect(await judge('[Int]', ['@minimum 1'], [1, null, 0])).toBe('“a[2]” must be at least 1.');
    expect(await judge('[[String!]]', ['@maxLength 1'], [['a'], ['b', 'cd']])).toBe(
      '“a[1][1]” must have at most 1 character.',
    );
    expect(await judge('[Int]', ['@minimum 1'], 0)).toBe('“a[0]” must be at least 1.');
  });

  it('applies in a recursive input at any depth', async () => {
    const judged = (value: object) => judge('Deep', ['@minimum 1'], value);
    expect(await judged({ x: 1, next: { x: 1, next: null }, all: [[{ x: 1 }, null], null] })).toBe('ok');
    expect(await judged({ next: { next: { x: 0 } } })).toBe('“a.next.next.x” must be at least 1.');
    expect(await judged({ all: [null, [{ x: 1 }, { next: { x: 0 } }]] })).toBe(
      '“a.all[1][1].next.x” must be at least 1.',
    );
  });

  it('is checked in a fixed order, and only the first one is reported', async () => {
    expect(await judge('String', ['@pattern ^a', '@maxLength 3'], 'bbbb')).toBe('“a” must have at most 3 characters.');
  });

  it('applies to given values of the input of an object type', async () => {
    const server = serve('(a { /// @minLength 1\n name: String! })-[:FOLD]->(b { done: true })');
    const refused = await run(server, 'mutation { b(input: { name: "" }) { done } }');
    expect(refused.errors[0].message).toBe('“input.name” must have at least 1 character.');
    expect((await run(server, 'mutation { b(input: {}) { done } }')).data).toEqual({ b: { done: true } });
  });
});

describe('a format', () => {
  it.each([
    ['date', '2026-02-28', '2026-02-30'],
    ['date-time', '2026-02-28T10:00:00Z', '2026-02-28 10:00'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['duration', 'P1DT2H', 'one day'],
    ['email', 'ada@example.com', 'ada@'],
    ['hostname', 'example.com', '-a.com'],
    ['ipv4', '192.0.2.1', '192.0.2.256'],
    ['ipv6', '2001:db8::1', '2001:db8:::1'],
    ['uri', 'https://example.com/a?b#c', '/a b'],
    ['uri-reference', '/a', '\\a'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['json-pointer', '/a/0', 'a/0'],
  ])('%s accepts a valid string and rejects an invalid one', (format, valid, invalid) => {
    const check = formatCheck(format);
    expect([check?.(valid), check?.(invalid)]).toEqual([true, false]);
  });
});

it('a server accepts the examples of its own constraints', async () => {
  const limits = [
    'Int @minimum 5',
    'Int @exclusiveMinimum 5 @multipleOf 4',
    'Float @exclusiveMinimum 0 @exclusiveMaximum 0.1',
    'Float @multipleOf 0.01',
    'String @minLength 40',
    'String @maxLength 2',
    'String @pattern ^[A-Z]{3}-\\d{4}$',
    'ID @pattern ^\\d{13}$',
    '[String!] @minItems 3 @maxLength 4',
    ...['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'json-pointer', 'time', 'uri'].map(
      (format) => `String @format ${format}`,
    ),
    'String @format uri-reference',
    'ID @format uuid',
  ];
  const fields = limits.map((limit, at) => {
    const [type, ...tags] = limit.split(' @');
    return `${tags.map((tag) => `/// @${tag}\n`).join('')} f${at}: ${type}`;
  });
  const server = serve(`(a: Input {\n${fields.join(',\n')} })-[:FOLD { returns: Boolean }]->(b)`, {
    resolvers: { Mutation: { b: true } },
  });
  const [mutation] = server.schema.mutations;
  const variables = exampleArguments(server.schema, mutation?.arguments ?? []);
  const { errors } = await run(server, 'mutation($input: A!) { b(input: $input) }', variables);
  expect(errors).toBeUndefined();
  expect(Object.keys(variables.input as object)).toHaveLength(limits.length);
});
