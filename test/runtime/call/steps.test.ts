import { afterEach, describe, expect, test, vi } from 'vitest';
import { callSteps, lastCallSteps } from '../../../src/runtime/call/steps.js';
import { maxWait } from '../../../src/runtime/repeats/repeats.js';
import { type Asked, closeServers, serve, type Way, ways } from './ways.js';

afterEach(async () => {
  await closeServers();
  vi.restoreAllMocks();
});

const change: Asked = { name: 'change', args: { input: { count: 1 } }, as: 'ada' };

/** For each step of a call, a check that fails without it on every way in. */
const checks: Readonly<Record<string, (ask: Way) => Promise<void>>> = {
  async reach(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { name: 'vault', as: 'ada' }), ran]).toEqual([expect.stringContaining('vault:read'), []]);
  },
  async demand(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { name: 'vault', as: 'ada' }), ran]).toEqual([expect.stringContaining('vault:read'), []]);
    expect(await ask(server, { name: 'vault', as: 'eve vault:read' })).toContain('vault 1');
  },
  async count(ask) {
    const limit = { limit: 1, per: '1h', by: 'principal', operations: ['change'] } as const;
    const { server, ran } = await serve({ rateLimits: [limit] });
    expect(await ask(server, change)).toContain('change 1');
    expect([await ask(server, change), ran]).toEqual([expect.stringContaining('Too many requests'), ['change']]);
  },
  async judge(ask) {
    const { server, ran } = await serve();
    expect(await ask(server, { name: 'notes', args: { patient: 'ada' }, as: 'ada' })).toContain('notes 1');
    expect([await ask(server, { name: 'notes', args: { patient: 'eve' }, as: 'ada' }), ran]).toEqual([
      expect.stringContaining('another caller'),
      ['notes'],
    ]);
  },
  async checkArguments(ask) {
    const { server, ran } = await serve();
    expect([await ask(server, { ...change, args: { input: { count: 6 } } }), ran]).toEqual([
      expect.stringContaining('input.count'),
      [],
    ]);
  },
  async findRepeat(ask) {
    const { server, ran } = await serve({ idempotency: {} });
    const first = await ask(server, { ...change, key: 'a' });
    expect([first, await ask(server, { ...change, key: 'a' }), ran]).toEqual([
      expect.stringContaining('change 1'),
      first,
      ['change'],
    ]);
  },
  async run(ask) {
    const { server } = await serve();
    expect(await ask(server, change)).toContain('change 1');
  },
  async publish(ask) {
    const { server, told } = await serve();
    await ask(server, change);
    expect(told).toMatchObject([{ text: 'change 1' }]);
  },
  async keep(ask) {
    refuseWaitingRepeats();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server, ran } = await serve({ idempotency: {} }, (run) => run === 1);
    await ask(server, { ...change, key: 'a' });
    // A resolver that throws has changed nothing, so a repeat runs.
    expect([await ask(server, { ...change, key: 'a' }), ran]).toEqual([
      expect.stringContaining('change 2'),
      ['change', 'change'],
    ]);
  },
};

/** A repeat whose first run never ends is refused when its time is over; here it is refused at once. */
function refuseWaitingRepeats(): void {
  if (vi.isMockFunction(setTimeout)) return;
  const start = globalThis.setTimeout;
  // A part of the time is over when a repeat starts to wait.
  const isWait = (delay: number) => delay < maxWait && delay > maxWait - 1_000;
  const startShort = (work: () => void, delay = 0) => start(work, isWait(delay) ? 0 : delay);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(startShort as typeof setTimeout);
}

/** The names of the ways in on which a check fails. */
async function failuresOf(check: (ask: Way) => Promise<void>): Promise<readonly string[]> {
  const ends = await Promise.allSettled(Object.values(ways).map(check));
  return Object.keys(ways).filter((_, at) => ends[at]?.status === 'rejected');
}

describe.each([
  ['the steps', callSteps],
  ['the last steps', lastCallSteps],
] as const)('%s of a call', (_, list) => {
  test.each(list.map(({ name }, at) => [name, at] as const))(
    '%s is missed over every protocol if it is removed',
    async (name, at) => {
      const check = checks[name];
      if (check === undefined) throw new Error(`The step ${name} has no check.`);
      expect(await failuresOf(check)).toEqual([]);
      const changed = list as unknown[];
      const [removed] = changed.splice(at, 1);
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      try {
        expect(await failuresOf(check)).toEqual(Object.keys(ways));
      } finally {
        changed.splice(at, 0, removed);
      }
    },
  );
});
