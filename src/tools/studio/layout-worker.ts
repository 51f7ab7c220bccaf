// The module of the layout thread.

import { parentPort } from 'node:worker_threads';
import { computeLayout, type LayoutJob, type LayoutResult } from './layout-thread.js';

parentPort?.on('message', async ({ id, dot, effort }: LayoutJob) => {
  const answer = (result: LayoutResult) => parentPort?.postMessage(result);
  try {
    answer({ id, layout: await computeLayout(dot, effort) });
  } catch (error) {
    answer({ id, problem: String(error) });
  }
});
