import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { timeOfPrograms } from '../scripts/processor-time.mjs';
import { endFile } from './after-file.js';

// Runs before each test file, also where files share their modules.

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file and of the programs that it has started, in milliseconds. */
    processorTime?: number;
  }
}

// A report of CI is all that is known of a failed run, so the error of a property stands in its message.
fc.configureGlobal({ ...fc.readConfigureGlobal(), includeErrorInReport: true });

const start = processorTime();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern for the fixtures that a hook needs.
afterAll(async ({}, { file }) => {
  await endFile();
  // Vitest keeps each mock as long as the worker. Without this it would keep what they were called with as well, such as
  // servers, and the worker would grow by gigabytes, which the collector of garbage has to walk through.
  vi.resetAllMocks();
  file.meta.processorTime = processorTime() - start;
});

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + timeOfPrograms();
}
