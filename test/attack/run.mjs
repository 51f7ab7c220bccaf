// Attacks every host and says how it stood it: `npm run attack`.
//
//   --short       Node's timeouts are shortened, and how long the good client waits is not judged
//   --only text   the hosts whose name holds the text

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
// Inside of node_modules the names of packages mean the same as in src.
const scratch = mkdtempSync(join(root, 'node_modules/.cache/gg-svc-attack-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/attack/main.ts', 'test/attack/target.ts', 'test/attack/good-client.ts'],
    outdir: scratch,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(join(scratch, 'main.mjs')).href);
  process.exitCode = await main(scratch, process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
