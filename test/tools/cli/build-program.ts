import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from './stand-in-io.js';

const root = fileURLToPath(repository);

/** The command line as it is shipped. */
export const program = join(root, 'dist/tools/cli/gg-svc.js');

/**
 * Packs the package, as it would be published.
 *
 * @returns The name of the file in the folder.
 */
export function packProgram(folder: string): string {
  buildProgram();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const printed = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(printed);
  return filename;
}

/** Builds the program, if it is older than what it is made of. */
export function buildProgram(): void {
  execFileSync(process.execPath, [join(root, 'scripts/ensure-built.mjs')], { stdio: 'inherit' });
}
