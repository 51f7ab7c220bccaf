import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * The process of a client that does nothing wrong while others attack: it asks for the same two things again
 * and again, and notes how long it waits.
 */

/** What the client found. */
export interface GoodClientReport {
  readonly answered: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The same before the attacks: what the machine costs by itself. */
  readonly calm: number;
}

const origin = process.env.ATTACK_ORIGIN ?? '';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Between two requests, in milliseconds. */
const pause = Number(process.env.ATTACK_PAUSE_MS);
const body = JSON.stringify({ query: '{ greeting { text } }' });
let times: number[] = [];
let failed = 0;
let isOver = false;

process.on('message', () => {
  isOver = true;
});

/** What is compiled at the first request, here and there, is no measure of attacks. */
for (let turn = 0; turn < 100; turn++) await exchange(turn);
for (let turn = 0; turn < 1_000 / pause; turn++) await measure(turn);
const calm = quantile(0.99);
[times, failed] = [[], 0];
process.send?.({ ready: true });
for (let turn = 0; !isOver; turn++) await measure(turn);
agent.destroy();
const report: GoodClientReport = {
  answered: times.length - failed,
  failed,
  p50: quantile(0.5),
  p99: quantile(0.99),
  calm,
};
process.send?.(report, () => process.disconnect());

async function measure(turn: number): Promise<void> {
  const begin = performance.now();
  const status = await exchange(turn);
  times.push(performance.now() - begin);
  if (status !== 200) failed += 1;
  await wait(pause);
}

function quantile(share: number): number {
  times.sort((one, other) => one - other);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

/** Asks over REST and over GraphQL by turns. Gives the status, or 0. */
function exchange(turn: number): Promise<number> {
  return new Promise((resolve) => {
    const isRest = turn % 2 === 0;
    const sent = request(
      `${origin}${isRest ? '/api/greeting' : '/graphql'}`,
      { agent, ...(isRest ? {} : { method: 'POST', headers: { 'content-type': 'application/json' } }) },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve(0));
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(isRest ? undefined : body);
  });
}
