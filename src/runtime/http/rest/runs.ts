import { restPrefix } from '../../../compiler/schema/server-paths.js';
import type { Run, Runs } from '../../runs/runs.js';
import { type Answer, jsonAnswer } from '../answer.js';
import type { Exchange, Resource, Route } from '../exchange.js';
import { readEventStreamWish } from '../sse/accept-events.js';
import { checkOrigin } from './json-body.js';
import { runStream } from './run-stream.js';

/** Opens the database of the runs at the first call. */
export type OpenRuns = () => Promise<Runs>;

/** Makes the resources of the runs of durable chains: `/api/runs/{id}`, and the one that cancels a run. */
export function createRunResources(runs: OpenRuns): ReadonlyMap<string, Resource> {
  // The runs of other callers are not found; any caller may ask.
  const access = {};
  const idOf = ({ path }: Exchange) => path.slice(`${restPrefix}runs/`.length).split('/', 1)[0] as string;
  const read: Route = {
    access,
    vary: 'Accept',
    run: async (exchange) => {
      const opened = await runs();
      const run = await opened.read(idOf(exchange), exchange);
      const isStream = exchange.method === 'GET' && readEventStreamWish(exchange.header('accept')) === 'all';
      return isStream ? runStream(opened, run, exchange) : runAnswer(200, run);
    },
  };
  const cancel: Route = {
    access,
    checkOrigin,
    run: async (exchange) => runAnswer(202, await (await runs()).cancel(idOf(exchange), exchange)),
  };
  const path = `${restPrefix}runs/{id}`;
  return new Map([
    [
      path,
      {
        allow: 'GET, HEAD, OPTIONS',
        routes: new Map(Object.entries({ GET: read, HEAD: read })),
        isShared: true,
      },
    ],
    [`${path}/cancel`, { allow: 'POST, OPTIONS', routes: new Map([['POST', cancel]]), isShared: true }],
  ]);
}

/** A run as the body of an answer. One that begins, or is cancelled, is told where it can be read. */
export function runAnswer(status: 200 | 202, run: Run): Answer {
  const place = status === 202 ? ['location', `${restPrefix}runs/${run.id}`] : [];
  return jsonAnswer(status, JSON.stringify(run), ['cache-control', 'no-store', ...place]);
}
