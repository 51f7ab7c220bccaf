import { posix } from 'node:path';
import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import { createSuggester } from '../../../graph/suggest.js';
import { CommandFailure } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import { type GitAnswer, runGit } from './git.js';

/** One file of a revision. */
export interface TreeEntry {
  /** The object that holds its bytes. */
  readonly object: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** A tag of a commit. */
export interface Tag {
  readonly name: string;
  /** The day on which it was made, or its commit: `2026-01-31`. */
  readonly date: string;
}

/** A git repository. All paths are relative to the directory of the command. */
export interface Repository {
  /** The path from the root of the repository to the directory: empty, or with a final slash. */
  readonly prefix: string;
  readonly resolve: (revision: string) => Promise<string | undefined>;
  readonly mergeBase: (one: string, other: string) => Promise<string | undefined>;
  readonly explainUnknown: (revision: string) => Promise<Diagnostic>;
  readonly filesAt: (commit: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** The bytes of objects, cached. */
  readonly read: (objects: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
  readonly match: (commit: string, pattern: string) => Promise<readonly string[]>;
  /** The tags of the history of HEAD that match a pattern, in the order of their versions. */
  readonly tags: (pattern: string) => Promise<readonly Tag[]>;
  /** The files below a folder in the working tree, without ignored ones. */
  readonly workingFiles: (folder: string) => Promise<readonly string[]>;
}

/**
 * Opens the repository of a directory.
 *
 * @throws {CommandFailure} GG5020 outside of a repository, GG5021 when git is missing or fails.
 */
export async function openRepository(io: Pick<CliIo, 'directory' | 'env'>): Promise<Repository> {
  const ask = async (...args: readonly string[]) => textOf(required(await runGit(args, io)));
  const opened = await runGit(['rev-parse', '--is-shallow-repository', '--show-prefix'], io);
  if (!opened.ok && opened.reason.startsWith('not a git repository')) {
    throw new CommandFailure([diagnose('GG5020', { directory: io.directory }, whole(io.directory))]);
  }
  const [shallow = '', ...rest] = textOf(required(opened)).split('\n');
  const prefix = rest.join('\n').replace(/\n$/, '');
  const blobs = new Map<string, Buffer>();

  const resolve = async (revision: string): Promise<string | undefined> => {
    const verified = await runGit(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
      io,
    );
    return verified.ok ? textOf(verified.stdout).trim() : undefined;
  };
  return {
    prefix,
    resolve,
    async mergeBase(one, other) {
      const found = await runGit(['merge-base', one, other], io);
      return found.ok ? textOf(found.stdout).trim() : undefined;
    },
    async explainUnknown(revision) {
      if ((await resolve('HEAD')) === undefined) {
        return diagnose('GG5022', { directory: io.directory }, whole(io.directory));
      }
      const names = (await ask('for-each-ref', '--format=%(refname:short)')).split('\n');
      const known = ['HEAD', ...names.filter((name) => name !== '')];
      // HEAD~1 fails because the history is too short, not because of a typo.
      const suggestion = /[~^@]/.test(revision) ? undefined : createSuggester(known).nearest(revision);
      const params = { revision, suggestion, shallow: shallow === 'true' };
      return diagnose('GG5023', params, whole(revision));
    },
    async filesAt(commit) {
      const listing = await ask('ls-tree', '-r', '-l', '-z', '--full-tree', commit);
      const entries = new Map<string, TreeEntry>();
      for (const line of listing.split('\0')) {
        const [, mode, type, object, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
        if (type !== 'blob' || object === undefined || path === undefined) continue;
        entries.set(fromTop(prefix, path), { object, size: Number(size), isLink: mode === '120000' });
      }
      return entries;
    },
    async read(objects) {
      const wanted = [...new Set(objects)].filter((object) => !blobs.has(object));
      const batch = required(
        await runGit(['cat-file', '--batch'], io, wanted.map((object) => `${object}\n`).join('')),
      );
      for (const [object, bytes] of splitBatch(batch)) blobs.set(object, bytes);
      return blobs;
    },
    async match(commit, pattern) {
      const listing = await ask('ls-files', '-z', `--with-tree=${commit}`, '--', `:(glob)${pattern}`);
      return listing.split('\0').filter((path) => path !== '');
    },
    async tags(pattern) {
      const format = '%(refname:strip=2)%09%(creatordate:short)';
      const order = '--sort=version:refname';
      // Without a commit there is no history, and no tag belongs to it.
      if ((await resolve('HEAD')) === undefined) return [];
      const listing = await ask(
        'for-each-ref',
        order,
        `--format=${format}`,
        '--merged=HEAD',
        `refs/tags/${pattern}`,
      );
      return listing
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [name = '', date = ''] = line.split('\t');
          return { name, date };
        });
    },
    async workingFiles(folder) {
      const listing = await ask('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder);
      return [...new Set(listing.split('\0').filter((path) => path !== ''))];
    },
  };
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
  throw new CommandFailure([diagnose('GG5021', { reason: answer.reason }, whole('git'))]);
}

/** Converts a path relative to the root of the repository to one relative to the directory. */
function fromTop(prefix: string, path: string): string {
  return prefix === '' ? path : posix.relative(`/${prefix}`, `/${path}`);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function whole(file: string): Diagnostic['span'] {
  return { file, start: 0, end: 0 };
}
