// Bundles the library: one file for each entry of the package, and chunks for the code that entries share.
// Node spends most of the time of an import finding and reading files, so fewer files load faster. The names of functions
// and classes stay as they are in the sources. The packages that users install stay outside. Chevrotain goes in,
// because it would be half of the files that an import loads; so does @noble/curves, of which one curve is 4 %.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

const root = fileURLToPath(new URL('..', import.meta.url));

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The sources of the entries that `exports` in package.json names. */
const entries = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((file) => file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));

/** The packages that are part of the library, beside Chevrotain. */
const bundled = /node_modules\/@noble\//;

/**
 * The syntax of the oldest Node.js that the package promises. The tests run on older ones as well: esbuild lowers
 * syntax only, and none of it is newer than these.
 */
export const target = `node${manifest.engines.node.replace('>=', '')}`;

/**
 * Writes the library into a folder, and returns the metafile of esbuild.
 *
 * @param more - Other sources that get a file of their own, under their path in `src`.
 */
export async function buildLibrary(outdir, more = []) {
  const chevrotain = await minifiedChevrotain();
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...entries, ...more],
    outbase: 'src',
    outdir,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    plugins: [chevrotain.plugin],
    // Without indentation; the line of a stack trace still is a place in the code.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 4000,
    // Modules are UTF-8; esbuild would write six characters for each quotation mark of a message.
    charset: 'utf8',
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    const code = await withShortLocals(text);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    metafile.outputs[relative(root, path)].bytes = Buffer.byteLength(code);
  }
  const stray = Object.keys(metafile.inputs).filter((input) => input.includes('node_modules/') && !bundled.test(input));
  if (stray.length > 0) throw new Error(`The library contains ${stray.join(', ')}.`);
  const { 'minified:chevrotain': _, ...inputs } = metafile.inputs;
  return { ...metafile, inputs: { ...inputs, ...chevrotain.inputs } };
}

/** What an import of an entry loads, by the metafile of a library: the bytes, and the sources that they come from. */
export function loadedBy({ outputs }, entry) {
  const files = new Set(Object.keys(outputs).filter((path) => outputs[path].entryPoint === `src/${entry}.ts`));
  // A set grows while it is walked.
  for (const file of files) {
    for (const { path, kind, external } of outputs[file].imports) {
      if (kind === 'import-statement' && !external) files.add(path);
    }
  }
  const loaded = [...files].map((file) => outputs[file]);
  return {
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    sources: loaded.flatMap(({ inputs }) => Object.keys(inputs)),
  };
}

/** Shortens the names inside functions. Those of functions and classes stay, for a stack trace shows them. */
async function withShortLocals(text) {
  const { code } = await minify(text, {
    module: true,
    compress: false,
    mangle: { toplevel: false, keep_fnames: true, keep_classnames: true },
    format: { max_line_len: 4000 },
  });
  return code;
}

/** The parts of Chevrotain that the sources import. */
const parts = [
  'createToken',
  'EarlyExitException',
  'EmbeddedActionsParser',
  'EOF',
  'isRecognitionException',
  'Lexer',
  'NoViableAltException',
];

/**
 * Chevrotain with short names: a quarter of what `gg-svc/compiler` loads is Chevrotain. It is one function, so that its
 * short names take none from the rest of the library, whose names would get a digit each.
 */
async function minifiedChevrotain() {
  const exported = `export { ${parts.join(', ')} }`;
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: `${exported} from 'chevrotain';`, resolveDir: root },
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    globalName: 'chevrotain',
    platform: 'node',
    target,
    metafile: true,
    write: false,
  });
  const contents = `${outputFiles[0].text}export const { ${parts.join(', ')} } = chevrotain;`;
  return {
    inputs: Object.fromEntries(Object.entries(metafile.inputs).filter(([input]) => input !== '<stdin>')),
    plugin: {
      name: 'minified-chevrotain',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^chevrotain$/ }, ({ path }) => ({
          path,
          namespace: 'minified',
          sideEffects: false,
        }));
        onLoad({ filter: /./, namespace: 'minified' }, () => ({ contents }));
      },
    },
  };
}
