import { GraphQLError } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signalOf } from '../../../../src/runtime/execute/resolvers/abort-signal.js';
import { race } from '../../../../src/runtime/execute/resolvers/race.js';
import { RaceWinner } from '../../../../src/runtime/execute/resolvers/race-winner.js';
import { ask, run, serve } from '../../server/topology-server.js';

const later = <T>(milliseconds: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, value));

describe('race', () => {
  const branch = (typeName: string, start: () => unknown) => ({ typeName, start });

  test('returns the first success of any branch', async () => {
    const winner = await race('PetRace', [branch('Cat', () => later(30, 'cat')), branch('Dog', () => later(5, 'dog'))]);
    expect(winner).toEqual(new RaceWinner('Dog', 'dog'));
  });

  test('starts all branches before one of them answers', async () => {
    const started: string[] = [];
    const start = (name: string) => () => {
      started.push(name);
      return later(5, name);
    };
    const running = race('PetRace', [branch('Cat', start('cat')), branch('Dog', start('dog'))]);
    expect(started).toEqual(['cat', 'dog']);
    await running;
  });

  test('skips branches that fail or return null', async () => {
    const winner = await race('PetRace', [
      branch('Cat', () => {
        throw new Error('no');
      }),
      branch('Bird', () => null),
      branch('Dog', () => later(5, 'dog')),
    ]);
    expect(winner).toEqual(new RaceWinner('Dog', 'dog'));
  });

  test('returns null if a branch answered and all values are null', async () => {
    const winner = await race('PetRace', [
      branch('Cat', async () => undefined),
      branch('Dog', () => {
        throw new Error('no');
      }),
    ]);
    expect(winner).toBeNull();
  });

  test('fails with every reason if all branches fail', async () => {
    const fail = (reason: unknown) => () => Promise.reject(reason);
    const error = await race('PetRace', [
      branch('Cat', fail(new Error('asleep'))),
      branch('Dog', fail(new GraphQLError('out!', { extensions: { code: 'NOT_FOUND' } }))),
      branch('Bird', fail('flown')),
    ]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GraphQLError);
    expect(error).toMatchObject({
      message: 'Every branch of PetRace failed. Cat: asleep. Dog: out! Bird: flown.',
      extensions: { code: 'RACE_FAILED' },
      originalError: expect.any(AggregateError),
    });
  });

  test('fails with the common code of all reasons', async () => {
    const fail = () => Promise.reject(new GraphQLError('none', { extensions: { code: 'NOT_FOUND' } }));
    const error = await race('PetRace', [branch('Cat', fail), branch('Dog', fail)]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ extensions: { code: 'NOT_FOUND' }, originalError: undefined });
  });
});

describe('the signal of a branch', () => {
  const held = () => {
    const seen: AbortSignal[] = [];
    const start = (signal: AbortSignal) => {
      seen.push(signal);
      return new Promise<never>(() => undefined);
    };
    return { seen, start };
  };

  test('is aborted with the name of the winner; the signal of the winner is not', async () => {
    const loser = held();
    let winning: AbortSignal | undefined;
    await race('PetRace', [
      { typeName: 'Cat', start: loser.start },
      {
        typeName: 'Dog',
        start: (signal) => {
          winning = signal;
          return later(5, 'dog');
        },
      },
    ]);
    expect(loser.seen[0]?.aborted).toBe(true);
    expect(loser.seen[0]?.reason).toMatchObject({ name: 'AbortError', message: 'Dog won PetRace.' });
    expect(winning?.aborted).toBe(false);
  });

  test('is not aborted for a branch that has already ended', async () => {
    let missed: AbortSignal | undefined;
    await race('PetRace', [
      {
        typeName: 'Cat',
        start: (signal) => {
          missed = signal;
          return null;
        },
      },
      { typeName: 'Dog', start: () => later(5, 'dog') },
    ]);
    expect(missed?.aborted).toBe(false);
  });

  test('is aborted, and the race fails, when it is cancelled', async () => {
    const branch = held();
    const controller = new AbortController();
    const late = vi.fn();
    const running = race(
      'PetRace',
      [
        { typeName: 'Cat', start: branch.start },
        { typeName: 'Dog', delay: 20, start: late },
      ],
      controller.signal,
    );
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(branch.seen[0]?.reason).toBe(reason);
    await later(30, undefined);
    expect(late).not.toHaveBeenCalled();
    await expect(race('PetRace', [{ typeName: 'Dog', start: late }], controller.signal)).rejects.toBe(reason);
    expect(late).not.toHaveBeenCalled();
  });
});

describe('a branch with a delay', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  test('starts after its delay', async () => {
    const started: string[] = [];
    const start = (name: string) => () => {
      started.push(name);
      return later(60, name);
    };
    const racing = race('PetRace', [
      { typeName: 'Cat', delay: 30, start: start('cat') },
      { typeName: 'Dog', start: start('dog') },
    ]);
    await vi.advanceTimersByTimeAsync(29);
    expect(started).toEqual(['dog']);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['dog', 'cat']);
    await vi.advanceTimersByTimeAsync(30);
    expect((await racing)?.typeName).toBe('Dog');
  });

  test('does not start after another branch has won', async () => {
    const start = vi.fn();
    const racing = race('PetRace', [
      { typeName: 'Cat', start: () => later(2, 'cat') },
      { typeName: 'Dog', delay: 15, start },
    ]);
    await vi.advanceTimersByTimeAsync(100);
    expect((await racing)?.typeName).toBe('Cat');
    expect(start).not.toHaveBeenCalled();
  });

  test('starts at once if earlier branches failed, in the order of the delays', async () => {
    const order: string[] = [];
    const miss = (name: string, value: () => unknown) => () => {
      order.push(name);
      return value();
    };
    // The clock stands still, so a race that waits never ends.
    const winner = await race('PetRace', [
      { typeName: 'Bird', delay: 20_000, start: miss('bird', () => 'bird') },
      {
        typeName: 'Cat',
        start: miss('cat', () => {
          throw new Error('no');
        }),
      },
      { typeName: 'Dog', delay: 10_000, start: miss('dog', () => null) },
    ]);
    expect(winner?.typeName).toBe('Bird');
    expect(order).toEqual(['cat', 'dog', 'bird']);
  });
});

describe('a race without branches', () => {
  test('fails with an empty list of reasons', async () => {
    await expect(race('PetRace', [])).rejects.toThrow('Every branch of PetRace failed.');
  });
});

describe('a query that returns a union', () => {
  const source = `
    (cat { name: String!, from: String })
    (dog { name: String!, from: String })
    (root)-[:PROCESS { id: ID!, limit: Int = 5 }]->(cat)
    (root)-[:PROCESS { id: ID! }]->(dog)
    (cat | dog)-[:RACE]->(pet)
    (root)-[:PROCESS { id: ID!, operation: 'findPet' }]->(pet)
  `;
  const query = '{ findPet(id: 7) { __typename ... on Cat { name from } ... on Dog { name from } } }';

  test('races the queries of the members with the same arguments', async () => {
    const cat = vi.fn((_: unknown, { id }: { id: string }) => later(40, { name: `cat ${id}` }));
    const dog = vi.fn((_: unknown, { id }: { id: string }) => later(5, { name: `dog ${id}` }));
    const server = serve(source, { resolvers: { Query: { cat, dog } } });
    expect((await run(server, query)).data).toEqual({
      findPet: { __typename: 'Dog', name: 'dog 7', from: null },
    });
    // A branch has the defaults of its own query, which the race does not know.
    expect(cat.mock.calls[0]?.[1]).toEqual({ id: '7', limit: 5 });
    expect(dog.mock.calls[0]?.[1]).toEqual({ id: '7' });
    expect((await ask(server, '/api/findPet?id=7')).body).toEqual({
      __typename: 'Dog',
      name: 'dog 7',
      from: null,
    });
  });

  test.each([
    ['without a required field', {}],
    ['with null in a required field', { name: null }],
    ['with an unusable value in a required field', { name: {} }],
    ['that is not an object', 'Tom'],
  ])('skips a value %s, whether the next branch is slower or starts later', async (_, value) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const resolvers = { Query: { cat: () => value, dog: () => later(5, { name: 'Rex' }) } };
    const delayed = source.replace('[:RACE]', "[:RACE { after: '30m' }]");
    for (const server of [serve(source, { resolvers }), serve(delayed, { resolvers })]) {
      expect((await run(server, query)).data.findPet).toEqual({ __typename: 'Dog', name: 'Rex', from: null });
      expect((await ask(server, '/api/findPet?id=7')).body).toMatchObject({ __typename: 'Dog', name: 'Rex' });
    }
    const alone = serve(source, { resolvers: { Query: { cat: async () => value, dog: () => null } } });
    expect((await run(alone, query)).data).toEqual({ findPet: null });
    const failing = serve(source, { resolvers: { Query: { cat: () => value, dog: () => value } } });
    expect((await run(failing, query)).errors).toMatchObject([{ extensions: { code: 'RACE_FAILED' } }]);
    const reasons = log.mock.calls.flatMap((call) => (call[1] as AggregateError).errors.map(String));
    for (const reason of reasons) expect(reason).toMatch(/^Error: (Cat|Dog)(\.name)? (is missing|must )/);
    log.mockRestore();
  });

  test('skips incomplete constants, and names the field without a resolver or a constant', async () => {
    const names = '{ findPet(id: 7) { __typename ... on Cat { name } ... on Dog { name } } }';
    const partial = source.replace('(cat { name: String!, from: String })', "(cat { name: String!, from: 'Ur' })");
    const served = (await run(serve(partial, { resolvers: { Query: { dog: () => ({ name: 'Rex' }) } } }), names)).data;
    expect(served.findPet.__typename).toBe('Dog');
    const { errors } = await run(serve(partial), names);
    expect(errors[0].message).toContain('Cat.name has neither a resolver nor a constant');
    const given = { Query: { dog: () => null }, Cat: { name: () => 'Tom' } };
    expect((await run(serve(partial, { resolvers: given }), names)).data.findPet.name).toBe('Tom');
  });

  test('notifies the losing resolver by its signal', async () => {
    const signals: AbortSignal[] = [];
    const server = serve(source, {
      resolvers: {
        Query: {
          cat: (_: unknown, _args: object, _context: unknown, info) => {
            signals.push(signalOf(info));
            return new Promise(() => undefined);
          },
          dog: (_: unknown, _args: object, _context: unknown, info) => {
            signals.push(signalOf(info));
            return { name: 'Rex' };
          },
        },
      },
    });
    expect((await run(server, query)).data.findPet.name).toBe('Rex');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await run(server, '{ dog(id: 1) { name } }');
    expect(signals[2]?.aborted).toBe(false);
  });

  test('starts the members one after another if the edge has after', async () => {
    const cat = vi.fn(() => ({ name: 'slow' }));
    const staggered = serve(source.replace('[:RACE]', "[:RACE { after: '10s' }]").replace('cat | dog', 'dog | cat'), {
      resolvers: { Query: { cat, dog: () => later(5, { name: 'Rex' }) } },
    });
    expect((await run(staggered, query)).data.findPet.name).toBe('Rex');
    expect(cat).not.toHaveBeenCalled();
  });

  test('distinguishes members that return the same object', async () => {
    const shared = Object.freeze({ name: 'same' });
    const server = serve(source, {
      resolvers: {
        Query: {
          cat: (_: unknown, { id }: { id: string }) => later(id === '1' ? 1 : 30, shared),
          dog: (_: unknown, { id }: { id: string }) => later(id === '1' ? 30 : 1, shared),
        },
      },
    });
    const names = await Promise.all(
      ['1', '2', '1', '2'].map(async (id) => (await ask(server, `/api/findPet?id=${id}`)).body.__typename),
    );
    expect(names).toEqual(['Cat', 'Dog', 'Cat', 'Dog']);
  });

  test('passes the value of the winner to the resolvers of its fields', async () => {
    const server = serve(source, {
      resolvers: {
        Query: { cat: () => null, dog: () => ({ name: 'Rex', town: 'Ulm' }) },
        Dog: { from: (parent: { town: string }) => parent.town },
      },
    });
    expect((await run(server, query)).data.findPet).toEqual({ __typename: 'Dog', name: 'Rex', from: 'Ulm' });
  });

  test('answers null if the members return null', async () => {
    const server = serve(source, { resolvers: { Query: { cat: () => null } } });
    expect(await run(server, query)).toEqual({ data: { findPet: null } });
  });

  test('lists the reason of each failed member', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve(source, {
      resolvers: {
        Query: {
          cat: () => Promise.reject(new Error('cat is out')),
          dog: () => {
            throw new Error('dog is out');
          },
        },
      },
    });
    const { errors } = await run(server, query);
    vi.restoreAllMocks();
    expect(errors[0].message).toBe('Every branch of PetRace failed. Cat: cat is out. Dog: dog is out.');
  });

  test('is NOT_IMPLEMENTED if no member has a value', async () => {
    const { errors } = await run(serve(source), query);
    expect(errors[0].message).toContain('Query.findPet has no resolver');
    expect(errors[0].extensions).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      edges: [{ edge: 'root -[:PROCESS]-> pet', source: 'test.gg:7:5' }],
    });
  });

  test('lets members without a query serve their constants', async () => {
    const server = serve(`
      (cat { name: 'Tom' })
      (dog { name: String! })
      (dog | cat)-[:RACE]->(pet)
      (root)-[:PROCESS]->(pet)
    `);
    expect((await run(server, '{ pet { __typename ... on Cat { name } } }')).data).toEqual({
      pet: { __typename: 'Cat', name: 'Tom' },
    });
  });
});

describe('other fields that return a union', () => {
  test('race in a nested object, and are null if no member has a value', async () => {
    const server = serve(`
      (cat { name: 'Tom' })
      (dog { name: String! })
      (cat)-[:RACE]->(pet)
      (dog)-[:RACE]->(guard)
      (root)-[:PROCESS]->(house { street: 'Main', pet: Pet!, guard: Guard })
    `);
    expect((await run(server, '{ house { pet { ... on Cat { name } } guard { __typename } } }')).data).toEqual({
      house: { pet: { name: 'Tom' }, guard: null },
    });
  });

  test('race only constants in a mutation, never queries', async () => {
    const cat = vi.fn(() => ({ name: 'read' }));
    const server = serve(
      `
      (root)-[:PROCESS]->(cat { name: String! })
      (dog { name: 'Rex' })
      (cat | dog)-[:RACE]->(pet)
      (form { name: String })-[:FOLD { returns: Pet, operation: 'savePet' }]->(saved { id: ID! })
    `,
      { resolvers: { Query: { cat } } },
    );
    expect((await run(server, 'mutation { savePet { ... on Dog { name } } }')).data).toEqual({
      savePet: { name: 'Rex' },
    });
    expect(cat).not.toHaveBeenCalled();
  });
});
