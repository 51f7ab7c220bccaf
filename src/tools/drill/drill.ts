import { withTimeout } from '../../base/values/with-timeout.js';
import type { GqlOperation } from '../../compiler/schema/gql-schema.js';
import type { Fault, Stage } from './faults.js';
import { type FollowedApi, type Follower, followOverSse, followOverWebSocket } from './follower.js';
import { compare, type Heard, isFine, stillPossible, type Verdict } from './tally.js';
import { Traffic, type TrafficOptions } from './traffic.js';

/** The environment of a drill. */
export interface DrillOptions extends FollowedApi, Pick<Stage, 'proxies' | 'database'> {
  readonly traffic: Omit<TrafficOptions, 'servers'>;
  readonly subscriptions: readonly GqlOperation[];
  readonly faults: readonly Fault[];
  readonly rounds: number;
  /** How long each wait may take, in milliseconds. */
  readonly timeout: number;
  readonly clock: () => number;
  readonly onReport: (report: FaultReport) => void;
}

/** The effect of one fault. */
export interface FaultReport extends Verdict {
  readonly fault: string;
  readonly about: string;
  readonly round: number;
  readonly passed: boolean;
  /** Why the fault was not tried, or why the servers did not recover. */
  readonly problem?: string;
  readonly skipped?: boolean;
  readonly acknowledged: number;
  readonly unanswered: number;
  /** The events that all clients got together. */
  readonly received: number;
  /** How many requests the fault hit; absent unless it waits for them. */
  readonly hits?: number;
  /** The messages that clients got, and how often. */
  readonly told: Readonly<Record<string, number>>;
  /** How long after the repair all servers were ready, in milliseconds. */
  readonly readyAfter?: number;
}

/** How often readiness is asked for, in milliseconds. */
const beat = 25;

/** Breaks things one after another while calls go on, and compares what clients got. */
export async function runDrill(options: DrillOptions): Promise<readonly FaultReport[]> {
  const { servers, subscriptions, proxies, signal, timeout, faults, rounds } = options;
  const traffic = new Traffic({ ...options.traffic, servers });
  const followers = subscriptions.flatMap((one) => [followOverSse(one, options), followOverWebSocket(one, options)]);
  await within(timeout, signal, () => Promise.all(followers.map(({ opened }) => opened)));
  await warmUp(traffic, followers, options);
  const reports: FaultReport[] = [];
  const notes: Notes = { extra: new Map(), late: new Map() };
  for (let round = 1; round <= rounds; round++)
    for (const fault of faults) {
      if (signal.aborted || (round > 1 && fault.name === 'none')) continue;
      const report = await tryFault(fault, round, traffic, followers, notes, options);
      reports.push(report);
      options.onReport(report);
      if (report.problem !== undefined && report.skipped !== true) return reports;
      for (const proxy of proxies) proxy.mend();
    }
  return reports;
}

/** Makes calls until each client gets events, since a stream may begin a little after it is open. */
async function warmUp(traffic: Traffic, followers: readonly Follower[], { signal, timeout }: DrillOptions) {
  traffic.start();
  try {
    await within(timeout, signal, (until) => poll(until, () => followers.every(({ ids }) => ids.length > 0)));
  } finally {
    await traffic.stop();
  }
  await settle(followers, () => false, 500, signal);
}

/** The facts that one phase passes to the next ones. */
interface Notes {
  /** The subscriptions whose events resolvers publish by themselves, too. */
  readonly extra: Map<string, number>;
  /** The events that calls without an answer may still publish. */
  late: ReadonlyMap<string, number>;
}

async function tryFault(
  fault: Fault,
  round: number,
  traffic: Traffic,
  followers: readonly Follower[],
  notes: Notes,
  options: DrillOptions,
): Promise<FaultReport> {
  const { servers, proxies, database, signal, timeout, clock, keepsEvents } = options;
  const head = { fault: fault.name, about: fault.about, round };
  const needed = fault.needs === 'database' ? database : fault.needs === 'proxy' ? proxies[0] : servers[0];
  if (needed === undefined) {
    const none = { lost: 0, lostSilently: 0, doneTwice: 0, repeated: 0, outOfOrder: 0 };
    const nothing = { ...none, acknowledged: 0, unanswered: 0, received: 0, told: {} };
    const problem = `it needs ${fault.needs === 'database' ? 'PostgreSQL behind the stored nodes' : 'a broker or a database at an address'}`;
    return { ...head, ...nothing, passed: true, skipped: true, problem };
  }
  const marks = followers.map((follower) => follower.mark());
  traffic.start(notes.late);
  let problem: string | undefined;
  let hits: number | undefined;
  let readyAfter: number | undefined;
  const ended = (calls: number) => within(timeout, signal, (until) => traffic.ended(calls, until));
  const wait = (milliseconds: number) => within(milliseconds, signal, idle).catch(() => undefined);
  try {
    await ended(10);
    hits = await fault.run({ servers, proxies, database, ended, wait });
    if (hits === 0) problem = 'it met no request that it could break';
    const repaired = clock();
    const isReady = async (until: AbortSignal) =>
      (await Promise.all(servers.map((server) => server.isReady(until)))).every(Boolean);
    await within(timeout, signal, (until) => poll(until, () => isReady(until)));
    readyAfter = Math.round(clock() - repaired);
    await ended(10);
  } catch (error) {
    problem = signal.aborted ? 'stopped' : (error as Error).message;
  }
  const published = await traffic.stop();
  const hear = () => marks.map((mark) => mark());
  const judge = (clients: readonly Heard[]) => compare(published, clients, { keepsEvents, extra: notes.extra });
  const isSettled = (): boolean => {
    const { lost, lostSilently } = judge(hear());
    return lost + lostSilently === 0;
  };
  await settle(followers, isSettled, timeout, signal);
  const clients = hear();
  // Resolvers may publish events of their own, which are then no sign of a change that was made twice.
  const doubled = fault.name === 'none' ? clients.filter((one) => judge([one]).doneTwice > 0) : [];
  for (const { subscription } of doubled) notes.extra.set(subscription, 1);
  const verdict = judge(clients);
  notes.late = stillPossible(published, clients);
  return {
    ...head,
    ...verdict,
    passed: (problem === undefined || hits === 0) && isFine(verdict),
    ...(hits === 0 && isFine(verdict) && { skipped: true }),
    ...(hits !== undefined && { hits }),
    ...(problem !== undefined && { problem }),
    acknowledged: published.acknowledged,
    unanswered: published.unanswered,
    received: clients.reduce((sum, { ids }) => sum + ids.length, 0),
    told: sumOf(clients.map(({ told }) => told)),
    ...(readyAfter !== undefined && { readyAfter }),
  };
}

/** How long clients must get nothing more, in milliseconds. */
const quiet = 300;

/** Waits until everything has arrived and nothing more comes, within a limit. */
async function settle(followers: readonly Follower[], hasAll: () => boolean, limit: number, signal: AbortSignal) {
  const count = () => followers.reduce((sum, { ids }) => sum + ids.length, 0);
  await within(limit, signal, (until) => poll(until, hasAll)).catch(() => undefined);
  let before = -1;
  await within(limit, signal, async (until) => {
    while (before !== count()) {
      before = count();
      await within(quiet, until, idle).catch(() => undefined);
      until.throwIfAborted();
    }
  }).catch(() => undefined);
}

async function poll(signal: AbortSignal, test: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await test())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, beat));
  }
}

/** Never ends by itself. */
function idle(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function within<Value>(timeout: number, signal: AbortSignal, work: (until: AbortSignal) => Promise<Value>) {
  return withTimeout(timeout, signal, work, () => new Error(`nothing more has happened within ${timeout} ms`));
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
