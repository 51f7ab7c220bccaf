// Mutation testing of a slice of `src`: `npm run mutation -- compiler/graph`, or with the path of a file or a folder, or a glob:
// `'src/federation/*.ts'`. The tests of that area (see vitest.mutation.config.ts) have to notice each change. Results
// are kept for the next run of the slice, which tests only what changed since.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [slice = ''] = process.argv.slice(2);
const path = existsSync(join(root, 'src', slice)) ? `src/${slice}` : slice;
/** A glob has to begin in a folder that exists. */
const start = path.replace(/\/[^/]*\*.*$/, '');

if (Number.parseInt(process.versions.node, 10) < 22) {
  console.error(`Stryker needs Node.js 22 or newer; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else if (slice === '' || !path.startsWith('src/') || !existsSync(join(root, start))) {
  console.error('Name a file or a folder of src: npm run mutation -- compiler/graph');
  process.exitCode = 2;
} else {
  // A room of a wing, or the wing without rooms.
  const area = path
    .split('/')
    .slice(1, path.startsWith('src/federation') ? 2 : 3)
    .join('/');
  const mutate = start === path && statSync(join(root, path)).isDirectory() ? `${path}/**/*.ts` : path;
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/@stryker-mutator/core/bin/stryker.js',
      'run',
      `--mutate=${mutate}`,
      `--incrementalFile=reports/mutation/${area.replace('/', '-')}.json`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_AREA: area } },
  );
  process.exitCode = status ?? 1;
}
