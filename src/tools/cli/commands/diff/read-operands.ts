import { isPattern } from '../../../../runtime/load/globs.js';
import type { Repository, Revision } from '../../files/repository.js';
import { kindOnDisk, toLocal } from '../../files/trees.js';
import { UsageError } from '../../terminal/command.js';
import { failure } from '../../terminal/failure.js';

/** A path in a revision, or in the working tree without one. */
export interface Place {
  readonly revision: Revision | undefined;
  readonly path: string;
}

/** The directory of the command, and its repository, which is not opened to compare two files: that works without git. */
interface Here {
  readonly directory: string;
  readonly repository: () => Promise<Repository>;
}

/**
 * Interprets the operands: revisions first, then paths. Operands after `--` are always paths. Two paths without a
 * revision are compared with each other.
 *
 * @returns The sides of a comparison: two places, or the same paths in two revisions. Without one, `after` is the
 *   working tree.
 */
export async function readOperands(operands: readonly string[], pathOperands: readonly string[], here: Here) {
  const { directory } = here;
  const dashed = pathOperands.length > 0;
  if (!dashed && operands.length === 2) {
    const [before, after] = await Promise.all(operands.map((word) => readPlace(word, here)));
    if (before !== undefined && after !== undefined) return { kind: 'places', before, after } as const;
  }
  const range = await readRange(operands[0] ?? '', here);
  const revisions = range ?? (await readRevisions(operands, dashed, here));
  const rest = operands.slice(range === undefined ? revisions.length : 1);
  for (const word of rest) if (!isPath(word, directory) && !isPattern(word)) throw misplaced(word, dashed);
  if (revisions.length === 0 && rest.length > 2)
    throw new UsageError('Cannot compare more than two files with each other; pass a revision first, such as HEAD.');
  const [before = await (await here.repository()).revision('HEAD'), after] = revisions;
  const paths = [...rest, ...pathOperands].map((path) => toLocal(path, directory));
  return { kind: 'paths', before, after, paths: paths.length === 0 ? ['.'] : paths } as const;
}

/** The names of branches may have parentheses, as in `fix(api)`. */
function isPath(word: string, directory: string): boolean {
  return kindOnDisk(word, directory) !== undefined || (isPattern(word) && /[*?[{]/.test(word));
}

/** A path, or `revision:path`; undefined for anything else, such as a revision. */
async function readPlace(word: string, { directory, repository }: Here): Promise<Place | undefined> {
  // An operand that is also a revision is reported by readRevisions.
  if (isPath(word, directory)) return { revision: undefined, path: toLocal(word, directory) };
  const [, name, path] = /^([^:]+):(.+)$/.exec(word) ?? [];
  if (name === undefined || path === undefined) return undefined;
  const opened = await repository();
  const revision = await opened.revision(name);
  // gitrevisions(7): the path is relative to the root of the repository unless it starts with ./ or ../
  const fromHere = path.startsWith('./') || path.startsWith('../');
  const up = '../'.repeat(opened.prefix.split('/').length - 1);
  return { revision, path: toLocal(fromHere ? path : `${up}${path}`, directory) };
}

/** `a..b`, or `a...b` for the changes of b since the merge base; an omitted side is HEAD. */
async function readRange(word: string, { directory, repository }: Here) {
  const [, one, dots, other] = /^(.*?)(\.{2,3})(.*)$/.exec(word) ?? [];
  // `..` may also be a path segment.
  if (dots === undefined || /(^|\/)\.\.(\/|$)/.test(word) || isPath(word, directory)) return undefined;
  const opened = await repository();
  const before = await opened.revision(one || 'HEAD');
  const after = await opened.revision(other || 'HEAD');
  if (dots === '..') return [before, after];
  const commit = await opened.mergeBase(before.commit, after.commit);
  if (commit !== undefined) return [{ name: commit.slice(0, 10), commit }, after];
  throw failure('GG5021', { reason: `${before.name} and ${after.name} have no common ancestor` }, word);
}

async function readRevisions(operands: readonly string[], dashed: boolean, { directory, repository }: Here) {
  const revisions: Revision[] = [];
  for (const word of operands.slice(0, 2)) {
    const path = isPath(word, directory);
    // Comparing files works without git, so obvious files are not looked up as revisions.
    if (path && (/[./]/.test(word) || isPattern(word))) break;
    const opened = await repository();
    if ((path || isPattern(word)) && (await opened.resolve(word)) === undefined) break;
    const revision = await opened.revision(word);
    if (path && !dashed)
      throw new UsageError(
        `${word} is both a revision and a file: pass ./${word} for the file, or ${word} -- . for the revision.`,
      );
    revisions.push(revision);
  }
  return revisions;
}

function misplaced(word: string, dashed: boolean): Error {
  if (/[./]/.test(word)) return failure('GG4001', { path: word }, word);
  if (dashed) return new UsageError(`${word} is not a revision; pass files after --.`);
  return new UsageError(`${word} is not a file; pass revisions before files, and deleted files after --.`);
}
