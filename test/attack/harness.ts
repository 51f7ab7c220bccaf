import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Attack, attacks, slowAttacks } from './attacks.js';
import type { GoodClientReport } from './good-client.js';
import type { Answer, Question, TargetState } from './target.js';
import { patience, type Status, send, type Target } from './wire.js';

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
  /** Milliseconds between two requests of the good client. A short one measures how long it waits, and costs as much. */
  readonly pause?: number;
}

/** How much heap a host may hold on to after all attacks, and how much memory it may ever have. */
const maxGrowth = 32 << 20;
const maxPeak = 512 << 20;

/** Starts a host in a process of its own, attacks it, and stops it under load. */
export async function attackHost(host: string, effort: Effort): Promise<HostResult> {
  const child = start(host, effort);
  const faults: string[] = [];
  const results: AttackResult[] = [];
  const { origin } = await nextMessage<{ origin: string }>(child, (message) => 'origin' in message);
  const target: Target = { origin, port: Number(new URL(origin).port) };
  const good = startGoodClient(effort, target);
  await good.ready;
  try {
    const before = await ask(child, 'collect');
    const slow = Promise.all(slowAttacks.map((attack) => tryOne(attack, target, () => ask(child))));
    // The loop below may fail first.
    slow.catch(() => undefined);
    for (const attack of attacks) {
      const was = await ask(child);
      const result = await tryOne(attack, target, () => ask(child));
      const is = await ask(child);
      const fault = await soon(() => checkOne(attack, was, child));
      results.push({
        ...result,
        longest: is.longest,
        faults: fault === undefined ? result.faults : [...result.faults, fault],
      });
    }
    results.push(...(await slow));
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
  } catch (error) {
    const ended = endOf(child);
    if (ended === undefined) throw error;
    faults.push(`${ended} after ${results.length} attacks: ${String(error)}`);
    return { host, results, good: await good.stop(), growth: 0, peak: 0, faults };
  } finally {
    child.kill('SIGKILL');
  }
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

let questions = 0;

/** Asks the process how it is. Two attacks may ask at the same time, so that each answer names its question. */
async function ask(child: ChildProcess, kind: Question['kind'] = 'state'): Promise<TargetState> {
  questions += 1;
  const question: Question = { id: questions, kind };
  const answer = nextMessage<Answer>(child, (message) => 'id' in message && message.id === question.id);
  // An error of the channel says that the process has ended.
  if (child.connected) child.send(question, () => undefined);
  return (await answer).state;
}

/** The next message of a process that fits; fails when the process ends before it. */
function nextMessage<T extends object>(
  child: ChildProcess,
  fits: (message: object) => boolean = () => true,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: object): void => {
      if (!fits(message)) return;
      stop();
      resolve(message as T);
    };
    const onEnd = (): void => {
      stop();
      reject(new Error(endOf(child)));
    };
    const stop = (): void => {
      child.off('message', onMessage).off('close', onEnd);
    };
    // `exit` may come before the last message.
    child.on('message', onMessage).on('close', onEnd);
    if (endOf(child) !== undefined && !child.connected) onEnd();
  });
}

/** How a process ended; undefined while it runs. */
function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  const end = signalCode ?? exitCode;
  return end === null ? undefined : `the process ended (${end})`;
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

async function checkOne({ check }: Attack, was: TargetState, child: ChildProcess): Promise<string | undefined> {
  return check?.(was, await ask(child));
}

async function tryOne(
  { name, expected, run }: Attack,
  target: Target,
  state: () => Promise<TargetState>,
): Promise<AttackResult> {
  const statuses = await withinReason(name, run(target, state));
  const wrong = [...new Set(statuses.filter((status) => !expected.includes(status)))];
  const faults = wrong.map((status) => `answered ${status}, not ${expected.join(' or ')}`);
  return { attack: name, statuses, faults };
}

/** What a promise gives; fails, with the name of the attack, where it gives nothing for far longer than clients wait. */
function withinReason<T>(name: string, promise: Promise<T>): Promise<T> {
  const limit = 5 * patience;
  const late = wait(limit, undefined, { ref: false }).then(() => {
    throw new Error(`the attack “${name}” did not end within ${limit / 1000} s`);
  });
  return Promise.race([promise, late]);
}

/** Starts the client that does nothing wrong, in a process of its own: an attacker is busy. */
function startGoodClient({ goodClient, pause = 5 }: Effort, { origin }: Target) {
  const child = spawn(process.execPath, [goodClient], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', ATTACK_ORIGIN: origin, ATTACK_PAUSE_MS: String(pause) },
  });
  return {
    ready: nextMessage(child),
    stop: (): Promise<GoodClientReport> => {
      const report = nextMessage<GoodClientReport>(child);
      if (child.connected) child.send({ stop: true }, () => undefined);
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
  const [code] = (await Promise.race([exit, wait(patience, ['nothing: it did not end'])])) as [unknown];
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
