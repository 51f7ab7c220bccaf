import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Workflow } from 'openworkflow';
import type { Backend } from 'openworkflow/internal';
import { type Problem, ProblemError } from '../call/problem.js';
import { loadPeer } from '../load/load-peer.js';
import { isAway } from '../store/postgres.js';
import { patiently, silently } from '../store/sqlite.js';
import type { RunsOptions } from './runs.js';

/**
 * Opens the database of the engine. It makes its own tables: on PostgreSQL in a schema of their own.
 *
 * @param health - Is told whether the database answers each time that the engine asks it for work.
 */
export async function openBackend(options: RunsOptions, health = { isUp: true }): Promise<Backend> {
  if ('url' in options) {
    const load = () => import('openworkflow/postgres');
    const { BackendPostgres } = await loadPeer(['openworkflow', 'postgres'], load);
    const connect = async () => {
      const backend = await BackendPostgres.connect(options.url, { schema: 'gg_svc_runs' });
      const { pg } = backend as unknown as { readonly pg: Postgres };
      keepAnyText(pg.options);
      try {
        // The first connection reads the types of arrays for all. One that is lost while it reads them rejects a promise
        // that nobody handles, which ends the process.
        await pg.unsafe('SELECT 1', []);
        pg.options.fetch_types = false;
      } catch (error) {
        await pg.end({ timeout: 1 });
        throw error;
      }
      return { backend, pg };
    };
    const { backend, pg } = await connect().catch((error: Error) => {
      throw isBroken(error) || isBroken(error.cause) ? new ProblemError(away, { cause: error }) : error;
    });
    // After the server has ended a connection, postgres.js waits for its end for ever.
    backend.stop = () => pg.end({ timeout: 1 });
    const reserve = pg.reserve.bind(pg);
    // A call that waits for a connection that cannot be made never ends, and the next connection is lost, too. So another
    // statement makes a connection before, and the wait is limited, because a third statement may take that connection.
    pg.reserve = async () => {
      await pg.unsafe('SELECT 1', []);
      return new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(Object.assign(new Error('PostgreSQL has no connection.'), { code: 'CONNECT_TIMEOUT' }));
        }, connectTimeout);
        reserve().then(
          (reserved) => {
            clearTimeout(timer);
            if (isLate) reserved.release();
            else resolve(reserved);
          },
          (error: unknown) => {
            clearTimeout(timer);
            reject(error);
          },
        );
      });
    };
    return wakingLostRuns(backend, health, (now) => pg.unsafe(wakeLostRuns('gg_svc_runs.', '$1'), [now]));
  }
  const { BackendSqlite } = await loadPeer(['openworkflow'], () => import('openworkflow/sqlite'));
  return patiently(() =>
    silently(async () => {
      const backend = BackendSqlite.connect(options.file);
      // The engine does not wait for another process that writes, and would take a step that ran for one that failed.
      const { db } = backend as unknown as { readonly db: DatabaseSync };
      db.exec('PRAGMA busy_timeout = 5000');
      return wakingLostRuns(backend, health, async (now) => db.prepare(wakeLostRuns('', '?1')).run(now));
    }),
  );
}

/** The parts of postgres.js that are used here. */
interface Postgres {
  readonly options: {
    readonly serializers: Record<number, (value: unknown) => string>;
    readonly parsers: Record<number, (text: string) => unknown>;
    fetch_types: boolean;
  };
  unsafe(sql: string, values: string[]): Promise<unknown>;
  reserve(): Promise<{ release(): void }>;
  end(options: { readonly timeout: number }): Promise<void>;
}

/** How long a statement waits for a connection of its own, in milliseconds. */
const connectTimeout = 5_000;

/** The type `jsonb` (pg_type.dat). */
const jsonb = 3802;

/**
 * Strings of JSON may have U+0000 and halves of surrogate pairs, which `jsonb` refuses (PostgreSQL, section 8.14). Each is
 * kept as U+FFFF, a noncharacter, and its number; so is U+FFFF itself.
 */
function keepAnyText({ serializers, parsers }: Postgres['options']): void {
  serializers[jsonb] = (value) =>
    JSON.stringify(value)
      .replaceAll('\uffff', '\uffffffff')
      .replace(/\\(?:u(0000|d[89a-f][\da-f]{2})|.)/g, (all, code?: string) =>
        code === undefined ? all : `\uffff${code}`,
      );
  parsers[jsonb] = (text) => JSON.parse(text.replace(/\uffff([\da-f]{4})/g, '\\u$1'));
}

/** The pause before a statement is sent again, in milliseconds. */
const patience = 250;

/** The lease of a run, after which another process may take it, in milliseconds. */
export const lease = 30_000;

/**
 * A database that may be away for a moment. The engine takes a statement that fails for a failure of the run, which would
 * end it for good without undoing its steps: so those of the work on runs are sent again.
 *
 * @param time - How long, in milliseconds.
 * @returns The database, which then throws a `ProblemError`.
 */
export function whileAway(backend: Backend, time: number): Backend {
  return new Proxy(backend, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      // The engine itself tries these again.
      if (name === 'claimWorkflowRun' || name === 'extendWorkflowRunLease') return found.bind(target);
      return async (...given: readonly unknown[]) => {
        for (const end = performance.now() + time; ; ) {
          try {
            return await found.apply(target, given);
          } catch (error) {
            if (!isBroken(error)) throw error;
            if (performance.now() >= end) throw new ProblemError(away, { cause: error });
            await pause(patience);
          }
        }
      };
    },
  });
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && isAway(error);
}

const away: Problem = {
  status: 503,
  detail: 'The database of the runs is not available.',
  headers: ['retry-after', '1'],
  members: { code: 'STORE_UNAVAILABLE' },
};

/** The least pause between two looks for lost runs, in milliseconds. */
const lookInterval = 10_000;

/** Looks for lost runs when the engine, which asks for work every second, has none. */
function wakingLostRuns(backend: Backend, health: { isUp: boolean }, wake: (now: string) => Promise<unknown>): Backend {
  const claim = backend.claimWorkflowRun.bind(backend);
  let next = 0;
  backend.claimWorkflowRun = async (params) => {
    try {
      const claimed = await claim(params);
      if (claimed === null && performance.now() >= next) {
        next = performance.now() + lookInterval;
        await wake(new Date().toISOString());
      }
      health.isUp = true;
      return claimed;
    } catch (error) {
      health.isUp = false;
      throw error;
    }
  };
  return backend;
}

/**
 * Wakes the runs that sleep although the run below them has ended, or their event has come. The engine ends a run and
 * wakes the one above it by two statements: a process that is killed in between leaves that one asleep for ever.
 */
function wakeLostRuns(schema: string, now: string): string {
  const own = "sa.namespace_id = 'default' AND sa.workflow_run_id = wr.id AND sa.status = 'running'";
  return `UPDATE ${schema}workflow_runs AS wr SET available_at = ${now}
    WHERE wr.namespace_id = 'default' AND wr.status = 'running' AND wr.available_at > ${now} AND wr.worker_id IS NULL AND (
      EXISTS (SELECT 1 FROM ${schema}step_attempts sa JOIN ${schema}workflow_runs below
        ON below.namespace_id = sa.child_workflow_run_namespace_id AND below.id = sa.child_workflow_run_id
        WHERE ${own} AND sa.kind = 'workflow' AND below.status IN ('completed', 'failed', 'canceled'))
      OR EXISTS (SELECT 1 FROM ${schema}step_attempts sa JOIN ${schema}workflow_signals ws
        ON ws.namespace_id = sa.namespace_id AND ws.step_attempt_id = sa.id
        WHERE ${own} AND sa.kind = 'signal-wait'))`;
}

export type AnyWorkflow = Workflow<unknown, unknown, unknown>;
export type StepApi = Parameters<AnyWorkflow['fn']>[0]['step'];

/** Ten years, in milliseconds: the engine has no step without a deadline. */
export const never = 315_360_000_000;

/** The workflow of every run; the one of its steps has the name and the version of the chain. */
export const runWorkflow = 'gg-svc run';
/** The step of a run that runs the steps of its chain. */
export const chainStep = 'chain';
/** Begins the name of a step of a run that undoes a step of its chain, whose name follows. */
export const undoStep = 'undo ';
/** Begin the names of what a run does before a step, whose name follows. */
export const turnSteps = { wait: 'wait ', event: 'event ', pause: 'pause ' } as const;
/** The name of such a step, with the name of the step after it; the engine numbers several with the same name. */
export const turnStep = /^(wait|event|pause) (\w+)(?::(\d+))?$/;
