import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { run } from '../../../src/tools/cli/main.js';
import type { CliIo } from '../../../src/tools/cli/terminal/io.js';
import { afterFile } from '../../after-file.js';

/** What a run of the command line left behind. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The repository, with a final slash. */
export const repository = new URL('../../../', import.meta.url);

/** A fresh directory that is gone after the tests of the file, holding the given files. */
export function directoryWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-cli-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return directory;
}

/** Ends servers. */
export async function endServers(servers: { readonly stop: () => Promise<unknown> }[]): Promise<void> {
  for (const { stop } of servers.splice(0)) await stopAtOnce(stop);
}

/**
 * Stops a server without waiting: the clock passes the second in which it still serves, so that load balancers notice its
 * end, and the time in which clients may send another request.
 */
export async function stopAtOnce<Result>(stop: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const stopped = stop();
    await vi.advanceTimersByTimeAsync(1_000 + 500);
    return await stopped;
  } finally {
    vi.useRealTimers();
  }
}

/** Runs the command line in this process; everything that it writes is kept. */
export async function runCli(args: readonly string[], overrides: Partial<CliIo> = {}): Promise<RunResult> {
  const written = { stdout: '', stderr: '' };
  const code = await run(args, {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    readStdin: () => Promise.resolve(new Uint8Array()),
    ask: undefined,
    env: {},
    directory: tmpdir(),
    packageRoot: repository,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    clock: () => 0,
    onStop: () => () => undefined,
    onUnhandledRejection: () => () => undefined,
    ...overrides,
  });
  return { code, ...written };
}
