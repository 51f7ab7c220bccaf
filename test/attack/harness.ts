import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Attack, attacks, slowAttacks } from './attacks.js';
import type { GoodClientReport } from './good-client.js';
import type { TargetState } from './target.js';
import { type Status, send, type Target } from './wire.js';

/** How an attack went. */
export interface AttackResult {
  readonly attack: string;
  readonly statuses: readonly Status[];
  /** The longest time that the server was busy with one thing, in milliseconds. */
  readonly longest?: number;
  /** What is wrong; empty when all is well. */
  readonly faults: readonly string[];
}

/** How a host stood it. */
export interface HostResult {
  readonly host: string;
  readonly results: readonly AttackResult[];
  /** How many requests of the good client were answered, and how long they took, in milliseconds. */
  readonly good: GoodClientReport;
  /** Bytes of heap that are held beyond those before the attacks, and the most memory that the process had. */
  readonly growth: number;
  readonly peak: number;
  /** What is wrong with the process as a whole. */
  readonly faults: readonly string[];
}

/** How hard a host is tried. */
export interface Effort {
  /** The bundle of `target.ts`. */
  readonly bundle: string;
  /** The bundle of `good-client.ts`. */
  readonly goodClient: string;
  /** Node's timeouts in milliseconds, where waiting for the real ones takes too long. */
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
}

/** How much heap a host may hold on to after all attacks, and how much memory it may ever have. */
const maxGrowth = 32 << 20;
const maxPeak = 512 << 20;

/** Starts a host in a process of its own, attacks it, and stops it under load. */
export async function attackHost(host: string, effort: Effort): Promise<HostResult> {
  const child = start(host, effort);
  const faults: string[] = [];
  let exited: string | undefined;
  child.once('exit', (code, signal) => {
    exited = `the process ended (${signal ?? code})`;
  });
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }];
  const target: Target = { origin, port: Number(new URL(origin).port) };
  const good = startGoodClient(effort.goodClient, target);
  await good.ready;
  const before = await ask(child, 'collect');
  const results: AttackResult[] = [];
  const slow = Promise.all(slowAttacks.map((attack) => tryOne(attack, target, () => ask(child))));
  for (const attack of attacks) {
    if (exited !== undefined) break;
    const was = await ask(child);
    const result = await tryOne(attack, target, () => ask(child));
    const is = await ask(child);
    const fault = exited ?? (await soon(() => checkOne(attack, was, child)));
    results.push({
      ...result,
      longest: is.longest,
      faults: fault === undefined ? result.faults : [...result.faults, fault],
    });
  }
  results.push(...(await slow));
  if (exited === undefined) {
    const measured = await good.stop();
    const after = await ask(child, 'collect');
    if (after.polluted) faults.push('the prototype of all objects was written to');
    for (const each of after.unhandled) faults.push(`nobody handled a ${each}`);
    const growth = after.heapUsed - before.heapUsed;
    if (growth > maxGrowth) faults.push(`${mega(growth)} of heap are still held`);
    if (after.peak > maxPeak) faults.push(`the process had ${mega(after.peak)} of memory`);
    if (measured.failed > 0) faults.push(`${measured.failed} requests of the good client failed`);
    results.push(await stopUnderLoad(child, target));
    return { host, results, good: measured, growth, peak: after.peak, faults };
  }
  faults.push(exited);
  return { host, results, good: await good.stop(), growth: 0, peak: 0, faults };
}

function start(host: string, { bundle, headersTimeout, requestTimeout }: Effort): ChildProcess {
  return spawn(process.execPath, ['--expose-gc', bundle], {
    // What the process says on its console is about its requests; what counts is asked for.
    stdio: ['ignore', 'ignore', process.env.ATTACK_LOG === undefined ? 'ignore' : 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      NODE_OPTIONS: '',
      ATTACK_HOST: host,
      ...(headersTimeout === undefined ? {} : { ATTACK_HEADERS_MS: String(headersTimeout) }),
      ...(requestTimeout === undefined ? {} : { ATTACK_REQUEST_MS: String(requestTimeout) }),
    },
  });
}

async function ask(child: ChildProcess, what: 'state' | 'collect' = 'state'): Promise<TargetState> {
  child.send(what);
  const [state] = (await once(child, 'message')) as [TargetState];
  return state;
}

/** What is wrong after an attack; connections that were closed are noticed a moment later. */
async function soon(check: () => Promise<string | undefined>): Promise<string | undefined> {
  let fault = await check();
  for (let turn = 0; turn < 600 && fault !== undefined; turn++) {
    await wait(100);
    fault = await check();
  }
  return fault;
}

async function checkOne(
  { check }: Attack,
  was: TargetState,
  child: ChildProcess,
): Promise<string | undefined> {
  return check?.(was, await ask(child));
}

async function tryOne(
  { name, expected, run }: Attack,
  target: Target,
  state: () => Promise<TargetState>,
): Promise<AttackResult> {
  const statuses = await run(target, state);
  const wrong = [...new Set(statuses.filter((status) => !expected.includes(status)))];
  const faults = wrong.map((status) => `answered ${status}, not ${expected.join(' or ')}`);
  return { attack: name, statuses, faults };
}

/** Starts the client that does nothing wrong, in a process of its own: an attacker is busy. */
function startGoodClient(bundle: string, { origin }: Target) {
  const child = spawn(process.execPath, [bundle], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', ATTACK_ORIGIN: origin },
  });
  return {
    ready: once(child, 'message'),
    stop: async (): Promise<GoodClientReport> => {
      child.send('stop');
      const [report] = (await once(child, 'message')) as [GoodClientReport];
      return report;
    },
  };
}

/** Asks the process to end while clients are busy: whatever was begun is answered, and then it is gone. */
async function stopUnderLoad(child: ChildProcess, target: Target): Promise<AttackResult> {
  const exit = once(child, 'exit');
  let isOver = false;
  // These ask one after another; what they are answered must be right, and no answer means that it is over.
  const busy = Array.from({ length: 10 }, async () => {
    const statuses: Status[] = [];
    while (!isOver) {
      const status = await send(target, '/api/greeting');
      if (status === 0) break;
      statuses.push(status);
    }
    return statuses;
  });
  // These have begun before the end, and must be answered.
  const begun = Array.from({ length: 10 }, () => send(target, '/api/pausing'));
  const stream = openStream(target);
  await Promise.all([stream, soon(async () => ((await ask(child)).pausing < 10 ? 'not begun' : undefined))]);
  child.kill('SIGTERM');
  const [code] = (await Promise.race([exit, wait(60_000, ['nothing: it did not end'])])) as [unknown];
  isOver = true;
  if (child.exitCode === null) child.kill('SIGKILL');
  const statuses = [...(await Promise.all(begun)), ...(await Promise.all(busy)).flat()];
  const wrong = statuses.filter((status) => status !== 200);
  return {
    attack: 'SIGTERM under load',
    statuses,
    faults: [
      ...(code === 0 ? [] : [`the process ended with ${String(code)}`]),
      ...wrong.map((status) => `answered ${status}, not 200`),
      // A stream that is cut is opened again elsewhere; one that completes is not.
      ...(/terminated/.test(await readStream(await stream)) ? [] : ['the subscription was not cut']),
    ],
  };
}

/** Subscribes to what never happens. */
function openStream({ origin }: Target): Promise<Response> {
  return fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { heard { text } }' }),
  });
}

/** Reads to the end, or to where it is cut off. */
async function readStream(stream: Response): Promise<string> {
  return stream.text().catch(String);
}

/** `12 MB` */
export function mega(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MB`;
}
