import { GraphQLError } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GqlRacePolicy } from '../../../../src/compiler/schema/gql-schema.js';
import { race } from '../../../../src/runtime/execute/resolvers/race.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const names = ['A', 'B', 'C', 'D'];

/** A branch as its result and the time that it takes: `x 10` returns x, `! 20` fails, `null 30` returns null. */
type Branch = readonly [what: string, time: number];

function readBranch(text: string): Branch {
  const [what = '', time = ''] = text.split(' ');
  return [what, Number(time)];
}

/** Runs a race to its end, and that of its branches: what it returns and when, and which branches it cancels. */
async function run(policy: GqlRacePolicy, branches: readonly Branch[], delays: readonly number[] = []) {
  let now = 0;
  const cancelled: string[] = [];
  const contestants = branches.map(([what, time], index) => ({
    typeName: names[index] as string,
    delay: delays[index] ?? 0,
    start: (signal: AbortSignal) => {
      signal.addEventListener('abort', () => cancelled.push(`${names[index]} at ${now}`));
      return new Promise((resolve, reject) => {
        setTimeout(() => {
          if (what === '!') reject(new GraphQLError(`${names[index]} failed.`, { extensions: { code: 'NO' } }));
          else resolve(what === 'null' ? null : { is: what });
        }, time);
      });
    },
  }));
  let end = '';
  race('Best', contestants, undefined, undefined, policy).then(
    (winner) => {
      end = `${winner === null ? 'null' : winner.typeName} at ${now}`;
    },
    (error: GraphQLError) => {
      end = `${error.extensions.code}: ${error.message} at ${now}`;
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  for (; now < 100; ) {
    now += 5;
    await vi.advanceTimersByTimeAsync(5);
  }
  return { end, cancelled: cancelled.join(', ') };
}

describe('a race with a policy', () => {
  test.each<[string, GqlRacePolicy, string, string, string]>([
    ['skips a failed branch without a policy', {}, '! 10; x 20; x 30', 'B at 20', 'C at 20'],
    ['skips a failed branch with vent', { failure: 'vent' }, '! 10; x 20; x 30', 'B at 20', 'C at 20'],
    [
      'fails with the errors of all branches with vent',
      { failure: 'vent' },
      '! 10; ! 20',
      'NO: Every branch of Best failed. A: A failed. B: B failed. at 20',
      '',
    ],
    [
      'ends with the first failure with cancel, and cancels the others',
      { failure: 'cancel' },
      'x 20; ! 10; x 30',
      'NO: B failed. at 10',
      'A at 10, C at 10',
    ],
    ['is won before a failure with cancel', { failure: 'cancel' }, 'x 10; ! 20', 'A at 10', 'B at 10'],
    ['waits after null with cancel', { failure: 'cancel' }, 'null 10; x 20', 'B at 20', ''],
    ['cancels no branch with shield', { failure: 'shield' }, '! 10; x 20; x 30', 'B at 20', ''],
    [
      'cancels a late branch with shield after it is won',
      { failure: 'shield', timeoutMs: 50 },
      'x 20; x 60',
      'A at 20',
      'B at 50',
    ],
    [
      'cancels the branches at the deadline with shield after it is won',
      { failure: 'shield', deadlineMs: 50 },
      'x 20; x 60; x 40',
      'A at 20',
      'B at 50',
    ],
    ['counts a late branch as failed', { timeoutMs: 20 }, 'x 30; ! 10; x 15', 'C at 15', 'A at 15'],
    [
      'times out when all branches are late',
      { timeoutMs: 20 },
      'x 30; x 40',
      'RACE_TIMEOUT: Every branch of Best failed. A: A branch of Best took longer than 20 ms. B: A branch of Best took longer than 20 ms. at 20',
      'A at 20, B at 20',
    ],
    [
      'fails when one branch is late and the other one fails',
      { timeoutMs: 20 },
      'x 30; ! 10',
      'RACE_FAILED: Every branch of Best failed. A: A branch of Best took longer than 20 ms. B: B failed. at 20',
      'A at 20',
    ],
    [
      'is null when one branch is late and the other one null',
      { timeoutMs: 20 },
      'x 30; null 10',
      'null at 20',
      'A at 20',
    ],
    [
      'ends with the first late branch with cancel',
      { failure: 'cancel', timeoutMs: 20 },
      'x 30; x 40',
      'RACE_TIMEOUT: A branch of Best took longer than 20 ms. at 20',
      'A at 20, B at 20',
    ],
    [
      'times out at its deadline',
      { deadlineMs: 20 },
      'x 30; x 40',
      'RACE_TIMEOUT: Every branch of Best failed. A: A branch of Best took longer than 20 ms. B: A branch of Best took longer than 20 ms. at 20',
      'A at 20, B at 20',
    ],
    [
      'times out at its deadline with cancel',
      { failure: 'cancel', deadlineMs: 20 },
      'x 30; x 40',
      'RACE_TIMEOUT: A branch of Best took longer than 20 ms. at 20',
      'A at 20, B at 20',
    ],
    ['is won by the first quorum', { quorum: 2 }, 'x 10; y 20; x 30; y 40', 'A at 30', 'D at 30'],
    ['is won by the first branch of the quorum in order', { quorum: 2 }, 'x 30; y 10; x 20', 'A at 30', ''],
    [
      'fails as soon as no quorum is possible',
      { quorum: 3 },
      'x 10; ! 15; y 20; x 30',
      'RACE_NO_QUORUM: Fewer than 3 branches of Best agree. B: B failed. at 20',
      'D at 20',
    ],
    [
      'fails with the common code if no branch has a result',
      { quorum: 2, deadlineMs: 20 },
      'x 30; x 40; x 50',
      'RACE_TIMEOUT: Fewer than 2 branches of Best agree. A: A branch of Best took longer than 20 ms. B: A branch of Best took longer than 20 ms. at 20',
      'A at 20, B at 20, C at 20',
    ],
    ['is null if a quorum is', { quorum: 2 }, 'null 10; x 20; null 30; x 40', 'null at 30', 'D at 30'],
    [
      'ends with the first failure with cancel and a quorum',
      { quorum: 2, failure: 'cancel' },
      'x 10; ! 20; x 30',
      'NO: B failed. at 20',
      'C at 20',
    ],
    ['cancels no branch with shield and a quorum', { quorum: 2, failure: 'shield' }, 'x 10; x 20; x 30', 'A at 20', ''],
    [
      'fails at once with fewer branches than the quorum',
      { quorum: 3 },
      'x 10; x 20',
      'RACE_NO_QUORUM: Fewer than 3 branches of Best agree. at 0',
      '',
    ],
  ])('%s', async (_, policy, branches, end, cancelled) => {
    expect(await run(policy, branches.split('; ').map(readBranch))).toEqual({ end, cancelled });
  });

  test.each<[string, GqlRacePolicy, string, readonly number[], string, string]>([
    ['measures the time of a branch from its start', { timeoutMs: 20 }, 'x 25; x 15', [0, 15], 'B at 30', 'A at 20'],
    [
      'starts the next branch when all running ones are late',
      { timeoutMs: 10 },
      'x 25; x 5',
      [0, 50],
      'B at 15',
      'A at 10',
    ],
    [
      'does not start branches after its deadline',
      { deadlineMs: 20 },
      'x 25; x 5',
      [0, 50],
      'RACE_TIMEOUT: Every branch of Best failed. A: A branch of Best took longer than 20 ms. B: A branch of Best took longer than 20 ms. at 20',
      'A at 20',
    ],
    [
      'does not start branches after it is won, shielded or not',
      { failure: 'shield' },
      'x 10; x 5',
      [0, 20],
      'A at 10',
      '',
    ],
    ['starts the next branch after a result without a quorum', { quorum: 2 }, 'x 10; x 5', [0, 50], 'A at 15', ''],
  ])('%s', async (_, policy, branches, delays, end, cancelled) => {
    expect(await run(policy, branches.split('; ').map(readBranch), delays)).toEqual({ end, cancelled });
  });

  /** The end of a race of branches without delays, found from all ends at once. */
  function expected({ failure, timeoutMs, deadlineMs }: GqlRacePolicy, branches: readonly Branch[]) {
    const limit = Math.min(timeoutMs ?? 99, deadlineMs ?? 99);
    const ends = branches
      .map(([what, time], index) => ({
        name: names[index],
        what: time > limit ? 'late' : what,
        time: Math.min(time, limit),
      }))
      .toSorted((one, other) => one.time - other.time);
    const isFailed = (what: string) => what === '!' || what === 'late';
    const decisive = ends.find(({ what }) => what === 'x' || (failure === 'cancel' && isFailed(what)));
    const last = decisive ?? (ends.at(-1) as (typeof ends)[number]);
    const outcome =
      decisive === undefined
        ? ends.some(({ what }) => what === 'null')
          ? 'null'
          : 'error'
        : isFailed(decisive.what)
          ? 'error'
          : decisive.name;
    const cancelled = ends
      .filter(({ what, time }) => what === 'late' || (failure !== 'shield' && time > last.time))
      .map(
        ({ name, what, time }) =>
          `${name} at ${what === 'late' && (failure === 'shield' || time <= last.time) ? time : last.time}`,
      );
    return { outcome: `${outcome} at ${last.time}`, cancelled: cancelled.sort().join(', ') };
  }

  const whats = ['x', '!', 'null'];
  const orders = [
    [10, 20, 30],
    [10, 30, 20],
    [20, 10, 30],
    [20, 30, 10],
    [30, 10, 20],
    [30, 20, 10],
  ];
  const combinations = whats.flatMap((a) => whats.flatMap((b) => whats.map((c) => [a, b, c])));

  test.each(
    ([undefined, 'vent', 'cancel', 'shield'] as const).flatMap((failure) =>
      [undefined, 15, 25].flatMap((timeoutMs) =>
        [undefined, 15, 25].map((deadlineMs) => [{ failure, timeoutMs, deadlineMs }] as const),
      ),
    ),
  )('ends as all ends of its branches say, in each order: %j', async (given) => {
    const policy = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as GqlRacePolicy;
    for (const combination of combinations) {
      for (const order of orders) {
        const branches = combination.map((what, index): Branch => [what, order[index] as number]);
        const { end, cancelled } = await run(policy, branches);
        const [, outcome = '', time = ''] = /^(?:(A|B|C|null)|.*:.*) at (\d+)$/.exec(end) ?? [];
        expect({
          branches,
          outcome: `${outcome === '' ? 'error' : outcome} at ${time}`,
          cancelled: cancelled.split(', ').sort().join(', '),
        }).toEqual({ branches, ...expected(policy, branches) });
      }
    }
  });
});

describe('a race that is cancelled', () => {
  const hold = () => {
    const signals: AbortSignal[] = [];
    const start = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<never>(() => undefined);
    };
    return { signals, start };
  };

  test('cancels shielded branches before it is won, and ends its timers', async () => {
    const { signals, start } = hold();
    const controller = new AbortController();
    const policy = { failure: 'shield', timeoutMs: 50, deadlineMs: 90 } as const;
    const running = race('Best', [{ typeName: 'A', start }], controller.signal, undefined, policy);
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(signals[0]?.reason).toBe(reason);
  });

  test('does not cancel shielded branches after it is won', async () => {
    const { signals, start } = hold();
    const controller = new AbortController();
    const ended = vi.fn();
    const branches = [
      { typeName: 'A', start },
      { typeName: 'B', start: () => 'b' },
    ];
    await race('Best', branches, controller.signal, ended, { failure: 'shield' });
    controller.abort();
    expect(signals[0]?.aborted).toBe(false);
    expect(ended).toHaveBeenCalledExactlyOnceWith('B', []);
  });
});

describe('the results of a race with a quorum', () => {
  const vote = (...results: readonly unknown[]) =>
    race(
      'Best',
      results.map((result, index) => ({ typeName: names[index] as string, start: () => result })),
      undefined,
      undefined,
      { quorum: 2 },
    ).then((winner) => winner?.typeName ?? null);

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  class Price {
    constructor(readonly amount: number) {}
  }

  test.each<[string, unknown, unknown]>([
    ['objects with the same fields in another order', { a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }],
    ['objects with types of their own', { __typename: 'A', a: 1 }, { __typename: 'B', a: 1 }],
    ['instances and plain objects', new Price(5), { amount: 5 }],
    ['big integers', { a: 5n }, { a: 5n }],
    ['dates', { a: new Date(5) }, { a: new Date(5) }],
    ['a field without a value and an absent one', { a: 1, b: undefined }, { a: 1 }],
    ['objects without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['empty objects', {}, {}],
  ])('agree: %s', async (_, one, other) => {
    expect(await vote(one, other)).toBe('A');
  });

  test('agree: null and undefined', async () => {
    expect(await vote(null, undefined)).toBeNull();
  });

  test.each<[string, unknown, unknown]>([
    ['other values', { a: 1 }, { a: 2 }],
    ['other dates', { a: new Date(5) }, { a: new Date(6) }],
    ['lists in another order', { a: [1, 2] }, { a: [2, 1] }],
    ['null and a value', null, { a: 1 }],
  ])('do not agree: %s', async (_, one, other) => {
    await expect(vote(one, other)).rejects.toMatchObject({
      message: 'Fewer than 2 branches of Best agree.',
      extensions: { code: 'RACE_NO_QUORUM' },
    });
  });

  test.each<[string, unknown]>([
    ['a function', { a: () => 1 }],
    ['a promise', { a: Promise.resolve(1) }],
    ['a map', { a: new Map([[1, 2]]) }],
    ['an object without fields', { a: new (class {})() }],
    ['a cycle', cyclic],
  ])('are failures if they cannot be compared: %s', async (_, result) => {
    await expect(vote(result, result, { a: 1 })).rejects.toMatchObject({
      message: expect.stringMatching(/^Fewer than 2 branches of Best agree\. A: .+ B: .+/s),
      extensions: { code: 'RACE_NO_QUORUM' },
    });
  });
});
