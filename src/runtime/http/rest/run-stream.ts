import type { Results } from '../../execute/subscriptions/results.js';
import type { Run, RunState, Runs } from '../../runs/runs.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { eventAnswer } from '../sse/event-answer.js';

/** Answers with a run as Server-Sent Events: as it is, after each change, and at its end. Each event has all of it. */
export function runStream(runs: Runs, first: Run, exchange: Exchange): Answer {
  const signal = exchange.signal();
  const results = changesOf(runs, first, exchange, signal);
  Object.defineProperty(results, 'isCut', { get: () => runs.isDraining });
  return eventAnswer(results, signal, ({ data }) => {
    const { id, run } = data as unknown as RunState;
    return Buffer.from(`id: ${id}\ndata: ${JSON.stringify(run)}\n\n`);
  });
}

async function* changesOf(runs: Runs, first: Run, exchange: Exchange, signal: AbortSignal): Results {
  const states = runs.follow(first, exchange, signal, exchange.header('last-event-id'));
  for await (const state of states) yield { data: { ...state } };
}
