import { Worker } from 'node:worker_threads';
import type { LayoutEffort } from '../../analysis/diagram/layout.js';

export interface LayoutJob {
  readonly id: number;
  readonly dot: string;
  readonly effort: LayoutEffort;
}

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
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, { resolve(layout: object): void; reject(error: Error): void }>();
  #isUsable = true;
  #last = 0;

  /** @param module - The module of the thread, `layout-worker.ts`. */
  constructor(private readonly module: URL) {}

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Computes a layout. Rejects if the thread ends before. */
  async layout(dot: string, effort: LayoutEffort): Promise<object> {
    if (!this.#isUsable) return computeLayout(dot, effort);
    try {
      return await new Promise((resolve, reject) => {
        this.#last += 1;
        this.#waiting.set(this.#last, { resolve, reject });
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id: this.#last, dot, effort } satisfies LayoutJob);
      });
    } catch (error) {
      if (this.#isUsable) throw error;
      return computeLayout(dot, effort);
    }
  }

  /** Ends the thread and the layouts in progress. The next layout starts another. */
  end(): void {
    void this.#worker?.terminate();
    this.#stop(new Error('The layout thread was ended.'));
  }

  #start(): Worker {
    const worker = new Worker(this.module, { stdout: true });
    let hasAnswered = false;
    const hasEnded = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#isUsable = hasAnswered;
      this.#stop(error);
    };
    worker.on('message', (result: LayoutResult) => {
      hasAnswered = true;
      const job = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if ('layout' in result) job?.resolve(result.layout);
      else job?.reject(new Error(result.problem));
    });
    worker.on('error', hasEnded);
    worker.on('exit', () => hasEnded(new Error('The layout thread has ended.')));
    worker.unref();
    return worker;
  }

  #stop(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
