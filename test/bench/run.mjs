// Builds the package, bundles the benchmark and runs it: `npm run bench`.
//
//   --quick       fewer rounds, and no report
//   --report      a report all the same
//   --only a,b    these rows alone, and no report
//   --no-build    measures what `dist/` holds
//
// The rows inside a process measure the sources, bundled like the library in `dist/`; the rows of whole processes
// and of imports measure `dist/` itself.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, processors, runNode } from '../programs/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const passed = process.argv.slice(2).filter((argument) => argument !== '--no-build');
const isBuilt = passed.length < process.argv.length - 2;

process.exitCode = (isBuilt ? 0 : runNode([join(root, 'scripts/build.mjs')])) || (await measure());

async function measure() {
  const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-bench-'));
  try {
    // The bundle and the files that TypeSpec compiles look their packages up from where they are.
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'junction');
    await bundlePrograms(['test/bench/bench.ts'], scratch);
    // Two sides that share one processor meet the same neighbours and the same caches.
    const processor = processors().at(-1);
    const args = [`--root=${root}`, `--scratch=${scratch}`, `--processors=${availableParallelism()}`];
    if (processor !== undefined) args.push('--pinned');
    return runNode([join(scratch, 'bench.mjs'), ...args, ...passed], processor);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
