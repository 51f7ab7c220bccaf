import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a Node program to its end and answers how long that took, in nanoseconds. */
export function timeProcess(args: readonly string[], directory: string): number {
  const start = process.hrtime.bigint();
  run(args, directory, {});
  return Number(process.hrtime.bigint() - start);
}

/**
 * Runs a Node program to its end and answers the most memory that it or a Node process of its making
 * had at a time, in bytes. A hook in each process notes it on leaving.
 */
export function peakMemory(args: readonly string[], directory: string, hook: string): number {
  const notes = join(directory, 'peaks');
  rmSync(notes, { recursive: true, force: true });
  mkdirSync(notes);
  run(args, directory, { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, GG_BENCH_PEAKS: notes });
  const peaks = readdirSync(notes).map((name) => Number(readFileSync(join(notes, name), 'utf8')));
  if (peaks.length === 0) throw new Error('invariant: the process left no note of its memory');
  return Math.max(...peaks);
}

/** Runs a Node program to its end and answers what it wrote. */
export function runForOutput(args: readonly string[]): string {
  return run(args, process.cwd(), {}).trim();
}

function run(args: readonly string[], cwd: string, extra: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...extra },
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}
