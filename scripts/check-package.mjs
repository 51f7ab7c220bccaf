// Checks the package as npm would publish it: packs it, and lets publint and Are the types wrong read the tarball,
// compares what it imports with its dependencies and its public API with the report, compiles its types as users do, and weighs it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { checkApi } from './api-report.mjs';
import { checkSizes } from './check-sizes.mjs';
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
  const unpacked = join(scratch, 'package');
  const passed = [
    checkDependencies(unpacked),
    checkApi(unpacked),
    checkTypes(unpacked),
    await checkSizes(tarball, unpacked),
  ];
  if (!passed.every(Boolean)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Returns whether the dependencies of the package are those that its code imports, apart from its peers. */
function checkDependencies(unpacked) {
  const { name, dependencies, peerDependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const files = readdirSync(join(unpacked, 'dist'), { recursive: true }).filter(
    (file) => file.endsWith('.js') && !file.startsWith('pages'),
  );
  const imported = new Set(files.flatMap((file) => importsOf(readFileSync(join(unpacked, 'dist', file), 'utf8'))));
  const undeclared = [...imported].filter((one) => !(one in { ...dependencies, ...peerDependencies }));
  const unused = Object.keys(dependencies).filter((one) => !imported.has(one));
  if (undeclared.length > 0) console.error(`${name} imports these, and does not depend on them: ${undeclared}`);
  if (unused.length > 0) console.error(`${name} depends on these, and does not import them: ${unused}`);
  return undeclared.length + unused.length === 0;
}

/** The packages that a file imports, also through the `require` of a module. */
function importsOf(minified) {
  // Long lines are broken within strings.
  const text = minified.replaceAll('\\\n', '');
  const required = [...text.matchAll(/[\w$]+\(import\.meta\.url\)\(\s*"([^"]+)"/g)].map(([, path]) => path);
  return (
    [...ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName), ...required]
      // Node.js 20 does not know node:sqlite.
      .filter((path) => /^[@\w]/.test(path) && !path.startsWith('node:') && !isBuiltin(path))
      .map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0])
  );
}
