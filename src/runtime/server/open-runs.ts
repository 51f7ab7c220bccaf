import { setTimeout as pause } from 'node:timers/promises';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { durableChains } from '../../compiler/api/chains/api-chains.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { EventHub } from '../brokers/event-hub.js';
import type { Environment } from '../call/environment.js';
import { assertPeers } from '../load/load-peer.js';
import { createRuns } from '../runs/create-runs.js';
import type { Runs, RunsOptions } from '../runs/runs.js';
import type { GqlServerOptions } from './options.js';

/**
 * The database of the runs of a server: that of the option `runs`, else the one of its store, on SQLite a file beside
 * it. Undefined without durable chains.
 *
 * @throws {OptionError} If there is neither.
 */
export function placeOfRuns(
  schema: GqlSchema,
  options: Pick<GqlServerOptions, 'runs' | 'store'>,
): RunsOptions | undefined {
  const [first] = durableChains(schema);
  if (first === undefined) return undefined;
  const { runs, store } = options;
  if (runs === undefined && store === undefined)
    throw new OptionError('runs', `name a database, because the chain ${first.name} is durable`);
  const given = Object.values(runs ?? {}).filter((value) => typeof value === 'string' && value !== '');
  if (runs !== undefined && (given.length !== 1 || !('file' in runs || 'url' in runs)))
    throw new OptionError('runs', 'have either “file” or “url”');
  const place = runsBeside(options) as RunsOptions;
  assertPeers(['openworkflow', ...('url' in place ? ['postgres'] : [])]);
  return place;
}

/** The database that the option `runs` names, else that of the store. */
export function runsBeside({ runs, store }: Pick<GqlServerOptions, 'runs' | 'store'>): RunsOptions | undefined {
  if (runs !== undefined || store === undefined) return runs;
  const { url, file = ':memory:' } = store;
  // The engine and the store would wait for each other in the only thread.
  return url === undefined ? { file: file === ':memory:' ? file : `${file}.runs` } : { url };
}

/** The pause before the next attempt to open a database that is away, in milliseconds. */
const patience = 10_000;

/** Opens the database of the runs, and goes on with those that are open. The engine is loaded now. */
export function openRuns(environment: Environment, place: RunsOptions, hub: EventHub) {
  let isClosed = false;
  let opening: Promise<Runs> | undefined;
  let opened: Runs | undefined;
  const open = (): Promise<Runs> => {
    opening ??= createRuns(environment, place, hub);
    const attempt = opening;
    attempt.catch(() => {
      if (opening === attempt) opening = undefined;
    });
    return attempt;
  };
  const begin = async (): Promise<void> => {
    while (!isClosed) {
      try {
        opened = await open();
        return;
      } catch (error) {
        environment.monitor.fault(error);
        await pause(patience, undefined, { ref: false });
      }
    }
  };
  void begin();
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await (await opening?.catch(() => undefined))?.close();
  };
  const drain = (): void => {
    opening?.then((runs) => runs.drain()).catch(() => undefined);
  };
  return {
    /** Whether the database answers; undefined before the first connection. */
    get isUp() {
      return opened?.isUp;
    },
    open,
    close,
    drain,
  };
}
