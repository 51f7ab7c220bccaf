import { isAbsolute, relative, resolve, sep } from 'node:path';
import { diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import { wholeFile } from '../../../../base/source/span.js';
import { isPattern } from '../../../../runtime/load/globs.js';
import { CommandFailure, UsageError } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';
import type { Repository } from './repository.js';
import { readWorkingTree } from './working-tree.js';

export interface SideRequest {
  /** The commit and its name; undefined for the working tree. */
  readonly revision: { readonly name: string; readonly commit: string } | undefined;
}

export type DiffRequest =
  | {
      readonly kind: 'paths';
      readonly before: SideRequest;
      readonly after: SideRequest;
      readonly paths: readonly string[];
    }
  | {
      readonly kind: 'places';
      readonly before: SideRequest & { readonly path: string };
      readonly after: SideRequest & { readonly path: string };
    };

/**
 * Interprets the operands: revisions first, then paths. Operands after `--` are always paths. Two paths without a
 * revision are compared with each other.
 *
 * @param repository - Opens the repository; not called to compare two files, which works without git.
 * @throws {UsageError} When the operands contradict each other.
 * @throws {CommandFailure} When a revision cannot be read.
 */
export async function readOperands(
  operands: readonly string[],
  pathOperands: readonly string[],
  repository: () => Promise<Repository>,
  io: CliIo,
): Promise<DiffRequest> {
  const working = readWorkingTree('', undefined, io);
  // The names of branches may have parentheses, as in `fix(api)`.
  const isPath = (word: string) =>
    working.kindOf(word) !== undefined || (isPattern(word) && /[*?[{]/.test(word));
  const local = (path: string) => toLocal(path, io.directory);
  const dashed = pathOperands.length > 0;

  if (!dashed && operands.length === 2) {
    const places = await Promise.all(operands.map((word) => readPlace(word, isPath, repository, io)));
    const [before, after] = places;
    if (before !== undefined && after !== undefined) return { kind: 'places', before, after };
  }
  const range = await readRange(operands, isPath, repository);
  const revisions = range?.revisions ?? (await readRevisions(operands, dashed, isPath, repository));
  const rest = range === undefined ? operands.slice(revisions.length) : operands.slice(1);
  for (const word of rest) if (!isPath(word) && !isPattern(word)) throw misplaced(word, dashed);
  if (revisions.length === 0 && rest.length > 2) {
    throw new UsageError(
      'Cannot compare more than two files with each other; pass a revision first, such as HEAD.',
    );
  }
  const [before = { name: 'HEAD', commit: (await commitOf(await repository(), 'HEAD')).commit }, after] =
    revisions;
  const paths = [...rest, ...pathOperands].map(local);
  return {
    kind: 'paths',
    before: { revision: before },
    after: { revision: after },
    paths: paths.length === 0 ? ['.'] : paths,
  };
}

type Revision = NonNullable<SideRequest['revision']>;

/** A path, or `revision:path`; undefined for anything else, such as a revision. */
async function readPlace(
  word: string,
  isPath: (word: string) => boolean,
  repository: () => Promise<Repository>,
  io: CliIo,
): Promise<(SideRequest & { readonly path: string }) | undefined> {
  if (isPath(word)) {
    // An operand that is also a revision is reported by readRevisions.
    return { revision: undefined, path: toLocal(word, io.directory) };
  }
  const [, name, path] = /^([^:]+):(.+)$/.exec(word) ?? [];
  if (name === undefined || path === undefined) return undefined;
  const opened = await repository();
  const commit = await opened.resolve(name);
  if (commit === undefined) throw new CommandFailure([await opened.explainUnknown(name)]);
  // gitrevisions(7): the path is relative to the root of the repository unless it starts with ./ or ../
  const fromHere = path.startsWith('./') || path.startsWith('../');
  const up = '../'.repeat(opened.prefix.split('/').length - 1);
  return { revision: { name, commit }, path: toLocal(fromHere ? path : `${up}${path}`, io.directory) };
}

/** `a..b`, or `a...b` for the changes of b since the merge base; an omitted side is HEAD. */
async function readRange(
  operands: readonly string[],
  isPath: (word: string) => boolean,
  repository: () => Promise<Repository>,
): Promise<{ readonly revisions: readonly Revision[] } | undefined> {
  const [first = ''] = operands;
  const [, one, dots, other] = /^(.*?)(\.{2,3})(.*)$/.exec(first) ?? [];
  // `..` may also be a path segment.
  if (dots === undefined || /(^|\/)\.\.(\/|$)/.test(first) || isPath(first)) return undefined;
  const opened = await repository();
  const before = await commitOf(opened, one || 'HEAD');
  const after = await commitOf(opened, other || 'HEAD');
  if (dots === '..') return { revisions: [before, after] };
  const commit = await opened.mergeBase(before.commit, after.commit);
  if (commit !== undefined) return { revisions: [{ name: commit.slice(0, 10), commit }, after] };
  const reason = `${before.name} and ${after.name} have no common ancestor`;
  throw new CommandFailure([diagnose('GG5021', { reason }, wholeFile(first))]);
}

async function readRevisions(
  operands: readonly string[],
  dashed: boolean,
  isPath: (word: string) => boolean,
  repository: () => Promise<Repository>,
): Promise<readonly Revision[]> {
  const revisions: Revision[] = [];
  for (const word of operands.slice(0, 2)) {
    const path = isPath(word);
    // Comparing files works without git, so obvious files are not looked up as revisions.
    if (path && (/[./]/.test(word) || isPattern(word))) break;
    const opened = await repository();
    const commit = await opened.resolve(word);
    if (commit === undefined && (path || isPattern(word))) break;
    if (commit === undefined) throw new CommandFailure([await opened.explainUnknown(word)]);
    if (path && !dashed) {
      throw new UsageError(
        `${word} is both a revision and a file: pass ./${word} for the file, or ${word} -- . for the revision.`,
      );
    }
    revisions.push({ name: word, commit });
  }
  return revisions;
}

async function commitOf(repository: Repository, name: string): Promise<Revision> {
  const commit = await repository.resolve(name);
  if (commit === undefined) throw new CommandFailure([await repository.explainUnknown(name)]);
  return { name, commit };
}

function misplaced(word: string, dashed: boolean): Error {
  if (/[./]/.test(word)) return new CommandFailure([diagnose('GG4001', { path: word }, wholeFile(word))]);
  if (dashed) return new UsageError(`${word} is not a revision; pass files after --.`);
  return new UsageError(`${word} is not a file; pass revisions before files, and deleted files after --.`);
}

export function toLocal(path: string, directory: string): string {
  if (path === '-' || isWebUrl(path)) return path;
  const local = relative(directory, resolve(directory, path));
  if (local === '') return '.';
  return isAbsolute(local) ? local : local.split(sep).join('/');
}
