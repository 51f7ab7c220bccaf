// Builds the package: `dist/` from `src/`. Options go to the TypeScript compiler: `--noCheck`, for example.
//
// The library and the command line are two bundles, and the types stand beside them, file by file. `serve` loads
// its server from the library: a resolvers module that imports this package then meets the same modules as the
// server that runs it, and the packages of the server are looked up where the user installed them.

import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildLibrary } from './library.mjs';
import { buildPages } from './web.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', 'tsconfig.build.json', '--emitDeclarationOnly', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (status !== 0) process.exit(status ?? 1);

// The command line has no types to offer.
rmSync(join(dist, 'cli'), { recursive: true, force: true });
allowMissingPackages();

/** The sources of the library that the command line imports. */
const imported = new Set();
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    'gg-svc': 'src/cli/gg-svc.ts',
    'analysis-worker': 'src/language-server/analysis/analysis-worker.ts',
    'layout-worker': 'src/studio/layout-worker.ts',
  },
  outdir: 'dist/cli',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // A stack trace stays readable, while there is less text to parse at each start.
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: false,
  legalComments: 'none',
  // A CommonJS package inside an ES module still asks for built-in modules through `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [serverFromLibrary(), withoutExecutables()],
  metafile: true,
  logLevel: 'warning',
});
refuseOptionalPackages(Object.keys(metafile.inputs));
writeFileSync(join(dist, 'cli/LICENSES.txt'), collectLicenses(Object.keys(metafile.inputs)));
chmodSync(join(dist, 'cli/gg-svc.js'), 0o755);
writeFileSync(join(dist, 'LICENSES.txt'), collectLicenses(await buildLibrary(dist, [...imported])));
await buildPages(dist);

/**
 * Lets the types compile without `skipLibCheck` where a package is not installed: its types are `any` then.
 * The types of Node.js are a dependency, and each entry asks for them.
 */
function allowMissingPackages() {
  const { exports, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The code of Chevrotain is part of the bundles, and no public type mentions it.
  const names = [...Object.keys(peerDependenciesMeta), 'chevrotain'].join('|');
  const imports = new RegExp(`^(?! \\*).*(?:from |import\\()'(?:${names})(?:/[^']*)?'`, 'gm');
  const entries = new Set(Object.values(exports).map(({ types }) => types && join(root, types)));
  for (const entry of readdirSync(dist, { recursive: true })) {
    if (!entry.endsWith('.d.ts')) continue;
    const file = join(dist, entry);
    const text = readFileSync(file, 'utf8');
    const safe = text.replace(imports, '// @ts-ignore: the package may be missing.\n$&');
    const made = entries.has(file) ? `/// <reference types="node" />\n${safe}` : safe;
    if (made !== text) writeFileSync(file, made);
  }
}

/** Leaves the server out of the bundle, and notes which modules of the library that takes. */
function serverFromLibrary() {
  return {
    name: 'server-from-library',
    setup({ onResolve }) {
      onResolve(
        {
          filter:
            /\/(?:auth\/auth-config|brokers\/brokers|files\/svg-to-png|hosts\/.*|http\/graphql\/.*|import\/import-description|load\/(?:load-peer|topology-error)|mcp\/(?:mcp|stdio)|server\/(?:channels\/runtime-io-layer|gql-service|load-config|service|live-service))\.js$/,
        },
        ({ path, resolveDir }) => {
          const file = relative(join(root, 'src'), join(resolveDir, path)).split('\\').join('/');
          imported.add(`src/${file.replace(/\.js$/, '.ts')}`);
          return { path: `../${file}`, external: true };
        },
      );
    },
  };
}

/** The command line and the modules of users must get the same copy of an optional package: that of the user. */
function refuseOptionalPackages(inputs) {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bundled = Object.keys(peerDependencies).filter((name) =>
    inputs.some((input) => input.startsWith(`node_modules/${name}/`)),
  );
  if (bundled.length > 0) throw new Error(`The command line contains ${bundled.join(', ')}.`);
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

/** The licenses of the packages that went into the bundle: each asks to go along with its copies. */
function collectLicenses(inputs) {
  const directories = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const packages = [...new Set(directories)].filter((directory) => directory !== undefined).sort();
  return packages.map((directory) => `${describe(join(root, directory))}\n`).join('\n');
}

function describe(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  const text =
    file === undefined ? `License: ${license}` : readFileSync(join(directory, file), 'utf8').trim();
  return `== ${name} ${version}\n\n${text}\n`;
}
