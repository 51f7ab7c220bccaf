import { Worker } from 'node:worker_threads';
import type { CliIo } from './io.js';

/**
 * Runs work, and shows on a terminal that it goes on: what it does and for how long, in a line of standard error that makes
 * room for other output. Anything but a terminal gets nothing. A thread writes the line, because work such as compiling
 * leaves timers of its own thread no time.
 *
 * @param fd the file of standard error
 * @param silence how long work may take before its progress is shown, in milliseconds
 */
export async function withProgress<T>(
  doing: string,
  io: CliIo,
  work: (io: CliIo) => Promise<T>,
  fd = 2,
  silence = 1_000,
): Promise<T> {
  if (!io.stderrIsTerminal || io.env.TERM === 'dumb') return work(io);
  // Whether a thread is writing, and whether the line is shown.
  const state = new Int32Array(new SharedArrayBuffer(8));
  const columns = io.stderrColumns ?? 80;
  const workerData = { doing, columns, fd, silence, state, start: Date.now() };
  const worker = new Worker(lineWriter, { eval: true, workerData });
  worker.unref();
  const takeTurn = (): void => {
    while (Atomics.compareExchange(state, 0, 0, 1) !== 0) Atomics.wait(state, 0, 1, 1);
    if (state[1] === 1) io.stderr('\r\u001b[K');
    state[1] = 0;
  };
  const clearing = (write: CliIo['stdout']) => (text: string) => {
    takeTurn();
    write(text);
    Atomics.store(state, 0, 0);
  };
  try {
    return await work({ ...io, stdout: clearing(io.stdout), stderr: clearing(io.stderr) });
  } finally {
    // The turn is not given back, so that nothing follows.
    takeTurn();
    await worker.terminate();
  }
}

/** The program of the thread. It stands here as text: the package has no file for it. */
const lineWriter = `
const { writeSync } = require('node:fs');
const { doing, columns, fd, silence, state, start } = require('node:worker_threads').workerData;
const show = () => {
  if (Atomics.compareExchange(state, 0, 0, 1) !== 0) return;
  const line = doing + '… ' + Math.floor((Date.now() - start) / 1000) + ' s';
  try {
    writeSync(fd, (state[1] === 1 ? '\\r\\u001b[K' : '') + line.slice(0, columns - 1));
    state[1] = 1;
  } catch {
    // A full terminal gets the next line.
  }
  Atomics.store(state, 0, 0);
};
setTimeout(() => {
  show();
  setInterval(show, 250);
}, Math.max(0, start + silence - Date.now()));
`;
