import { Worker } from 'node:worker_threads';
import type { LayoutEffort } from '../../analysis/diagram/drawing.js';

export interface LayoutJob {
  readonly id: number;
  readonly dot: string;
  readonly effort: LayoutEffort;
}

/** The layout of a job, or why there is none. */
export type LayoutResult =
  | { readonly id: number; readonly layout: object }
  | { readonly id: number; readonly problem: string };

export async function computeLayout(dot: string, effort: LayoutEffort): Promise<object> {
  const { instance } = await import('@viz-js/viz');
  return (await instance()).renderJSON(dot, { graphAttributes: effort });
}

/**
 * Graphviz in a thread of its own, because a large layout takes seconds. The thread starts with the first layout. If it
 * cannot be started, layouts are computed in this one.
 */
export class LayoutThread {
  #current: RunningThread | undefined;
  #isUsable = true;
  #last = 0;

  /** @param module - The module of the thread, `layout-worker.ts`. */
  constructor(private readonly module: URL) {}

  /** Computes a layout. Rejects if the thread ends before. */
  async layout(dot: string, effort: LayoutEffort): Promise<object> {
    if (!this.#isUsable) return computeLayout(dot, effort);
    this.#current ??= new RunningThread(this.module, (ended) => {
      if (this.#current === ended) this.#current = undefined;
    });
    const thread = this.#current;
    this.#last += 1;
    try {
      return await thread.run({ id: this.#last, dot, effort });
    } catch (error) {
      if (thread.hasStarted) throw error;
      this.#isUsable = false;
      return computeLayout(dot, effort);
    }
  }

  /** Ends the thread and the layouts in progress. The next layout starts another. */
  end(): void {
    this.#current?.end();
  }
}

class RunningThread {
  /** Whether its module was loaded. */
  hasStarted = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(layout: object): void; reject(error: Error): void }>();

  constructor(
    module: URL,
    private readonly onEnd: (thread: RunningThread) => void,
  ) {
    this.#worker = new Worker(module, { stdout: true });
    this.#worker.on('message', (result: LayoutResult) => {
      this.hasStarted = true;
      const job = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if ('layout' in result) job?.resolve(result.layout);
      else job?.reject(new Error(result.problem));
    });
    this.#worker.on('error', (error: Error) => this.#stop(error));
    this.#worker.on('exit', () => this.#stop(new Error('The layout thread has ended.')));
    this.#worker.unref();
  }

  run(job: LayoutJob): Promise<object> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.id, { resolve, reject });
      this.#worker.postMessage(job);
    });
  }

  end(): void {
    this.hasStarted = true;
    this.#stop(new Error('The layout thread was ended.'));
    void this.#worker.terminate();
  }

  #stop(error: Error): void {
    this.onEnd(this);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
