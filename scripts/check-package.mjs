// Checks the package as npm would publish it: packs it, and lets publint and Are the types wrong read the tarball,
// and compiles its types as users do.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTypes } from './check-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-pack-'));

try {
  // Without scripts: `prepare` would build once more.
  const pack = ['pack', '--ignore-scripts', '--json', `--pack-destination=${scratch}`];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  const tarball = join(scratch, filename);
  const checks = [
    ['node_modules/publint/src/cli.js', tarball, '--strict'],
    ['node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--no-color'],
  ];
  for (const args of checks) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
  execFileSync('tar', ['-xzf', tarball, '-C', scratch]);
  if (!checkTypes(join(scratch, 'package'))) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
