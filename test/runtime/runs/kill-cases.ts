import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import type { KilledServer } from './killed-server.js';

/**
 * Kills servers, each at another `await` of its run, and lets two others end all runs. A step of the store has run once,
 * one that calls elsewhere at least once, with the ids of the same parcel.
 *
 * @param expire - Lets the leases of dead processes expire, which takes 30 seconds otherwise.
 * @param parcels - Reads the names of the customers of all parcels.
 */
export async function checkKilledServers(
  { database, directory }: { readonly database: string; readonly directory: string },
  kills: number,
  expire: () => Promise<void>,
  parcels: () => Promise<readonly string[]>,
): Promise<void> {
  const folder = programFolder('runs');
  await bundlePrograms(['test/runtime/runs/killed-server.ts'], folder);
  const calls = join(directory, 'calls');
  const run = (keys: readonly string[], killAt?: number) =>
    new Promise<{ signal: string | null; code: number | null; stdout: string; stderr: string }>((resolve) => {
      const given: KilledServer = { database, calls, keys, ...(killAt !== undefined && { killAt }) };
      const child = spawn(process.execPath, [
        '--no-warnings',
        join(folder, 'killed-server.mjs'),
        JSON.stringify(given),
      ]);
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  try {
    const whole = await run(['whole']);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    const keys = Array.from({ length: kills }, (_, at) => `key-${at}`);
    let killed = 0;
    for (const [at, key] of keys.entries()) {
      const { signal } = await run([key], Math.ceil((Number(whole.stdout) * (at + 1)) / (kills + 1)));
      if (signal === 'SIGKILL') killed += 1;
    }
    // A process may need fewer continuations than the first one, which has waited longer.
    expect(killed).toBeGreaterThan(kills / 2);
    await expire();
    const last = await Promise.all([run(keys), run(keys)]);
    for (const one of last) expect(one).toMatchObject({ code: 0 });
    const all = [...keys, 'whole'].sort();
    expect([...(await parcels())].sort()).toEqual(all);
    const lines = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : [];
    const labels = [...new Set(lines)].map((line) => line.split(' ')[0] ?? '');
    expect(labels.sort()).toEqual(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The cases on SQLite. */
export async function checkKilledSqlite(directory: string, kills: number): Promise<void> {
  const database = join(directory, 'data.sqlite');
  const { DatabaseSync } = await import('node:sqlite');
  const read = <T>(file: string, use: (db: InstanceType<typeof DatabaseSync>) => T): T => {
    const db = new DatabaseSync(file);
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  await checkKilledServers(
    { database, directory },
    kills,
    async () =>
      read(`${database}.runs`, (db) =>
        db.exec(
          "UPDATE workflow_runs SET available_at = created_at WHERE worker_id IS NOT NULL AND status = 'running'",
        ),
      ),
    async () =>
      read(database, (db) =>
        db
          .prepare('SELECT name FROM parcel JOIN customer ON customer.id = parcel."customerId"')
          .all()
          .map(({ name }) => String(name)),
      ),
  );
}
