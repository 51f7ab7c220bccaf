import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The path of a new temporary file for the file `name`. It tells which process writes it. */
export function temporaryPath(target: string, name: string): string {
  return join(dirname(target), `.${name}.${process.pid}-${randomUUID()}.tmp`);
}

/** After this time a temporary file is abandoned, even if some process has the id of its writer, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/**
 * Removes the temporary files for the file `name` in a directory whose writers were killed. A failure is ignored: the
 * files do no harm.
 */
export async function removeAbandoned(directory: string, name: string): Promise<void> {
  const entries = await readdir(directory).catch(() => []);
  const prefix = `.${name}.`;
  for (const entry of entries) {
    if (!entry.startsWith(prefix)) continue;
    // Earlier versions wrote no process id.
    const found = /^(?:(\d+)-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.exec(
      entry.slice(prefix.length),
    );
    if (found === null) continue;
    const path = join(directory, entry);
    try {
      const { mtimeMs } = await stat(path);
      const isAbandoned =
        found[1] === undefined || mtimeMs < Date.now() - maxAge || !isWriting(Number(found[1]), mtimeMs);
      if (isAbandoned) await rm(path, { force: true });
    } catch {
      // Another process has removed or renamed it.
    }
  }
}

/** Whether the process that wrote a file at some time still runs. A container gives each run the same process id. */
function isWriting(pid: number, time: number): boolean {
  if (pid === process.pid) return time >= performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
