import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The dependency with which a project gets the same gg-svc: a range of versions of the registry, or, if this one came
 * from somewhere else (a packed file, a checkout, a git repository), that place.
 *
 * @param packageRoot - The root of the running package.
 * @param project - The folder of the project.
 */
export function findPackageSource(packageRoot: URL, version: string, project: string): string {
  const root = fileURLToPath(packageRoot);
  const [host, ...below] = root.split(/[/\\]node_modules[/\\]/);
  if (host === undefined || below.length === 0) return fileSpec(root, project);
  // The package.json of the project, or of the folder that npx made, says what was asked for.
  const given = readDependencies(host)['gg-svc'];
  const path = /^(?:file|link):(.*)$/.exec(given ?? '')?.[1];
  if (path !== undefined && existsSync(resolve(host, path))) return fileSpec(resolve(host, path), project);
  return given !== undefined && /^(?:https?|git[a-z+]*|github|gitlab|bitbucket):/.test(given)
    ? given
    : `^${version}`;
}

/** The dependencies that a folder's package.json declares; none if there is no valid one. */
export function readDependencies(folder: string): Readonly<Record<string, string>> {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { ...manifest.peerDependencies, ...manifest.devDependencies, ...manifest.dependencies };
  } catch {
    return {};
  }
}

function fileSpec(path: string, project: string): string {
  return `file:${relative(project, path).replaceAll('\\', '/') || '.'}`;
}
