// Bundles the library: one file for each entry of the package, and chunks for the code that entries share.
// Node spends most of the time of an import finding and reading files, so fewer files load faster. Names and
// line breaks stay as they are in the sources. The packages that users install stay outside; Chevrotain goes in,
// because it would be half of the files that an import loads.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The sources of the entries that `exports` in package.json names. */
const entries = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((file) => file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));

/**
 * Writes the library into a folder, and returns the paths of the sources and packages that went into it.
 *
 * @param more - Other sources that get a file of their own, under their path in `src`.
 */
export async function buildLibrary(outdir, more = []) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries, ...more],
    outbase: 'src',
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  const stray = inputs.filter((input) => /node_modules\/(?!@?chevrotain\/)/.test(input));
  if (stray.length > 0) throw new Error(`The library contains ${stray.join(', ')}.`);
  return inputs;
}
