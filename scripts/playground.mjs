// Builds the playground, one static folder that any web server can serve: `npm run playground`.

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The optional packages of the server that the playground does without. */
const leftOut = ['@graphql-yoga/render-graphiql', '@modelcontextprotocol/server', '@opentelemetry/api', 'ioredis'];

/** Writes the playground into a folder. */
export async function buildPlayground(out = join(root, 'playground')) {
  rmSync(out, { recursive: true, force: true });
  const common = {
    absWorkingDir: root,
    outdir: out,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'external',
    logLevel: 'warning',
  };
  await Promise.all([
    build({
      ...common,
      entryPoints: { playground: 'web/playground/main.tsx', style: 'web/playground/playground.css' },
      jsx: 'automatic',
      jsxImportSource: 'preact',
    }),
    build({
      ...common,
      entryPoints: { compiler: 'web/playground/worker/compiler.ts', api: 'web/playground/worker/api.ts' },
      inject: ['web/playground/worker/globals.ts'],
      // A minified build would be one for production.
      define: { 'process.env.NODE_ENV': '"development"' },
      external: leftOut,
      plugins: [withoutNode(), withoutStore()],
    }),
  ]);
  copyFileSync(join(root, 'web/playground/index.html'), join(out, 'index.html'));
  writeFileSync(join(out, 'examples.json'), JSON.stringify(examples.map(readExample)));
}

/** Puts one module in the place of every module of Node.js. */
function withoutNode() {
  const stand = join(root, 'web/playground/worker/node.ts');
  return {
    name: 'without-node',
    setup: ({ onResolve }) => onResolve({ filter: /^node:/ }, () => ({ path: stand })),
  };
}

/** Leaves out the code of the store and of runs: browsers have no database, so these options are never given. */
function withoutStore() {
  return {
    name: 'without-store',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/](?:stored-resolvers|create-runs)\.ts$/ }, () => ({
        contents: 'export let storedResolvers, createRuns;',
      })),
  };
}

/** The examples of the documentation. The first file of each is the one that imports the others. */
const examples = [
  { title: 'Service', folder: '.', first: 'service.gg', resolvers: 'service.resolvers.mjs' },
  { title: 'Bookstore', folder: 'bookstore', first: 'shop.gg', resolvers: 'shop.resolvers.mjs' },
  { title: 'Parcel', folder: 'parcel', first: 'main.gg', resolvers: 'main.resolvers.mjs' },
];

function readExample({ title, folder, first, resolvers }) {
  const directory = join(root, 'docs/examples', folder);
  const read = (name) => readFileSync(join(directory, name), 'utf8');
  const others = readdirSync(directory).filter((name) => name.endsWith('.gg') && name !== first);
  const files = [first, ...others].map((name) => ({ name, text: read(name) }));
  return { title, files, resolvers: read(resolvers) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlayground();
