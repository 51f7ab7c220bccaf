import { constants } from 'node:os';
import { flushTelemetry } from '../../base/tracing/process-state.js';
import { initSvcTracingFromEnv } from '../../base/tracing/start-tracing.js';
import { initSvcMetricsFromEnv } from '../../base/tracing/svc-metrics.js';
import { run } from './main.js';
import { exitCodes } from './terminal/io.js';

/** Whether some of the output is lost. A server goes on. */
let isOutputLost = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A closed pipe (`gg-svc … | head`) is not an error.
    if (code === 'EPIPE' || isOutputLost) return;
    isOutputLost = true;
    process.stderr.write(`error: Cannot write the output: ${message}.\n`);
  });
}

// First, so that spans cover everything.
initSvcTracingFromEnv();
initSvcMetricsFromEnv();

const exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  readStdin,
  ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined,
  env: process.env,
  directory: process.cwd(),
  packageRoot: new URL('../../../', import.meta.url),
  // `isTTY` is undefined without a terminal, although its type is boolean.
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  // Some terminals say 0: they do not know their width.
  stdoutColumns: process.stdout.columns || undefined,
  stderrColumns: process.stderr.columns || undefined,
  clock: () => performance.now(),
  onStop,
  onUnhandledRejection,
});

await flushTelemetry();

// An explicit exit, because timers or connections of a resolvers module may keep the process alive. A slow
// reader gets the rest of the output first.
await Promise.all([flush(process.stdout), flush(process.stderr)]);
process.exit(isOutputLost ? exitCode || exitCodes.findings : exitCode);

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

async function readStdin(limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks);
}

/** Reads one line; undefined when the user presses Ctrl-C or Ctrl-D. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const canceled = new Promise<undefined>((resolve) => {
    terminal.on('close', () => {
      process.stdout.write('\n');
      resolve(undefined);
    });
  });
  const answer = await Promise.race([terminal.question(question), canceled]);
  terminal.removeAllListeners('close').close();
  return answer;
}

/** The first signal starts a graceful shutdown; the second one ends the process at once. */
function onStop(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let asked = false;
  const listen = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(128 + constants.signals[signal]);
    asked = true;
    stop();
  };
  for (const signal of signals) process.on(signal, listen);
  return () => {
    for (const signal of signals) process.off(signal, listen);
  };
}

function onUnhandledRejection(report: (reason: unknown) => void): () => void {
  process.on('unhandledRejection', report);
  return () => process.off('unhandledRejection', report);
}
