// Prints what the package weighs and compares it with a budget: what npm publishes, what `npm install gg-svc graphql`
// puts into an empty folder, what `gg-svc/compiler` loads, and what browsers load of the studio and the playground.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedWith } from './installed.mjs';
import { buildLibrary, loadedBy } from './library.mjs';
import { buildPlayground } from './playground.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The most that each may have, in bytes, and the number of packages. */
const budget = {
  'package, packed': 2_200_000,
  'package, unpacked': 6_600_000,
  'installed with graphql': 15_000_000,
  'packages installed': 15,
  'gg-svc/compiler': 600_000,
  'studio page': 420_000,
  playground: 4_400_000,
};

/**
 * @param tarball - The file that npm publishes.
 * @param unpacked - The folder of its content.
 * @returns Whether everything is within the budget.
 */
export async function checkSizes(tarball, unpacked) {
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const installed = installedWith([...Object.keys(dependencies), 'graphql']).map((folder) => join(root, folder));
  const sizes = {
    'package, packed': statSync(tarball).size,
    'package, unpacked': bytesIn(unpacked),
    'installed with graphql': [unpacked, ...installed].reduce((sum, folder) => sum + bytesIn(folder, 4096), 0),
    'packages installed': installed.length + 1,
    'gg-svc/compiler': await inScratch(async (out) => loadedBy(await buildLibrary(out), 'compiler').bytes),
    'studio page': bytesIn(join(root, 'dist/pages/studio')),
    playground: await inScratch(async (out) => {
      await buildPlayground(out);
      return bytesIn(out);
    }),
  };
  const isWithin = Object.entries(budget).map(([name, most]) => {
    const size = sizes[name];
    const verdict = size <= most ? '' : ' (too much)';
    console.log(`${name}: ${size.toLocaleString('en')} of ${most.toLocaleString('en')}${verdict}`);
    return size <= most;
  });
  return isWithin.every(Boolean);
}

/** The bytes of the files in a folder, each rounded up to blocks of a size, as file systems do. */
function bytesIn(folder, block = 1) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path, block) : Math.ceil(statSync(path).size / block) * block;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
}

async function inScratch(measure) {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-size-'));
  try {
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
