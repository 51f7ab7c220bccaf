// Builds the pages for browsers: `dist/pages/studio/` from `web/studio/`, and the script and the style of static sites,
// `dist/pages/site/`, from `web/site/`. They load nothing from elsewhere.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the pages into a folder. */
export async function buildPages(dist = join(root, 'dist')) {
  await build({
    absWorkingDir: root,
    entryPoints: { studio: 'web/studio/main.tsx', style: 'web/studio/studio.css' },
    outdir: join(dist, 'pages/studio'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'eof',
    logLevel: 'warning',
  });
  await build({
    absWorkingDir: root,
    entryPoints: { site: 'web/site/site.ts', style: 'web/site/site.css' },
    outdir: join(dist, 'pages/site'),
    bundle: true,
    minify: true,
    // Browsers load no modules from the disk.
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'warning',
  });
  for (const page of ['studio/index.html', 'studio/sign-in.html', 'site/404.html'])
    copyFileSync(join(root, 'web', page), join(dist, 'pages', page));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages(process.argv[2]);
