import { afterEach, expect, test, vi } from 'vitest';
import { ProblemError } from '../../../src/runtime/call/problem.js';
import type { RateLimit } from '../../../src/runtime/config/traffic-options.js';
import { Answer } from '../../../src/runtime/http/answer.js';
import { consoleMonitor } from '../../../src/runtime/logs/monitor.js';
import { maxKeys } from '../../../src/runtime/traffic/rate-counter.js';
import type { CountedClient } from '../../../src/runtime/traffic/rate-limits.js';
import { createRates } from '../../../src/runtime/traffic/rate-limits.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function clientOf(address: string | undefined, id?: string): CountedClient {
  const principal = id === undefined ? null : { id };
  return { address, principal, header: () => undefined, counts: undefined };
}

/** Whether requests are answered, one after the other. */
async function answered(limit: RateLimit, ...clients: readonly CountedClient[]): Promise<boolean[]> {
  const rates = createRates([limit], consoleMonitor);
  const results: boolean[] = [];
  for (const client of clients) {
    try {
      await rates.countRequest(client);
      await rates.countCaller(client);
      results.push(true);
    } catch (error) {
      expect(error).toBeInstanceOf(ProblemError);
      results.push(false);
    }
  }
  return results;
}

test('counts principals from any address, and anonymous callers by address', async () => {
  const limit = { limit: 1, per: '1h', by: 'principal' } as const;
  const results = await answered(
    limit,
    clientOf('203.0.113.1', 'ada'),
    clientOf('203.0.113.2', 'ada'),
    clientOf('203.0.113.1', 'bob'),
    clientOf('203.0.113.1'),
    clientOf('203.0.113.1'),
    clientOf('203.0.113.3', '203.0.113.1'),
    clientOf(undefined),
    clientOf(undefined),
  );
  expect(results).toEqual([true, false, true, true, false, true, true, false]);
});

test.each([
  ['2001:db8::1', '2001:db8::2', false],
  ['2001:db8:0:1::1', '2001:db8::1', true],
  ['::1', '::2', false],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::', false],
  ['1:2:3:4:5:6:7:8', '1:2:3:5::', true],
  ['fe80::1', 'fe80:0:0:1::1', true],
])('counts the networks of %s and %s apart: %s…%s', async (one, other, isApart) => {
  const limit = { limit: 1, per: 60, by: 'address' } as const;
  expect(await answered(limit, clientOf(one), clientOf(other))).toEqual([true, isApart]);
});

test('begins a new window when the last one ends', async () => {
  vi.useFakeTimers();
  const rates = createRates([{ limit: 1, per: '10s', by: 'address' }], consoleMonitor);
  const client = clientOf('203.0.113.1');
  await rates.countRequest(client);
  await expect(rates.countRequest(client)).rejects.toThrow('at most 1 in 10 s');
  vi.advanceTimersByTime(9_000);
  await expect(rates.countRequest(client)).rejects.toThrow(ProblemError);
  const answer = new Answer(429, [], null);
  rates.tell(answer, client);
  expect(answer.header('ratelimit')).toBe('"address";r=0;t=1');
  vi.advanceTimersByTime(1_001);
  await rates.countRequest(client);
});

test('counts a long id as a whole', async () => {
  const limit = { limit: 1, per: 60, by: 'principal' } as const;
  const id = 'x'.repeat(5_000);
  expect(await answered(limit, clientOf('::', `${id}1`), clientOf('::', `${id}2`), clientOf('::', `${id}1`))).toEqual([
    true,
    true,
    false,
  ]);
});

test('does not lock out clients during a flood from many addresses, and still rejects heavy clients', async () => {
  const rates = createRates([{ limit: 3, per: '1h', by: 'address' }], consoleMonitor);
  const heavy = clientOf('203.0.113.1');
  for (let at = 0; at < 3; at += 1) await rates.countRequest(heavy);
  await expect(rates.countRequest(heavy)).rejects.toThrow(ProblemError);
  const early = clientOf('203.0.113.2');
  await rates.countRequest(early);
  for (let at = 0; at < 2 * maxKeys + 3_500; at += 1) {
    await rates.countRequest(clientOf(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`));
  }
  for (const client of [early, clientOf('203.0.113.3')]) {
    await rates.countRequest(client);
    await rates.countRequest(client);
  }
  await expect(rates.countRequest(heavy)).rejects.toThrow(ProblemError);
});

test.each(['allow', 'refuse'] as const)(
  'applies %s to a limit without its store, and logs this once',
  async (policy) => {
    vi.useFakeTimers();
    const fault = vi.fn();
    let isDown = true;
    const store = {
      async eval() {
        if (isDown) throw new Error('connect ECONNREFUSED');
        return [1, 60_000];
      },
    };
    const limit: RateLimit = { limit: 1, per: 60, by: 'address', store, onStoreError: policy };
    const rates = createRates([limit], { ...consoleMonitor, fault });
    for (let at = 0; at < 3; at += 1) {
      const counted = rates.countRequest(clientOf('203.0.113.1'));
      if (policy === 'allow') await counted;
      else
        await expect(counted).rejects.toMatchObject({
          problem: { status: 503, headers: ['retry-after', '1'] },
        });
    }
    expect(fault).toHaveBeenCalledTimes(1);
    expect(fault.mock.calls[0]?.[0]).toContain('connect ECONNREFUSED');
    isDown = false;

    vi.advanceTimersByTime(2_000);
    const client = clientOf('203.0.113.1');
    await rates.countRequest(client);
    expect(client.counts).toMatchObject([{ remaining: 0, seconds: 60 }]);
  },
);

test('does not let a request wait long for a store without an answer', async () => {
  vi.useFakeTimers();
  const store = { eval: () => new Promise(() => undefined) };
  const rates = createRates([{ limit: 1, per: 60, by: 'address', store }], {
    ...consoleMonitor,
    fault: vi.fn(),
  });
  const counted = rates.countRequest(clientOf('203.0.113.1'));
  await vi.advanceTimersByTimeAsync(1_001);
  await counted;
  // The next requests do not wait.
  await rates.countRequest(clientOf('203.0.113.1'));
});

const fine = { limit: 1, per: 60, by: 'address' } as const;

test.each<[string, unknown]>([
  ['rateLimits must', { 0: fine }],
  ['rateLimits[0] must', [null]],
  ['rateLimits[0].limit must', [{ ...fine, limit: 0 }]],
  ['rateLimits[0].limit must', [{ ...fine, limit: '1' }]],
  ['rateLimits[0].per must', [{ ...fine, per: 0 }]],
  ['rateLimits[0].per must', [{ ...fine, per: 1.5 }]],
  ['rateLimits[0].per must', [{ ...fine, per: '2d' }]],
  ['rateLimits[0].per must', [{ ...fine, per: '60' }]],
  ['rateLimits[0].per must', [{ ...fine, per: undefined }]],
  ['rateLimits[0].by must', [{ ...fine, by: 'toString' }]],
  ['rateLimits[0].by must', [{ ...fine, by: undefined }]],
  ['rateLimits[0].operations must', [{ ...fine, operations: [] }]],
  ['rateLimits[0].name must', [{ ...fine, name: 'a"b' }]],
  [
    'rateLimits[1].name must',
    [
      { ...fine, name: 'a' },
      { ...fine, name: 'a' },
    ],
  ],
  ['rateLimits[0].store must', [{ ...fine, store: 'localhost:6379' }]],
  ['rateLimits[0].store must', [{ ...fine, store: {} }]],
  ['rateLimits[0].onStoreError must', [{ ...fine, onStoreError: 'wait' }]],
])('%s … of %j', (message, limits) => {
  expect(() => createRates(limits as RateLimit[], consoleMonitor)).toThrow(TypeError);
  expect(() => createRates(limits as RateLimit[], consoleMonitor)).toThrow(message);
});
