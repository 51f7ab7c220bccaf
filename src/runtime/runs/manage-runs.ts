import { randomUUID } from 'node:crypto';
import { cancelRun, createRun } from './create-runs.js';
import { openBackend, runWorkflow } from './open-backend.js';
import { leftOf, readRun } from './read-run.js';
import type { KeptRun, Run, RunsOptions } from './runs.js';

/** The runs in a database, whoever began them: for those who operate the servers, which do the work. */
export async function manageRuns(options: RunsOptions) {
  const backend = await openBackend(options);
  const find = async (id: string) => {
    const isId = /^[\da-f-]{36}$/.test(id);
    const run = isId ? await backend.getWorkflowRun({ workflowRunId: id }) : null;
    return run?.workflowName === runWorkflow ? run : undefined;
  };
  return {
    /** The last runs, the newest first. */
    async list(limit: number): Promise<readonly Run[]> {
      const { data } = await backend.listWorkflowRuns({ workflowName: runWorkflow, limit });
      return Promise.all(data.map((run) => readRun(backend, run)));
    },
    async read(id: string): Promise<Run | undefined> {
      const run = await find(id);
      return run && readRun(backend, run);
    },
    /**
     * Begins a run with the inputs and the caller of one that failed or was cancelled. It continues at the step that
     * failed; if steps were undone, it begins anew.
     *
     * @returns Its id; undefined if the run has not failed.
     */
    async retry(id: string): Promise<string | undefined> {
      const run = await find(id);
      const read = run && (await readRun(backend, run));
      if (run === undefined || (read?.state !== 'failed' && read?.state !== 'cancelled')) return undefined;
      const { key: _, done: __, ...kept } = run.input as unknown as KeptRun;
      const left = await leftOf(backend, run, read);
      return (await createRun(backend, { ...kept, nonce: randomUUID(), ...left }, null)).id;
    },
    /**
     * Cancels a run; false if it has ended.
     *
     * @param undo - False ends it at once, also while it undoes its steps: what is done then stays done.
     */
    async cancel(id: string, undo: boolean): Promise<boolean> {
      const run = await find(id);
      if (run === undefined) return false;
      const isCancelled = await cancelRun(backend, run.id);
      if (undo || (await readRun(backend, run)).endedAt !== undefined) return isCancelled;
      await backend.cancelWorkflowRun({ workflowRunId: run.id });
      return true;
    },
    close: () => backend.stop(),
  };
}
