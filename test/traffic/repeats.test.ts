import { afterEach, expect, test, vi } from 'vitest';
import type { IdempotencyOptions } from '../../src/config/traffic-options.js';
import { Answer } from '../../src/http/answer.js';
import { FetchExchange } from '../../src/http/fetch-exchange.js';
import type { Repeats } from '../../src/http/traffic.js';
import { consoleWatch } from '../../src/logs/watch.js';
import { createRepeats, maxWait } from '../../src/traffic/repeats.js';

afterEach(() => {
  vi.useRealTimers();
});

const mutation = () => [{ kind: 'mutation' as const, fields: ['placeOrder'] }];

function exchangeOf(key: string, body = ''): FetchExchange {
  const exchange = new FetchExchange(
    new Request('http://localhost/api/placeOrder', { method: 'POST', headers: { 'idempotency-key': key } }),
  );
  exchange.bytes = Buffer.from(body);
  return exchange;
}

/** Runs a request with a key, if it is the first, and gives its answer. */
async function run(repeats: Repeats, key: string, answer: Answer): Promise<Answer> {
  const exchange = exchangeOf(key);
  const found = await repeats.find(exchange, mutation);
  if (found === undefined) repeats.keep(answer, exchange);
  return found ?? answer;
}

test('an answer is kept with its status, headers and bytes', async () => {
  const repeats = createRepeats({}, consoleWatch);
  const bytes = Uint8Array.of(0, 255, 128);
  await run(repeats, 'a', new Answer(201, ['location', '/orders/1'], bytes));
  await run(repeats, 'b', new Answer(204, [], null));
  const [one, other] = [
    await run(repeats, 'a', new Answer(500, [], '')),
    await run(repeats, 'b', new Answer(500, [], '')),
  ];
  expect([one.status, one.headers, Buffer.from(one.body as Uint8Array)]).toEqual([
    201,
    ['location', '/orders/1', 'idempotency-replayed', 'true'],
    Buffer.from(bytes),
  ]);
  expect([other.status, other.body]).toEqual([204, null]);
});

test.each([401, 403, 429, 499, 500, 503])('an answer with the status %d is not kept', async (status) => {
  const repeats = createRepeats({}, consoleWatch);
  await run(repeats, 'a', new Answer(status, [], ''));
  expect((await run(repeats, 'a', new Answer(200, [], 'again'))).body).toBe('again');
});

test('a stream is not kept', async () => {
  const repeats = createRepeats({}, consoleWatch);
  await run(repeats, 'a', new Answer(200, [], new ReadableStream()));
  expect((await run(repeats, 'a', new Answer(200, [], 'again'))).body).toBe('again');
});

test('an answer is kept for the time of the option', async () => {
  vi.useFakeTimers();
  const repeats = createRepeats({ ttl: '1h' }, consoleWatch);
  await run(repeats, 'a', new Answer(200, [], 'first'));
  vi.advanceTimersByTime(3_599_000);
  expect((await run(repeats, 'a', new Answer(200, [], 'second'))).body).toBe('first');
  vi.advanceTimersByTime(2_000);
  expect((await run(repeats, 'a', new Answer(200, [], 'second'))).body).toBe('second');
});

test('a repeat of a very long answer is refused, and does not run', async () => {
  const repeats = createRepeats({}, consoleWatch);
  await run(repeats, 'a', new Answer(200, [], 'x'.repeat(1 << 20)));
  await expect(run(repeats, 'a', new Answer(200, [], ''))).rejects.toMatchObject({
    problem: { status: 409, members: { code: 'IDEMPOTENCY_ANSWER_TOO_LONG' } },
  });
});

test('the answers that were not used for longest are dropped beyond 64 MiB', async () => {
  const repeats = createRepeats({}, consoleWatch);
  const body = 'x'.repeat(1_000_000);
  for (let at = 0; at < 70; at += 1) {
    await run(repeats, String(at), new Answer(200, [], body));
    // The first one is used.
    await run(repeats, '0', new Answer(200, [], 'again'));
  }
  expect((await run(repeats, '0', new Answer(200, [], 'again'))).body).toBe(body);
  expect((await run(repeats, '69', new Answer(200, [], 'again'))).body).toBe(body);
  expect((await run(repeats, '1', new Answer(200, [], 'again'))).body).toBe('again');
});

test('a repeat is refused if the first request takes too long', async () => {
  vi.useFakeTimers();
  const repeats = createRepeats({}, consoleWatch);
  const first = exchangeOf('a');
  await repeats.find(first, mutation);
  const second = Promise.resolve(repeats.find(exchangeOf('a'), mutation));
  const refused = expect(second).rejects.toMatchObject({
    problem: { status: 409, members: { code: 'IDEMPOTENCY_KEY_IN_USE' }, headers: ['retry-after', '1'] },
  });
  await vi.advanceTimersByTimeAsync(maxWait);
  await refused;
  repeats.keep(new Answer(200, [], 'late'), first);
  expect((await run(repeats, 'a', new Answer(200, [], ''))).body).toBe('late');
});

test('one of the repeats that wait runs if the first request fails', async () => {
  const repeats = createRepeats({}, consoleWatch);
  const first = exchangeOf('a');
  await repeats.find(first, mutation);
  const others = [1, 2, 3].map((at) => run(repeats, 'a', new Answer(200, [], String(at))));
  repeats.keep(new Answer(500, [], ''), first);
  const bodies = (await Promise.all(others)).map(({ body }) => body);
  expect(new Set(bodies).size).toBe(1);
});

test('without the store, a request with a key is refused, and one without a key is not', async () => {
  const fault = vi.fn();
  const store = { eval: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  const repeats = createRepeats({ store }, { ...consoleWatch, fault });
  for (let at = 0; at < 2; at += 1) {
    await expect(repeats.find(exchangeOf('a'), mutation)).rejects.toMatchObject({
      problem: { status: 503, members: { code: 'IDEMPOTENCY_UNAVAILABLE' } },
    });
  }
  expect(fault).toHaveBeenCalledTimes(1);
  const plain = new FetchExchange(new Request('http://localhost/api/placeOrder', { method: 'POST' }));
  expect(repeats.find(plain, mutation)).toBeUndefined();
});

test.each<[string, unknown]>([
  ['idempotency must', null],
  ['idempotency must', true],
  ['idempotency.ttl must', { ttl: 0 }],
  ['idempotency.ttl must', { ttl: '31d' }],
  ['idempotency.ttl must', { ttl: 'soon' }],
  ['idempotency.store must', { store: 'http://localhost' }],
  ['idempotency.store must', { store: null }],
])('%s … of %j', (message, options) => {
  expect(() => createRepeats(options as IdempotencyOptions, consoleWatch)).toThrow(TypeError);
  expect(() => createRepeats(options as IdempotencyOptions, consoleWatch)).toThrow(message);
});
