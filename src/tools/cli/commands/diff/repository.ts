import { posix } from 'node:path';
import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import { createSuggester } from '../../../../compiler/graph/suggest.js';
import { CommandFailure } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import { type GitAnswer, runGit } from './git.js';

export interface TreeEntry {
  /** The object that holds its bytes. */
  readonly object: string;
  readonly size: number;
  readonly isLink: boolean;
}

export interface Tag {
  readonly name: string;
  /** The day on which it was made, or its commit: `2026-01-31`. */
  readonly date: string;
}

/** A git repository. All paths are relative to the directory of the command. */
export class Repository {
  readonly #blobs = new Map<string, Buffer>();

  /** @param prefix - The path from the root of the repository to the directory: empty, or with a final slash. */
  private constructor(
    private readonly io: Pick<CliIo, 'directory' | 'env'>,
    readonly prefix: string,
    private readonly isShallow: boolean,
  ) {}

  /**
   * Opens the repository of a directory.
   *
   * @throws {CommandFailure} GG5020 outside of a repository, GG5021 when git is missing or fails.
   */
  static async open(io: Pick<CliIo, 'directory' | 'env'>): Promise<Repository> {
    const opened = await runGit(['rev-parse', '--is-shallow-repository', '--show-prefix'], io);
    if (!opened.ok && opened.reason.startsWith('not a git repository')) {
      throw new CommandFailure([diagnose('GG5020', { directory: io.directory }, wholeFile(io.directory))]);
    }
    const [shallow, ...rest] = textOf(required(opened)).split('\n');
    return new Repository(io, rest.join('\n').replace(/\n$/, ''), shallow === 'true');
  }

  resolve(revision: string): Promise<string | undefined> {
    return this.#find('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  }

  mergeBase(one: string, other: string): Promise<string | undefined> {
    return this.#find('merge-base', one, other);
  }

  async explainUnknown(revision: string): Promise<Diagnostic> {
    const { directory } = this.io;
    if ((await this.resolve('HEAD')) === undefined)
      return diagnose('GG5022', { directory }, wholeFile(directory));
    const names = (await this.#ask('for-each-ref', '--format=%(refname:short)')).split('\n');
    const known = ['HEAD', ...names.filter((name) => name !== '')];
    // HEAD~1 fails because the history is too short, not because of a typo.
    const suggestion = /[~^@]/.test(revision) ? undefined : createSuggester(known).nearest(revision);
    return diagnose('GG5023', { revision, suggestion, shallow: this.isShallow }, wholeFile(revision));
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

  /** The tags of the history of HEAD that match a pattern, in the order of their versions. */
  async tags(pattern: string): Promise<readonly Tag[]> {
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

  /** The files below a folder in the working tree, without ignored ones. */
  async workingFiles(folder: string): Promise<readonly string[]> {
    const args = ['-z', '--cached', '--others', '--exclude-standard', '--', folder];
    return [...new Set(await this.#list('ls-files', ...args))];
  }

  async #ask(...args: readonly string[]): Promise<string> {
    return textOf(required(await runGit(args, this.io)));
  }

  async #list(...args: readonly string[]): Promise<readonly string[]> {
    return (await this.#ask(...args)).split('\0').filter((path) => path !== '');
  }

  async #find(...args: readonly string[]): Promise<string | undefined> {
    const found = await runGit(args, this.io);
    return found.ok ? textOf(found.stdout).trim() : undefined;
  }
}

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
  throw new CommandFailure([diagnose('GG5021', { reason: answer.reason }, wholeFile('git'))]);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
