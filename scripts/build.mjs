// Builds the package: `dist/` from `src/`. Options go to the TypeScript compiler: `--noCheck`, for example.
//
// The library and the command line are two bundles. Beside them stand the types that the entries of the package
// reach, file by file: the project references of `src` write all of them into `.types/`. `serve` loads
// its server from the library: a resolvers module that imports this package then meets the same modules as the
// server that runs it, and the packages of the server are looked up where the user installed them.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { buildWithFewChunks } from './few-chunks.mjs';
import { buildLibrary, target } from './library.mjs';
import { buildPages } from './web.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });

const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-b', 'src', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
copyTypes();

/** The command line and the modules of users must get the same copy of an optional package: that of the user. */
const optional = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).peerDependencies);
/** The sources of the library that the command line imports. */
const imported = new Set();
const options = {
  absWorkingDir: root,
  entryPoints: {
    'gg-svc': 'src/tools/cli/gg-svc.ts',
    'analysis-worker': 'src/tools/language-server/analysis/analysis-worker.ts',
    'layout-worker': 'src/tools/studio/layout-worker.ts',
  },
  outdir: 'dist/tools/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  // There is less text to install, and to parse at each start.
  minify: true,
  charset: 'utf8',
  keepNames: false,
  legalComments: 'none',
  // A CommonJS package inside an ES module still asks for built-in modules through `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  external: optional,
  plugins: [serverFromLibrary(), withoutExecutables()],
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'ignored-bare-import': 'silent' },
};
// Most commands compile a topology.
const commands = 'src/tools/cli/commands';
const { metafile } = await buildWithFewChunks(options, {
  start: 'src/tools/cli/process.ts',
  door: 'src/compiler/syntax/parse.ts',
  roots: [`${commands}/check.ts`, `${commands}/build.ts`],
  guest: `${commands}/fmt.ts`,
});
writeFileSync(join(dist, 'tools/cli/LICENSES.txt'), collectLicenses(Object.keys(metafile.inputs)));
chmodSync(join(dist, 'tools/cli/gg-svc.js'), 0o755);
const library = await buildLibrary(dist, [...imported]);
writeFileSync(
  join(dist, 'LICENSES.txt'),
  collectLicenses([...Object.keys(library.inputs), 'node_modules/openapi-types/']),
);
await buildPages(dist);
// Each of these pages would take a block of the disk.
joinPages('docs/diagnostics', /^GG.*(?=\.md$)/, 'diagnostics.md');
joinPages('docs/help', /.*(?=\.txt$)/, 'help.txt');

/** Writes the pages of a folder as one file of the package, each after its anchor. `readPage` finds one. */
function joinPages(folder, named, file) {
  const pages = readdirSync(join(root, folder)).flatMap((page) => {
    const [name] = named.exec(page) ?? [];
    return name === undefined ? [] : [`<a id="${name}"></a>\n${readFileSync(join(root, folder, page), 'utf8')}`];
  });
  const text = pages.join('').replaceAll('](../', '](../docs/');
  writeFileSync(join(dist, file), text.replaceAll(/\]\((GG\d+)\.md/g, '](#$1'));
}

/**
 * Copies the types that the entries reach, and those of OpenAPI. They compile without `skipLibCheck` where an optional
 * package or the types of Node.js are not installed: those types are `any` then. Each entry asks for the types of
 * Node.js, because TypeScript 6 does not look for them.
 */
function copyTypes() {
  const { exports, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The code of Chevrotain is part of the bundles, and no public type mentions it.
  const names = [...Object.keys(peerDependenciesMeta), 'chevrotain', 'node:\\w+'].join('|');
  const imports = new RegExp(`^(?! \\*).*(?:from |import\\()'(?:${names})(?:/[^']*)?'`, 'gm');
  const missing = '// @ts-ignore: the package may be missing.\n';
  const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [types]));
  const files = new Set(entries.map((types) => join('.types', relative('dist', types))));
  // A set grows while it is walked.
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) files.add(join(dirname(file), fileName.replace(/\.js$/, '.d.ts')));
    }
    const target = join(dist, relative('.types', file));
    const openApi = `./${relative(dirname(target), join(dist, 'openapi-types.js'))}`;
    const safe = text.replace(imports, `${missing}$&`).replace("'openapi-types'", `'${openApi}'`);
    const isEntry = dirname(target) === dist;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, isEntry ? `${missing}/// <reference types="node" />\n${safe}` : safe);
  }
  copyFileSync(join(root, 'node_modules/openapi-types/dist/index.d.ts'), join(dist, 'openapi-types.d.ts'));
}

/** Leaves the server out of the bundle, and notes which modules of the library that takes. */
function serverFromLibrary() {
  return {
    name: 'server-from-library',
    setup({ onResolve }) {
      onResolve(
        {
          filter:
            /\/(?:files\/svg-to-png|hosts\/.*|http\/graphql\/.*|load\/(?:load-peer|topology-error)|mcp\/(?:mcp|stdio)|runs\/manage-runs|server\/(?:channels\/runtime-io-layer|gql-server|load-config|mock-store|open-runs|service|live-service|store-statements)|store\/(?:migrate|read-database|write\/seed-store))\.js$/,
        },
        ({ path, resolveDir }) => {
          const file = relative(join(root, 'src'), join(resolveDir, path)).split('\\').join('/');
          imported.add(`src/${file.replace(/\.js$/, '.ts')}`);
          return { path: `../../${file}`, external: true };
        },
      );
    },
  };
}

/** Commander loads `child_process` for subcommands that are programs of their own; there are none. */
function withoutExecutables() {
  return {
    name: 'without-executables',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'without-executables' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'without-executables' }, () => ({
        contents: 'module.exports = {};',
      }));
    },
  };
}

/** The licenses of the packages that went into the bundle: each asks to go along with its copies. Equal texts stand once. */
function collectLicenses(inputs) {
  const directories = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const packages = [...new Set(directories)].filter((directory) => directory !== undefined).sort();
  const titles = new Map();
  for (const directory of packages.map((path) => join(root, path))) {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(join(directory, file), 'utf8').trim();
    titles.set(text, [...(titles.get(text) ?? []), `== ${name} ${version}`]);
  }
  return [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join('\n\n');
}
