import { existsSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { globCharacters } from '../../../runtime/load/globs.js';

/** Debounce in milliseconds: editors save in several steps. */
const debounce = 100;

export interface Watched {
  readonly files: readonly string[];
  /** Globs; new files that match are changes. */
  readonly patterns: readonly string[];
}

export interface FileChange {
  /** Relative to the directory if it is below it. */
  readonly path: string;
  readonly kind: 'changed' | 'added' | 'removed';
}

export async function watchFiles(
  watched: Watched,
  directory: string,
  expand: (pattern: string) => readonly string[],
  onChange: (changes: readonly FileChange[]) => void,
) {
  let files = new Set<string>();
  let folders: readonly string[] = [];
  let patterns: readonly string[] = [];
  const added = new Set<string>();
  /** All parent folders of what is watched. */
  let above = new Set<string>();
  const changes = new Map<string, FileChange['kind']>();
  let timer: NodeJS.Timeout | undefined;

  const isWatched = (path: string): boolean => {
    if (files.has(path)) return true;
    return patterns.some((pattern) => expand(pattern).some((found) => resolve(directory, found) === path));
  };
  const note = (path: string, kind: FileChange['kind']): void => {
    if (!isWatched(path)) return;
    changes.set(path, kind);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const noted = [...changes].map(([changed, how]) => ({ path: shown(changed, directory), kind: how }));
      changes.clear();
      onChange(noted);
    }, debounce);
  };
  const follow = (watcher: FSWatcher, next: Watched): void => {
    patterns = next.patterns;
    files = new Set(next.files.map((file) => resolve(directory, file)));
    folders = patterns.map((pattern) => resolve(directory, folderOf(pattern)));
    above = new Set([...files, ...folders].flatMap(foldersAbove));
    // Folders report files that are created or restored. Nothing is ever unwatched, because chokidar would then
    // miss everything in that folder; `isWatched` filters instead.
    const targets = [...files, ...[...files].map(dirname), ...folders].map(nearestExisting);
    watcher.add([...new Set(targets)].filter((path) => !added.has(path)));
    for (const path of targets) added.add(path);
  };
  /** Folders may be large: ignores everything but watched files and `.gg` files below the folders of globs. */
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
  // A watch of nothing, as of a topology at a URL, never becomes ready.
  if (added.size > 0) await ready;
  return {
    follow: (next: Watched) => follow(watcher, next),
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** The fixed folder of a glob: its segments before the first one with a special character. */
function folderOf(pattern: string): string {
  const steps = pattern.split('/');
  const first = steps.findIndex((step) => globCharacters.test(step));
  return steps.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** The path if it exists, else its nearest existing parent folder. */
function nearestExisting(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : nearestExisting(folder);
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [folder, ...foldersAbove(folder)];
}

function shown(path: string, directory: string): string {
  const short = relative(directory, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
