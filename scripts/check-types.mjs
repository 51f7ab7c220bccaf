// Compiles programs that import every entry of the packed package, as users do whose TypeScript checks libraries: in an
// empty folder, with only the packages that the documentation tells them to install, under three versions of TypeScript.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedWith } from './installed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

const compilers = ['typescript-5.9', 'typescript', 'typescript-7'];

/** Options of a server have a type of their own in many programs. */
const alpha = `
import { createAlphaServer, createAlphaServerAdapter, type GqlServerOptions } from 'gg-svc';
const options: GqlServerOptions = { topologies: [] };
export const alpha = [createAlphaServer(options), createAlphaServerAdapter(options)];
`;

/** The types of an optional package that is installed are not `any`. */
const typed = `
import { createAlphaExpressMiddleware, createAlphaFastifyPlugin, createGqlServer } from 'gg-svc';
import type { Plugin } from 'graphql-yoga';
// @ts-expect-error: it is an Apollo Server
export const server: number = createAlphaServer({ topologies: [] });
// @ts-expect-error: it is a handler of Express
export const handler: number = await createAlphaExpressMiddleware(createAlphaServer({ topologies: [] }));
// @ts-expect-error: it is a plugin of Fastify
export const plugin: number = createAlphaFastifyPlugin(createAlphaServer({ topologies: [] }));
const yoga: Plugin = { onExecute: ({ args }) => void args };
export const withPlugin = createGqlServer({ topologies: [], plugins: { yoga: [yoga] } });
`;

const users = [
  { name: 'with graphql 16', packages: ['graphql'] },
  { name: 'with Yoga', packages: ['graphql', 'graphql-yoga', 'graphql-ws', 'ws'], hasCommonJs: true },
  {
    name: 'with Apollo and exact optional properties',
    packages: ['graphql', '@apollo/server', 'express', 'fastify', '@types/node'],
    more: { exactOptionalPropertyTypes: true },
    program: alpha,
  },
  // The others need one compiler: the fastest.
  {
    name: 'with Apollo',
    packages: ['graphql', '@apollo/server', '@types/node'],
    program: alpha,
    compilers: ['typescript-7'],
  },
  {
    name: 'with graphql 17 and a bundler',
    packages: ['graphql-17'],
    more: { module: 'esnext', moduleResolution: 'bundler' },
    compilers: ['typescript-7'],
  },
  {
    name: 'without the types of a browser',
    packages: ['graphql', '@types/node'],
    more: { types: [], lib: ['es2023'] },
    compilers: ['typescript-7'],
  },
];

/** Returns whether the types of a package, unpacked in a folder, compile for users. */
export function checkTypes(unpacked) {
  const { dependencies, exports, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(unpacked, 'package.json'), 'utf8'),
  );
  const entries = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  const imports = entries
    .map(([entry], at) => `export * as entry${at} from '${entry.replace('.', 'gg-svc')}';\n`)
    .join('');
  const all = {
    name: 'with the optional packages',
    packages: ['graphql', ...Object.keys(peerDependenciesMeta), '@types/express'],
    // The types of other packages do not all compile by themselves.
    more: { skipLibCheck: true },
    program: alpha + typed,
    compilers: ['typescript-7'],
  };
  const failed = [...users, all].filter((user) => !compile(unpacked, Object.keys(dependencies), imports, user));
  return failed.length === 0;
}

function compile(unpacked, required, imports, user) {
  const { name, packages, hasCommonJs = false, more, program = '' } = user;
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-types-'));
  try {
    for (const installed of installedWith([...required, ...packages])) {
      // Nested packages come with those that hold them.
      if (installed.lastIndexOf('node_modules/') > 0) continue;
      // npm takes an alias for what others ask for.
      if (installed === 'node_modules/graphql' && packages.includes('graphql-17')) continue;
      const link = join(folder, installed.replace('graphql-17', 'graphql'));
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, installed), link);
    }
    cpSync(unpacked, join(folder, 'node_modules/gg-svc'), { recursive: true });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: false,
      // A package finds the packages of this folder, and none beside its own copy.
      preserveSymlinks: true,
      ...more,
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.cts'] }));
    writeFileSync(join(folder, 'user.ts'), imports + program);
    if (hasCommonJs) writeFileSync(join(folder, 'user.cts'), imports);
    const wrong = (user.compilers ?? compilers).filter((compiler) => {
      const args = [join(modules, compiler, 'bin/tsc'), '-p', folder];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) console.error(`The types do not compile for a user ${name}, ${compiler}:\n${stdout}`);
      return status !== 0;
    });
    return wrong.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
