import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkTypes, run } from './server.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** The shipped examples, by the names of their folders here. */
const examples = {
  service: 'docs/examples/service.gg',
  project: 'docs/examples/project/service.gg',
  bookstore: 'docs/examples/bookstore/shop.gg',
  orders: 'docs/examples/orders/orders.gg',
  parcel: 'docs/examples/parcel/main.gg',
  clinic: 'docs/examples/clinic/clinic.gg',
};

/** How a generator writes a client of `openapi.json` into its folder. */
const generators = {
  'openapi-typescript': () => ['openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'index.ts']],
  'hey-api': () => ['@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'client']],
  orval: (folder) => {
    const api = { input: './openapi.json', output: { target: './index.ts', client: 'fetch' } };
    writeFileSync(`${folder}orval.config.cjs`, `module.exports = ${JSON.stringify({ api })};`);
    return ['orval/dist/bin/orval.js', ['--config', 'orval.config.cjs']];
  },
};

/** The types of events are exported, as those of answers are. */
const program = {
  'openapi-typescript': `import type { components } from './parcel/index';
    type Moved = components['schemas']['CourierMoved'];`,
  'hey-api': `import type { CourierMoved as Moved } from './parcel/client';`,
  orval: `import type { CourierMoved as Moved } from './parcel/index';`,
};

const documents = `${here}node_modules/.work/documents/`;
before(async () => {
  mkdirSync(documents, { recursive: true });
  for (const [name, topology] of Object.entries(examples)) {
    const args = ['build', `${root}${topology}`, '--no-config', '-o', name];
    await run('../../../../dist/tools/cli/gg-svc.js', args, documents);
  }
});

for (const [generator, commandFor] of Object.entries(generators)) {
  test(`clients that ${generator} generates for all examples compile, with the types of their events`, async () => {
    const all = `${here}node_modules/.work/examples-${generator}/`;
    rmSync(all, { recursive: true, force: true });
    for (const name of Object.keys(examples)) {
      const folder = `${all}${name}/`;
      mkdirSync(folder, { recursive: true });
      copyFileSync(`${documents}${name}/openapi.json`, `${folder}openapi.json`);
      const [script, options] = commandFor(folder);
      await run(script, options, folder);
    }
    const uses = Object.keys(examples).map(
      (name) => `export * as ${name} from './${name}/${generator === 'hey-api' ? 'client' : 'index'}';`,
    );
    const moved = `${program[generator]}
      export const placeOf = ({ courierId }: Moved): string => courierId;`;
    assert.equal(await checkTypes(all, `${moved}\n${uses.join('\n')}`), '');
  });
}
