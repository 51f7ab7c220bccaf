import { spawn } from 'node:child_process';
import type { CliIo } from '../../terminal/io.js';

export type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs git without a shell. Callers put user input after `--` or `--end-of-options`, so that git never reads it
 * as an option.
 *
 * @param input - The standard input of git.
 */
export function runGit(
  args: readonly string[],
  io: Pick<CliIo, 'directory' | 'env'>,
  input = '',
): Promise<GitAnswer> {
  return new Promise((resolve) => {
    // `core.fsmonitor` may name a program of the repository; git must not run it.
    const git = spawn('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: io.directory,
      // Messages are matched in English; git must not prompt for a password.
      env: { ...io.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    git.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    git.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    git.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ok: false, reason: error.code === 'ENOENT' ? 'git is not installed' : error.message });
    });
    git.on('close', (code) => {
      if (code === 0) resolve({ ok: true, stdout: Buffer.concat(stdout) });
      else resolve({ ok: false, reason: reasonIn(Buffer.concat(stderr).toString('utf8'), code) });
    });
    // git may exit before it reads all input; its exit code counts then.
    git.stdin.on('error', () => undefined);
    git.stdin.end(input);
  });
}

function reasonIn(stderr: string, code: number | null): string {
  const line = stderr.split('\n').find((text) => text.trim() !== '');
  return line === undefined ? `exit code ${code}` : line.replace(/^fatal: /, '').replace(/\.$/, '');
}
