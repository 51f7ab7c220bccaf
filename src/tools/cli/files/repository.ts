import { type ExecFileException, execFile } from 'node:child_process';
import { isAbsolute, posix } from 'node:path';
import { createSuggester } from '../../../compiler/graph/suggest.js';
import { failure } from '../terminal/failure.js';
import type { CliIo } from '../terminal/io.js';

/** A commit, and its name as the user wrote it. */
export interface Revision {
  readonly name: string;
  readonly commit: string;
}

export interface TreeEntry {
  /** The object that holds its bytes. */
  readonly object: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** A git repository. All paths are relative to the directory of the command. */
export class Repository {
  readonly #blobs = new Map<string, Buffer>();

  /** @param prefix - The path from the root of the repository to the directory: empty, or with a final slash. */
  private constructor(
    private readonly io: GitIo,
    readonly prefix: string,
    private readonly isShallow: boolean,
  ) {}

  /** Opens the repository of a directory. @throws {CommandFailure} GG5020 outside of one, GG5021 if git fails. */
  static async open(io: GitIo): Promise<Repository> {
    const opened = await runGit(['rev-parse', '--is-shallow-repository', '--show-prefix'], io);
    if (!opened.ok && opened.reason.startsWith('not a git repository'))
      throw failure('GG5020', { directory: io.directory }, io.directory);
    const [shallow, ...rest] = required(opened).toString().split('\n');
    return new Repository(io, rest.join('\n').replace(/\n$/, ''), shallow === 'true');
  }

  resolve(revision: string): Promise<string | undefined> {
    return this.#find('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  }

  mergeBase(one: string, other: string): Promise<string | undefined> {
    return this.#find('merge-base', one, other);
  }

  /** The commit of a revision; throws a CommandFailure that explains why there is none (GG5022, GG5023). */
  async revision(name: string): Promise<Revision> {
    const commit = await this.resolve(name);
    if (commit !== undefined) return { name, commit };
    const { directory } = this.io;
    if ((await this.resolve('HEAD')) === undefined) throw failure('GG5022', { directory }, directory);
    const names = (await this.#ask('for-each-ref', '--format=%(refname:short)')).split('\n');
    const known = ['HEAD', ...names.filter((other) => other !== '')];
    // HEAD~1 fails because the history is too short, not because of a typo.
    const suggestion = /[~^@]/.test(name) ? undefined : createSuggester(known).nearest(name);
    throw failure('GG5023', { revision: name, suggestion, shallow: this.isShallow }, name);
  }

  async filesAt(commit: string): Promise<ReadonlyMap<string, TreeEntry>> {
    const listing = await this.#ask('ls-tree', '-r', '-l', '-z', '--full-tree', commit);
    const entries = new Map<string, TreeEntry>();
    for (const line of listing.split('\0')) {
      const [, mode, type, object, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      if (type !== 'blob' || object === undefined || path === undefined) continue;
      const local = this.prefix === '' ? path : posix.relative(`/${this.prefix}`, `/${path}`);
      entries.set(local, { object, size: Number(size), isLink: mode === '120000' });
    }
    return entries;
  }

  /** The bytes of objects, cached. */
  async read(objects: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = [...new Set(objects)].filter((object) => !this.#blobs.has(object));
    const input = wanted.map((object) => `${object}\n`).join('');
    const batch = required(await runGit(['cat-file', '--batch'], this.io, input));
    for (const [object, bytes] of splitBatch(batch)) this.#blobs.set(object, bytes);
    return this.#blobs;
  }

  /** The tags of the history of HEAD that match a pattern, in the order of their versions, with their days. */
  async tags(pattern: string) {
    // Before the first commit, the repository has neither history nor tags.
    if ((await this.resolve('HEAD')) === undefined) return [];
    const format = '--format=%(refname:strip=2)%09%(creatordate:short)';
    const args = ['--sort=version:refname', format, '--merged=HEAD', `refs/tags/${pattern}`];
    const lines = (await this.#ask('for-each-ref', ...args)).split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const [name = '', date = ''] = line.split('\t');
      return { name, date };
    });
  }

  /** The last commits of the history of HEAD that changed files of the repository, the newest first. */
  async log(paths: readonly string[], most: number) {
    const own = paths.filter((path) => !isAbsolute(path) && !posix.join(this.prefix, path).startsWith('../'));
    if (own.length === 0 || (await this.resolve('HEAD')) === undefined) return [];
    const args = [`--max-count=${most}`, '--encoding=UTF-8', '--format=%H%x09%ct%x09%s', '--', ...own];
    // File names are not patterns.
    const lines = (await this.#ask('--literal-pathspecs', 'log', ...args)).split('\n');
    return lines.flatMap((line) => {
      const [, commit, seconds, title = ''] = /^(\w+)\t(\d*)\t(.*)$/.exec(line) ?? [];
      // A commit may have any date, or none.
      const at = Math.min(Number(seconds) * 1000, latestTime);
      return commit === undefined ? [] : [{ commit, at, title }];
    });
  }

  /** The files below a folder in the working tree, without ignored ones. */
  async workingFiles(folder: string): Promise<readonly string[]> {
    const args = ['-z', '--cached', '--others', '--exclude-standard', '--', folder];
    const paths = (await this.#ask('ls-files', ...args)).split('\0');
    return [...new Set(paths.filter((path) => path !== ''))];
  }

  async #ask(...args: readonly string[]): Promise<string> {
    return required(await runGit(args, this.io)).toString();
  }

  async #find(...args: readonly string[]): Promise<string | undefined> {
    const found = await runGit(args, this.io);
    return found.ok ? found.stdout.toString().trim() : undefined;
  }
}

/** The last time that a `Date` can have (ECMA-262, “Time Values”). */
const latestTime = 8.64e15;

/** Parses the output of `git cat-file --batch`: repeated `<object> blob <size>\n<bytes>\n`. */
function* splitBatch(batch: Buffer): Iterable<readonly [object: string, bytes: Buffer]> {
  let at = 0;
  while (at < batch.length) {
    const end = batch.indexOf(0x0a, at);
    const [object = '', , size] = batch.subarray(at, end).toString('latin1').split(' ');
    at = end + 1;
    // A missing object has a line and no bytes.
    if (size === undefined) continue;
    yield [object, batch.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}

function required(answer: GitAnswer): Buffer {
  if (answer.ok) return answer.stdout;
  throw failure('GG5021', { reason: answer.reason }, 'git');
}

type GitIo = Pick<CliIo, 'directory' | 'env'>;

type GitAnswer = { readonly ok: true; readonly stdout: Buffer } | { readonly ok: false; readonly reason: string };

/**
 * Runs git without a shell. Callers put user input after `--` or `--end-of-options`, so that git never reads it
 * as an option. `input` is its standard input.
 */
function runGit(args: readonly string[], io: GitIo, input = ''): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const options = {
      cwd: io.directory,
      // Messages are matched in English; git must not prompt for a password.
      env: { ...io.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      encoding: 'buffer',
      maxBuffer: Number.POSITIVE_INFINITY,
    } as const;
    // These settings may name a program of the repository, or run one that it names; git must not run it.
    const safe = ['-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false'];
    const git = execFile('git', [...safe, ...args], options, (error, stdout, stderr) => {
      resolve(error === null ? { ok: true, stdout } : { ok: false, reason: reasonOf(error, stderr.toString()) });
    });
    // git may exit before it reads all input; its exit code counts then.
    git.stdin?.on('error', () => undefined);
    git.stdin?.end(input);
  });
}

function reasonOf({ code, message }: ExecFileException, stderr: string): string {
  if (code === 'ENOENT') return 'git is not installed';
  const line = stderr.split('\n').find((text) => text.trim() !== '');
  if (line !== undefined) return line.replace(/^fatal: /, '').replace(/\.$/, '');
  return typeof code === 'number' ? `exit code ${code}` : message;
}
