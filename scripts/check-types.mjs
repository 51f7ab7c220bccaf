// Compiles a program that imports every entry of the packed package, as a user with `skipLibCheck` off would: in an empty
// folder, with only the packages that `npm install gg-svc graphql` gives, and with the optional ones.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** Returns whether the types of a package, unpacked in a folder, compile for users. */
export function checkTypes(unpacked) {
  const { dependencies, exports, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(unpacked, 'package.json'), 'utf8'),
  );
  const entries = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  const imports = entries.map(([entry], at) => {
    const name = entry.replace('.', 'gg-svc');
    return `import * as entry${at} from '${name}';\nexport { entry${at} };\n`;
  });
  const required = Object.keys(dependencies);
  const optional = Object.keys(peerDependenciesMeta);
  const node = { types: [], lib: ['es2023'] };
  const users = [
    { name: 'with graphql 16', packages: [...required, 'graphql'], more: {} },
    {
      name: 'with graphql 17 and a bundler',
      packages: required,
      graphql: 'graphql-17',
      more: { module: 'esnext', moduleResolution: 'bundler' },
    },
    { name: 'without the types of a browser', packages: [...required, 'graphql'], more: node },
    {
      name: 'with the optional packages',
      packages: [...required, ...optional, 'graphql', '@types/express'],
      // The types of other packages do not all compile by themselves.
      more: { skipLibCheck: true },
      program: typed,
    },
  ];
  return users.map((user) => compile(unpacked, imports.join(''), user)).every(Boolean);
}

/** The types of an optional package that is installed are not `any`. */
const typed = `
import { createAlphaExpressMiddleware, createAlphaFastifyPlugin, createAlphaServer } from 'gg-svc';
// @ts-expect-error: it is an Apollo Server
export const server: number = createAlphaServer({ topologies: [] });
// @ts-expect-error: it is a handler of Express
export const handler: number = await createAlphaExpressMiddleware(createAlphaServer({ topologies: [] }));
// @ts-expect-error: it is a plugin of Fastify
export const plugin: number = createAlphaFastifyPlugin(createAlphaServer({ topologies: [] }));
`;

function compile(unpacked, imports, { name, packages, graphql = 'graphql', more, program = '' }) {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-types-'));
  try {
    const link = (target, as) => {
      const path = join(folder, 'node_modules', as);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
    };
    for (const used of packages) if (used !== 'graphql') link(join(modules, used), used);
    link(join(modules, graphql), 'graphql');
    // A copy, so that it finds its packages in this folder.
    cpSync(unpacked, join(folder, 'node_modules/gg-svc'), { recursive: true });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: false,
      ...more,
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(join(folder, 'user.ts'), imports + program);
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(modules, 'typescript/bin/tsc'), '-p', folder],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) console.error(`The types do not compile for a user ${name}:\n${stdout}`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
