#!/usr/bin/env node
import { constants } from 'node:os';
import { flushTracing, initSvcTracingFromEnv } from '../tracing/svc-tracing.js';
import { run } from './main.js';

// A reader that goes away, such as `head`, is no reason to complain; what is left is written nowhere.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Before anything else, so that a trace has all of it.
initSvcTracingFromEnv();

const exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  readStdin,
  ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined,
  env: process.env,
  directory: process.cwd(),
  packageRoot: new URL('../../', import.meta.url),
  // Undefined where there is no terminal, whatever the types say.
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  clock: () => performance.now(),
  onStop,
  onStray,
});

await flushTracing();

// A resolvers module may hold the process open with timers or connections of its own; the work is done
// all the same. What is still on its way to a slow reader has to arrive first.
await Promise.all([arrival(process.stdout), arrival(process.stderr)]);
process.exit(exitCode);

function arrival(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads one line. Whoever breaks off with Ctrl-C or Ctrl-D gives no answer. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const brokenOff = new Promise<undefined>((resolve) => {
    terminal.on('close', () => {
      process.stdout.write('\n');
      resolve(undefined);
    });
  });
  const answer = await Promise.race([terminal.question(question), brokenOff]);
  terminal.removeAllListeners('close').close();
  return answer;
}

/** The first signal asks for a graceful end; a second one ends the process as if nobody listened. */
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

function onStray(report: (reason: unknown) => void): () => void {
  process.on('unhandledRejection', report);
  return () => process.off('unhandledRejection', report);
}
