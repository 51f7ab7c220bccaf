import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyPackage } from '../programs/bundle.mjs';

export const clinicExample = 'docs/examples/clinic';

/** Runs the workflows of the clinic example over a store, with the shipped program. Returns what it prints. */
export async function testClinic(store: object, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-clinic-'));
  const built = copyPackage();
  try {
    cpSync(clinicExample, folder, { recursive: true });
    const path = join(folder, 'gg-svc.config.json');
    const project = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...project, server: { ...project.server, store } }));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(built, 'dist/tools/cli/gg-svc.js'), 'test', '--timeout', '60000'],
      { cwd: folder, env: { ...process.env, ...env } },
    );
    return stdout;
  } finally {
    for (const one of [folder, built]) rmSync(one, { recursive: true, force: true });
  }
}
