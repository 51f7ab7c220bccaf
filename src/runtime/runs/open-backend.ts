import type { Workflow } from 'openworkflow';
import type { Backend } from 'openworkflow/internal';
import { loadPeer } from '../load/load-peer.js';
import { patiently, silently } from '../store/sqlite.js';
import type { RunsOptions } from './runs.js';

/** Opens the database of the engine. It makes its own tables: on PostgreSQL in a schema of their own. */
export async function openBackend(options: RunsOptions): Promise<Backend> {
  if ('url' in options) {
    const load = () => import('openworkflow/postgres');
    const { BackendPostgres } = await loadPeer(['openworkflow', 'postgres'], load);
    return BackendPostgres.connect(options.url, { schema: 'gg_svc_runs' });
  }
  const { BackendSqlite } = await loadPeer(['openworkflow'], () => import('openworkflow/sqlite'));
  return patiently(() =>
    silently(async () => {
      const backend = BackendSqlite.connect(options.file);
      // The engine does not wait for another process that writes, and would take a step that ran for one that failed.
      const { db } = backend as unknown as { readonly db: { exec(sql: string): void } };
      db.exec('PRAGMA busy_timeout = 5000');
      return backend;
    }),
  );
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
export const turnStep = /^(?:wait|event|pause) (\w+)(?::\d+)?$/;
