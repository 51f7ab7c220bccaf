import { spawn } from 'node:child_process';
import type { CliIo } from '../../terminal/io.js';

/** What came of one run of git: all that it wrote, or why it failed, as the end of a sentence. */
export type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs git, without a shell. Whoever puts together the arguments keeps words of users behind `--` or
 * `--end-of-options`, so that none is taken for an option.
 *
 * @param input what git reads from standard input
 */
export function runGit(
  args: readonly string[],
  io: Pick<CliIo, 'directory' | 'env'>,
  input = '',
): Promise<GitAnswer> {
  return new Promise((resolve) => {
    // A hook of the repository that watches files is a program of somebody else; nothing here needs it.
    const git = spawn('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: io.directory,
      // Messages are looked at, so they must be in one language; nobody is there to type a password.
      env: { ...io.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    git.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    git.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    git.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ok: false, reason: error.code === 'ENOENT' ? 'it is not installed' : error.message });
    });
    git.on('close', (code) => {
      if (code === 0) resolve({ ok: true, stdout: Buffer.concat(stdout) });
      else resolve({ ok: false, reason: reasonIn(Buffer.concat(stderr).toString('utf8'), code) });
    });
    // Git may end before it has read everything; what it says then is what counts.
    git.stdin.on('error', () => undefined);
    git.stdin.end(input);
  });
}

function reasonIn(stderr: string, code: number | null): string {
  const line = stderr.split('\n').find((text) => text.trim() !== '');
  return line === undefined ? `it ended with ${code}` : line.replace(/^fatal: /, '').replace(/\.$/, '');
}
