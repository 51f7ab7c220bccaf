// Builds the extension into `out/`: the extension, the language server with its analysis thread, the graph preview,
// the TextMate grammar, and the pages of the diagnostic codes, which findings link to.

import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const shared = { absWorkingDir: here, bundle: true, minify: true, legalComments: 'eof', logLevel: 'warning' };

rmSync(`${here}out`, { recursive: true, force: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'out',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
  }),
  build({
    ...shared,
    entryPoints: {
      server: 'src/server.ts',
      'analysis-worker': '../../src/tools/language-server/analysis/analysis-worker.ts',
    },
    outdir: 'out/server',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // A CommonJS package inside an ES module asks for built-in modules through `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  }),
  build({
    ...shared,
    entryPoints: { main: '../../web/preview/main.tsx', style: '../../web/preview/preview.css' },
    outdir: 'out/preview',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  }),
]);
cpSync(`${root}grammar/gg.tmLanguage.json`, `${here}out/gg.tmLanguage.json`);
cpSync(`${root}docs/diagnostics`, `${here}out/server/docs/diagnostics`, { recursive: true });
cpSync(`${root}LICENSE`, `${here}LICENSE`);
