import { GraphQLError, GraphQLScalarType } from 'graphql';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';

let log: MockInstance<typeof console.error>;
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const source = `
(thing: Scalar)
(mood: Enum { values: [GLAD, SAD] })
(root)-[:PROCESS { returns: Thing, operation: 'thing' }]->(thing)
(root)-[:PROCESS]->(person { name: String, age: Int, mood: Mood, tags: [String], best: Person, thing: Thing })
(root)-[:PROCESS]->(near { text: String } | far { text: String })
(near | far)-[:RACE]->(page)
(root)-[:PROCESS { operation: 'page' }]->(page)
(root)-[:PROCESS { returns: Int, operation: 'counted', first: Int! = 5 }]->(person)
`;

const secret = { password: 'hunter2' };

function serve(masking: boolean, resolvers: GqlServerOptions['resolvers'] = {}) {
  return createGqlServer({
    topologies: [{ name: 'app.gg', source }],
    resolvers,
    limits: { masking },
  } as GqlServerOptions);
}

const everything = '{ person { name age mood tags best { name } thing } page { __typename } thing }';

/** What the client gets of an operation, as text, and what was logged. */
async function ask(resolvers: GqlServerOptions['resolvers'], query = everything, masking = true) {
  const { errors, data } = await serve(masking, resolvers).executeOperation({ query });
  return {
    errors: errors ?? [],
    text: JSON.stringify({ data, errors }),
    logged: log.mock.calls.map((call) => call.map((part) => (part instanceof Error ? allOf(part) : part)).join(' ')),
  };
}

function allOf(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors.map((one) => allOf(one as Error)) : [];
  return [error.message, ...inner].join(' ');
}

describe('with masking', () => {
  test.each<readonly [string, string, unknown]>([
    ['name', 'Person.name', secret],
    ['age', 'Person.age', secret],
    ['mood', 'Person.mood', secret],
    ['tags', 'Person.tags', 'hunter2'],
    ['tags', 'Person.tags', [secret]],
  ])('a value that does not fit its type is hidden and logged: %s', async (field, coordinate, value) => {
    const { errors, text, logged } = await ask({ Query: { person: { [field]: value } } });
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(coordinate);
    expect(errors[0]).toMatchObject({
      message: 'Unexpected error.',
      extensions: { code: 'INTERNAL_SERVER_ERROR', reference: expect.stringMatching(/^[\da-f]{12}$/) },
    });
    expect(logged.join()).toContain(`${coordinate} (app.gg:5:`);
    // graphql-js does not print what it finds in the place of a list.
    expect(logged.join()).toContain(value === 'hunter2' ? 'Expected Iterable' : 'hunter2');
  });

  test('a failed race hides the messages of its branches and logs them', async () => {
    const fail = (text: string) => () => Promise.reject(new Error(text));
    const { errors, text, logged } = await ask({
      Query: { near: fail('SECRET db'), far: fail('SECRET cache') },
    });
    expect(text).not.toContain('SECRET');
    const failed = errors.find(({ path }) => path?.[0] === 'page');
    expect(failed?.message).toBe('Unexpected error.');
    expect(failed?.extensions).toEqual({ code: 'RACE_FAILED', reference: expect.any(String) });
    const line = logged.find((each) => each.startsWith(`reference ${failed?.extensions.reference}, Query.page`));
    expect(line).toContain('(root -[:PROCESS]-> page, app.gg:8:1):');
    expect(line).toContain('SECRET db SECRET cache');
  });

  test('a race whose branches fail with errors for the client lists them', async () => {
    const fail = () => Promise.reject(new GraphQLError('Nothing found', { extensions: { code: 'NOT_FOUND' } }));
    const { errors } = await ask({ Query: { near: fail, far: fail } }, '{ page { __typename } }');
    expect(errors).toMatchObject([
      {
        message: 'Every branch of PageRace failed. Near: Nothing found. Far: Nothing found.',
        extensions: { code: 'NOT_FOUND' },
      },
    ]);
    expect(log).not.toHaveBeenCalled();
  });

  test.each([
    [
      'thrown',
      () => () => {
        throw new GraphQLError('No.');
      },
    ],
    ['rejected', () => () => Promise.reject(new GraphQLError('No.'))],
    ['returned', () => () => new GraphQLError('No.')],
    ['a value', () => ({ name: new GraphQLError('No.') })],
    ['an item', () => ({ tags: [new GraphQLError('No.')] })],
    ['a rejected item', () => ({ tags: () => [Promise.reject(new GraphQLError('No.'))] })],
  ])('a GraphQLError of a resolver is shown to the client: %s', async (_, person) => {
    const { errors } = await ask({ Query: { person: person() } }, '{ person { name tags } }');
    expect(errors.map(({ message }) => message)).toEqual(['No.']);
    expect(log).not.toHaveBeenCalled();
  });

  test('an invalid argument is reported to the client', async () => {
    const server = serve(true, { Query: { counted: () => 1 } });
    const { errors } = await server.executeOperation({
      query: 'query ($first: Int = 1) { counted(first: $first) }',
      variables: { first: null },
    });
    expect(errors?.[0]?.message).toContain('first');
    expect(log).not.toHaveBeenCalled();
  });
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const withoutJson: readonly (readonly [string, unknown])[] = [
  ['a function', () => () => 'text'],
  ['a symbol', Symbol('text')],
  ['a BigInt', 10n],
  ['a cycle', cyclic],
  ['a BigInt inside', { deep: [{ size: 10n }] }],
  ['toJSON that returns undefined', { toJSON: () => undefined }],
  [
    'toJSON that throws',
    {
      toJSON() {
        throw new Error('no JSON');
      },
    },
  ],
  [
    'a getter that throws',
    Object.defineProperty({}, 'size', {
      enumerable: true,
      get() {
        throw new Error('no size');
      },
    }),
  ],
];

describe.each([true, false])('with masking: %s', (masking) => {
  describe.each(withoutJson)('%s', (_, value) => {
    test('is an error as the value of a custom scalar, at the root and below', async () => {
      const result = await ask(
        { Query: { thing: () => value, person: { thing: value } } },
        '{ thing person { thing } }',
        masking,
      );
      expect(JSON.parse(result.text).data).toEqual({ thing: null, person: { thing: null } });
      expect(result.errors).toHaveLength(2);
      expect(result.errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
      expect(result.logged).toHaveLength(2);
    });

    test('is an error as the result of serializing a custom scalar', async () => {
      const Thing = new GraphQLScalarType({ name: 'Thing', serialize: () => value });
      const { errors } = await ask({ Thing, Query: { thing: 'a' } } as never, '{ thing }', masking);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
    });

    test('masks a GraphQLError if it is in its extensions', async () => {
      if (typeof value === 'function' || typeof value === 'symbol' || isLeftOut(value)) return;
      const fail = () => {
        throw new GraphQLError('Not for you', { extensions: { code: 'OWN', value } });
      };
      const { errors, text } = await ask({ Query: { thing: fail } }, '{ thing }', masking);
      expect(errors[0]).toMatchObject({
        message: masking ? 'Unexpected error.' : 'Not for you',
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      });
      expect(JSON.parse(text).errors).toHaveLength(1);
    });
  });

  test('a thrown value without a string form is masked, too', async () => {
    const rootless: object = Object.create(null);
    const fail = () => Promise.reject(rootless);
    const { errors } = await ask(
      { Query: { near: fail, far: fail, thing: fail } },
      '{ page { __typename } thing }',
      masking,
    );
    expect(errors).toHaveLength(2);
  });
});

/** JSON leaves such a member out. */
function isLeftOut(value: unknown): boolean {
  return (
    typeof (value as { toJSON?: unknown }).toJSON === 'function' &&
    !String((value as { toJSON: unknown }).toJSON).includes('throw')
  );
}
