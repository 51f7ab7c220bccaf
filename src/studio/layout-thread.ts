import { Worker } from 'node:worker_threads';
import type { LayoutEffort } from '../diagram/drawing.js';

/** A layout to compute. */
export interface LayoutJob {
  readonly id: number;
  readonly dot: string;
  readonly effort: LayoutEffort;
}

/** The layout of a job, or why there is none. */
export type LayoutResult =
  | { readonly id: number; readonly layout: object }
  | { readonly id: number; readonly problem: string };

/** Graphviz in a thread of its own, because a large layout takes seconds. The thread starts with the first layout. */
export interface LayoutThread {
  /** Computes a layout. Rejects if the thread ends before. */
  layout(dot: string, effort: LayoutEffort): Promise<object>;
  /** Ends the thread and the layouts in progress. The next layout starts another. */
  end(): void;
}

/** Computes a layout in this thread. */
export async function computeLayout(dot: string, effort: LayoutEffort): Promise<object> {
  const { instance } = await import('@viz-js/viz');
  return (await instance()).renderJSON(dot, { graphAttributes: effort });
}

/** Creates a layout thread from its module. If the thread cannot be started, layouts are computed in this one. */
export function createLayoutThread(module: URL): LayoutThread {
  let current: Thread | undefined;
  let isUsable = true;
  let last = 0;
  return {
    async layout(dot, effort) {
      if (!isUsable) return computeLayout(dot, effort);
      current ??= startThread(module, (thread) => {
        if (current === thread) current = undefined;
      });
      const thread = current;
      last += 1;
      try {
        return await thread.run({ id: last, dot, effort });
      } catch (error) {
        if (thread.hasStarted()) throw error;
        isUsable = false;
        return computeLayout(dot, effort);
      }
    },
    end() {
      current?.end();
    },
  };
}

interface Thread {
  run(job: LayoutJob): Promise<object>;
  /** Whether its module was loaded. */
  hasStarted(): boolean;
  end(): void;
}

function startThread(module: URL, onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(module, { stdout: true });
  const waiting = new Map<number, { resolve(layout: object): void; reject(error: Error): void }>();
  let hasStarted = false;
  const stop = (error: Error): void => {
    onEnd(thread);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (result: LayoutResult) => {
    hasStarted = true;
    const job = waiting.get(result.id);
    waiting.delete(result.id);
    if ('layout' in result) job?.resolve(result.layout);
    else job?.reject(new Error(result.problem));
  });
  worker.on('error', stop);
  worker.on('exit', () => stop(new Error('The layout thread has ended.')));
  worker.unref();
  const thread: Thread = {
    run: (job) =>
      new Promise((resolve, reject) => {
        waiting.set(job.id, { resolve, reject });
        worker.postMessage(job);
      }),
    hasStarted: () => hasStarted,
    end() {
      hasStarted = true;
      stop(new Error('The layout thread was ended.'));
      void worker.terminate();
    },
  };
  return thread;
}
