import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { endFile } from './after-file.js';

// Runs before each test file, also where files share their modules.

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file and of the programs that it has started, in milliseconds. */
    processorTime?: number;
  }
}

const start = processorTime();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern for the fixtures that a hook needs.
afterAll(async ({}, { file }) => {
  await endFile();
  file.meta.processorTime = processorTime() - start;
});

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + timeOfPrograms();
}

/** The time of the ended child processes, in milliseconds; 0 where the system does not tell. */
function timeOfPrograms(): number {
  try {
    // `cutime` and `cstime`, in hundredths of a second (proc_pid_stat(5)); the name before them may contain spaces.
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) * 10;
  } catch {
    return 0;
  }
}
