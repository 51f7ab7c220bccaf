import { readFileSync } from 'node:fs';

/** The version of the package that lies at `packageRoot`. */
export function readVersion(packageRoot: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return String(version);
}
