import { posix } from 'node:path';
import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import { createSuggester } from '../../../graph/suggest.js';
import type { CliIo } from '../../terminal/io.js';
import { type GitAnswer, runGit } from './git.js';

/** One file of a revision. */
export interface TreeEntry {
  /** The object that holds its bytes. */
  readonly object: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** A git repository, looked at from a directory: all paths are relative to that. */
export interface Repository {
  /** The way from the top of the repository to the directory: empty, or with a final slash. */
  readonly prefix: string;
  /** The commit that a revision stands for; undefined when there is none. */
  readonly resolve: (revision: string) => Promise<string | undefined>;
  /** The commit at which two commits parted. */
  readonly mergeBase: (one: string, other: string) => Promise<string | undefined>;
  /** Why a revision is none. */
  readonly explainUnknown: (revision: string) => Promise<Diagnostic>;
  /** The files of a commit by their paths. */
  readonly filesAt: (commit: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** The bytes of objects; each is read once. */
  readonly read: (objects: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
  /** The paths of a commit that match a pattern. */
  readonly match: (commit: string, pattern: string) => Promise<readonly string[]>;
  /** The files below a folder as they are now, those that git ignores left out. */
  readonly workingFiles: (folder: string) => Promise<readonly string[]>;
}

/** Why nothing can be compared: one finding, with which the command ends. */
export class DiffFailure extends Error {
  override readonly name = 'DiffFailure';

  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/**
 * Opens the repository that the directory of the command is in.
 *
 * @throws {DiffFailure} GG5020 outside of a repository, GG5021 where git cannot be had or refuses.
 */
export async function openRepository(io: Pick<CliIo, 'directory' | 'env'>): Promise<Repository> {
  const ask = async (...args: readonly string[]) => textOf(required(await runGit(args, io)));
  const opened = await runGit(['rev-parse', '--is-shallow-repository', '--show-prefix'], io);
  if (!opened.ok && opened.reason.startsWith('not a git repository')) {
    throw new DiffFailure(diagnose('GG5020', { directory: io.directory }, whole(io.directory)));
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
      // Of HEAD~1 the name is known and its history too short, so no other name is what was meant.
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
    async workingFiles(folder) {
      const listing = await ask('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', folder);
      return [...new Set(listing.split('\0').filter((path) => path !== ''))];
    },
  };
}

/** `<object> blob <size>\n<bytes>\n`, over and over. */
function* splitBatch(batch: Buffer): Iterable<readonly [object: string, bytes: Buffer]> {
  let at = 0;
  while (at < batch.length) {
    const end = batch.indexOf(0x0a, at);
    const [object = '', , size] = batch.subarray(at, end).toString('latin1').split(' ');
    at = end + 1;
    // An object that is not there has a line and no bytes.
    if (size === undefined) continue;
    yield [object, batch.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}

function required(answer: GitAnswer): Buffer {
  if (answer.ok) return answer.stdout;
  throw new DiffFailure(diagnose('GG5021', { reason: answer.reason }, whole('git')));
}

/** A path from the top of the repository as a path from the directory. */
function fromTop(prefix: string, path: string): string {
  return prefix === '' ? path : posix.relative(`/${prefix}`, `/${path}`);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function whole(file: string): Diagnostic['span'] {
  return { file, start: 0, end: 0 };
}
