import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadedFiles } from '../../programs/loaded-files.js';
import { compareSamples } from '../measure.js';
import type { BenchContext } from '../measurement.js';
import { runForOutput } from '../processes.js';

/** The files that importing the package may load. */
const fileBudget = 150;

/** The cost of importing the package: files loaded, and time in a new process. */
export function measureImport({ root, isQuick, report, wants }: BenchContext): void {
  const entry = pathToFileURL(join(root, 'dist/index.js')).href;
  if (wants('import-files')) {
    const files = loadedFiles(entry).length;
    const ratio = files / fileBudget;
    report({
      row: 'import-files',
      size: 'the package root',
      unit: 'files',
      judged: true,
      ours: files,
      baseline: fileBudget,
      ratio: { median: ratio, min: ratio, max: ratio },
    });
  }
  if (!wants('import-time')) return;
  const graphql = pathToFileURL(join(root, 'node_modules/graphql/index.js')).href;
  const comparison = compareSamples(
    () => timeImport(entry),
    () => timeImport(graphql),
    isQuick ? 9 : 31,
  );
  report({ row: 'import-time', size: 'the package root', unit: 'ms', judged: true, ...comparison });
}

/** The nanoseconds that an import takes in a new process; the start of Node is not counted. */
function timeImport(url: string): number {
  const program = `
    const start = process.hrtime.bigint();
    await import(${JSON.stringify(url)});
    console.log(String(process.hrtime.bigint() - start));`;
  return Number(runForOutput(['--input-type=module', '-e', program]));
}
