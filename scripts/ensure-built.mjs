// Builds the package, if a source or a page of it is newer than `dist/`.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changed = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// Copying the licenses is among the last steps of a build.
const built = changed('dist/LICENSES.txt');
const sources = ['src', 'web', 'docs/diagnostics', 'docs/help'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
);
if (sources.some((file) => changed(file) > built)) await import('./build.mjs');
