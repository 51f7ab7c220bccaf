// Turns the waiting changesets into the next version: `node scripts/version.mjs`. Changesets writes the version to
// package.json and the changelog; this writes it to the lock file and to the editors, which are released together with
// the package. With `--sync` it does only the second part.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const json = /("version": )"[^"]*"/;

/** The files that repeat the version, with the pattern of a place and the number of places from the top. */
const copies = [
  ['package-lock.json', json, 2],
  ['editors/vscode/package.json', json, 1],
  ['editors/vscode/package-lock.json', json, 2],
  ['editors/tree-sitter-gg/tree-sitter.json', json, 1],
  ['editors/zed/extension.toml', /^(version = )"[^"]*"/m, 1],
];

if (process.argv[2] !== '--sync') {
  const program = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'));
  const { status } = spawnSync(process.execPath, [program, 'version'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [file, pattern, count] of copies) {
  let seen = 0;
  const every = new RegExp(pattern, `g${pattern.flags}`);
  const text = readFileSync(file, 'utf8').replace(every, (found, key) =>
    seen++ < count ? `${key}"${version}"` : found,
  );
  writeFileSync(file, text);
}
