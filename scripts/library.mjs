// Bundles the library: one file for each entry of the package, and chunks for the code that entries share.
// Node spends most of the time of an import finding and reading files, so fewer files load faster. Names and
// line breaks stay as they are in the sources, and packages stay outside.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The sources of the entries that `exports` in package.json names. */
const entries = Object.values(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((file) => file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));

/**
 * Writes the library into a folder.
 *
 * @param more - Other sources that get a file of their own, under their path in `src`.
 */
export async function buildLibrary(outdir, more = []) {
  await build({
    absWorkingDir: root,
    entryPoints: [...entries, ...more],
    outbase: 'src',
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}
