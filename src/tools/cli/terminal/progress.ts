import type { CliIo } from './io.js';

/** How long work may take before its progress is shown, and how often that changes, in milliseconds. */
const silence = 1_000;
const beat = 250;

/**
 * Runs work, and shows on a terminal that it goes on: what it does and for how long, in a line of standard error that makes
 * room for other output. Anything but a terminal gets nothing.
 */
export async function withProgress<T>(doing: string, io: CliIo, work: (io: CliIo) => Promise<T>): Promise<T> {
  if (!io.stderrIsTerminal || io.env.TERM === 'dumb') return work(io);
  const start = io.clock();
  let isShown = false;
  const clear = (): void => {
    if (isShown) io.stderr('\r\u001b[K');
    isShown = false;
  };
  const show = (): void => {
    clear();
    const line = `${doing}… ${Math.floor((io.clock() - start) / 1_000)} s`;
    io.stderr(line.slice(0, (io.stderrColumns ?? 80) - 1));
    isShown = true;
  };
  let timer: NodeJS.Timeout = setTimeout(() => {
    show();
    timer = setInterval(show, beat);
  }, silence);
  const clearing = (write: CliIo['stdout']) => (text: string) => {
    clear();
    write(text);
  };
  try {
    return await work({ ...io, stdout: clearing(io.stdout), stderr: clearing(io.stderr) });
  } finally {
    clearInterval(timer);
    clear();
  }
}
