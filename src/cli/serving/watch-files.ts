import { existsSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** How long files have to be left alone before they are read again, in milliseconds: editors save in steps. */
const quiet = 100;

/** What is watched. */
export interface Watched {
  /** Files. Those that are not there are waited for. */
  readonly files: readonly string[];
  /** Patterns, whose new files are noticed. */
  readonly patterns: readonly string[];
}

/** A file that is not what it was. */
export interface FileChange {
  /** Relative to the directory, where it lies below it. */
  readonly path: string;
  readonly kind: 'changed' | 'added' | 'removed';
}

/** Files that are watched. */
export interface WatchedFiles {
  /** Watches this and nothing else. */
  readonly follow: (watched: Watched) => void;
  readonly close: () => Promise<void>;
}

/**
 * Watches files for changes.
 *
 * @param directory - What relative paths are relative to.
 * @param expand - The files that a pattern stands for at the moment.
 * @param onChange - Called once for changes that come together, with what changed.
 * @returns The watch, when it has begun.
 */
export async function watchFiles(
  watched: Watched,
  directory: string,
  expand: (pattern: string) => readonly string[],
  onChange: (changes: readonly FileChange[]) => void,
): Promise<WatchedFiles> {
  let files = new Set<string>();
  let folders: readonly string[] = [];
  let patterns: readonly string[] = [];
  const added = new Set<string>();
  /** The folders above what is watched. */
  let above = new Set<string>();
  const changes = new Map<string, FileChange['kind']>();
  let timer: NodeJS.Timeout | undefined;

  const isMeant = (path: string): boolean => {
    if (files.has(path)) return true;
    return patterns.some((pattern) => expand(pattern).some((found) => resolve(directory, found) === path));
  };
  const note = (path: string, kind: FileChange['kind']): void => {
    if (!isMeant(path)) return;
    changes.set(path, kind);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const noted = [...changes].map(([changed, how]) => ({ path: shown(changed, directory), kind: how }));
      changes.clear();
      onChange(noted);
    }, quiet);
  };
  const follow = (watcher: FSWatcher, next: Watched): void => {
    patterns = next.patterns;
    files = new Set(next.files.map((file) => resolve(directory, file)));
    folders = patterns.map((pattern) => resolve(directory, folderOf(pattern)));
    above = new Set([...files, ...folders].flatMap(foldersAbove));
    // The folders too: they tell when a file comes that was not there, or comes back. Nothing is ever forgotten,
    // because a watcher that forgot a folder would be deaf to all that is in it; what is not meant is passed over.
    const targets = [...files, ...[...files].map(dirname), ...folders].map(nearestThere);
    watcher.add([...new Set(targets)].filter((path) => !added.has(path)));
    for (const path of targets) added.add(path);
  };
  /** A folder may hold a whole project; only what is followed, and the topologies of patterns, matter. */
  const isIgnored = (path: string, stats?: Stats): boolean => {
    if (files.has(path) || stats === undefined || (!stats.isFile() && above.has(path))) return false;
    const isBelow = folders.some((folder) => path === folder || path.startsWith(folder + sep));
    return !isBelow || /[/\\](?:node_modules|\.git)$/.test(path) || (stats.isFile() && !path.endsWith('.gg'));
  };

  const watcher = watch([], { ignoreInitial: true, atomic: true, ignored: isIgnored });
  watcher.on('change', (path) => note(path, 'changed'));
  watcher.on('add', (path) => note(path, 'added'));
  watcher.on('unlink', (path) => {
    added.delete(path);
    note(path, 'removed');
  });
  const ready = new Promise<void>((done) => watcher.once('ready', () => done()));
  follow(watcher, watched);
  await ready;
  return {
    follow: (next) => follow(watcher, next),
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** The folder of a pattern: all of it before its first step that is more than a name. */
function folderOf(pattern: string): string {
  const steps = pattern.split('/');
  const first = steps.findIndex((step) => /[*?{}[\]()!]/.test(step));
  return steps.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** The path, or where that is not there the nearest folder above it that is. */
function nearestThere(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : nearestThere(folder);
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [folder, ...foldersAbove(folder)];
}

function shown(path: string, directory: string): string {
  const short = relative(directory, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
