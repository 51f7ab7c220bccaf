import { resolve } from 'node:path';
import { watch } from 'chokidar';

/** How long files have to be left alone before they are read again, in milliseconds: editors save in steps. */
const quiet = 100;

/** Files that are watched. */
export interface WatchedFiles {
  /** Watches these files and no others. Those that are not there are waited for. */
  readonly follow: (files: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/**
 * Watches files for changes.
 *
 * @param directory - What relative paths are relative to.
 * @param onChange - Called once for changes that come together.
 * @returns The watch, when it has begun.
 */
export async function watchFiles(
  files: readonly string[],
  directory: string,
  onChange: () => void,
): Promise<WatchedFiles> {
  const absolute = (list: readonly string[]): string[] => list.map((file) => resolve(directory, file));
  let followed = new Set(absolute(files));
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...followed], { ignoreInitial: true, atomic: true });
  await new Promise<void>((done) => watcher.once('ready', () => done()));
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, quiet);
  });
  return {
    follow(list) {
      const next = new Set(absolute(list));
      watcher.add([...next].filter((file) => !followed.has(file)));
      watcher.unwatch([...followed].filter((file) => !next.has(file)));
      followed = next;
    },
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
