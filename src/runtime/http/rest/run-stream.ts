import type { Results } from '../../execute/subscriptions/results.js';
import { digest } from '../../repeats/caller-identity.js';
import type { Run, Runs } from '../../runs/runs.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { eventAnswer } from '../sse/event-answer.js';

/** Answers with a run as Server-Sent Events: as it is, after each change, and at its end. Each event has all of it. */
export function runStream(runs: Runs, first: Run, exchange: Exchange): Answer {
  const signal = exchange.signal();
  const results = changesOf(runs, first, exchange, signal);
  Object.defineProperty(results, 'isCut', { get: () => runs.isDraining });
  return eventAnswer(results, signal, ({ data }) => {
    const { run } = data as { readonly run: Run };
    return Buffer.from(`id: ${idOf(run)}\ndata: ${JSON.stringify(run)}\n\n`);
  });
}

async function* changesOf(runs: Runs, first: Run, exchange: Exchange, signal: AbortSignal): Results {
  let last = exchange.header('last-event-id');
  for await (const run of runs.follow(first, exchange, signal)) {
    const id = idOf(run);
    if (id !== last) yield { data: { run } };
    last = id;
  }
}

/** The id of an event: a client that names it has seen this state of the run. */
function idOf(run: Run): string {
  return digest(JSON.stringify(run)).slice(0, 16);
}
