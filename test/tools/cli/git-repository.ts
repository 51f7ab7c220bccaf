import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '../../after-file.js';
import { directoryWith } from './stand-in-io.js';

const settings = {
  'user.name': 'A',
  'user.email': 'a@example.com',
  'commit.gpgsign': 'false',
  // It would start another process after each commit.
  'maintenance.auto': 'false',
};
const identity = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Runs git in a directory. */
export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Makes a directory a repository, without a commit. */
export function initialize(directory: string): void {
  git(directory, 'init', '--quiet', '--initial-branch=main', '--template=');
}

/** Commits everything in a directory. */
export function commit(directory: string, message: string): void {
  git(directory, 'add', '--all');
  git(directory, 'commit', '--allow-empty', '--quiet', '--message', message);
}

const repositories = new Map<string, string>();

/** A repository with one commit of such files, on the branch `main`. Those with the same files are copies of the first. */
export function repositoryWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = directoryWith(files);
  const key = JSON.stringify(
    Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
  );
  const made = repositories.get(key);
  if (made !== undefined) {
    cpSync(made, join(directory, '.git'), { recursive: true });
    return directory;
  }
  initialize(directory);
  commit(directory, 'a state');
  // The test may change the repository that it gets.
  const copy = join(directoryWith(), '.git');
  cpSync(join(directory, '.git'), copy, { recursive: true });
  if (repositories.size === 0) afterFile(() => repositories.clear());
  repositories.set(key, copy);
  return directory;
}
