// The packages that npm installs together, read from package-lock.json and `node_modules`, without a network.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The folders of these packages and of everything that `npm install` adds for them. */
export function installedWith(names) {
  const folders = new Set(names.map((name) => `node_modules/${name}`));
  // A set grows while it is walked.
  for (const folder of folders) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[folder];
    const required = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...required]) {
      const found = resolve(name, folder);
      if (found !== undefined && existsSync(join(root, found))) folders.add(found);
    }
  }
  return [...folders];
}

/** The folder in which a package finds another: its own, or the nearest one above. */
function resolve(name, from) {
  for (let above = from; ; above = above.slice(0, above.lastIndexOf('/node_modules/'))) {
    if (`${above}/node_modules/${name}` in packages) return `${above}/node_modules/${name}`;
    if (!above.includes('/node_modules/'))
      return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
  }
}
