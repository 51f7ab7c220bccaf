import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import type { KilledWriter } from './killed-writer.js';

/** More than the continuations of a mutation, so that those of two are reached. */
const continuations = 400;

/**
 * Sends mutations from processes that are killed, each at another `await`, and sends the one that has no answer again.
 * Returns the number of processes that were killed.
 */
async function writeWhileKilled(
  target: Pick<KilledWriter, 'database' | 'eventFile'>,
  total: number,
  kills: number,
): Promise<number> {
  const folder = programFolder('killed');
  await bundlePrograms(['test/runtime/store/killed-writer.ts'], folder);
  let next = 0;
  let killed = 0;
  const run = (kill?: KilledWriter['kill']): void => {
    const writer: KilledWriter = { ...target, from: next, to: total, ...(kill && { kill }) };
    const { stdout, stderr, signal, status } = spawnSync(
      process.execPath,
      ['--no-warnings', join(folder, 'killed-writer.mjs'), JSON.stringify(writer)],
      { encoding: 'utf8' },
    );
    if (signal === 'SIGKILL') killed += 1;
    else expect({ status, stderr }).toMatchObject({ status: 0 });
    const numbers = stdout.split('\n').filter(Boolean).map(Number);
    next = Math.max(next, (numbers.at(-1) ?? -1) + 1);
  };
  try {
    for (let kill = 0; kill < kills; kill++) {
      // The last ones have four mutations, which need more continuations than are counted.
      const from = Math.max(next, Math.floor(((total - 4) * (kill + 1)) / kills));
      run({ from, at: Math.ceil(((kill + 1) * continuations) / kills) });
    }
    run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return killed;
}

/** The titles of the events in a file, once for each id. */
function titlesIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { readonly id: string; readonly payload: string });
  const payloads = new Map(events.map(({ id, payload }) => [id, payload]));
  return [...payloads.values()].map((payload) => String(JSON.parse(payload).title));
}

/** The numbers of mutations as texts, sorted: each is the title of one row and of one event. */
const numbersTo = (total: number): readonly string[] => Array.from({ length: total }, (_, at) => String(at)).sort();

/** Kills processes that write to SQLite, and compares its rows with the events and the keys. */
export async function checkKilledSqlite(directory: string, total: number, kills: number): Promise<void> {
  const [database, eventFile] = [join(directory, 'data.sqlite'), join(directory, 'events')];
  expect(await writeWhileKilled({ database, eventFile }, total, kills)).toBe(kills);
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(database);
  const titles = db.prepare('SELECT title FROM book').all();
  const counts = ['note', 'gg_svc_keys', 'gg_svc_outbox'].map(
    (table) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
  );
  db.close();
  expect(titles.map(({ title }) => String(title)).sort()).toEqual(numbersTo(total));
  expect(counts).toEqual([total, total, 0]);
  expect([...titlesIn(eventFile)].sort()).toEqual(numbersTo(total));
}

/**
 * Kills processes that write to PostgreSQL, whose log of events is the outbox, and compares its rows with the events and
 * the keys.
 */
export async function checkKilledPostgres(database: string, total: number, kills: number): Promise<void> {
  expect(await writeWhileKilled({ database }, total, kills)).toBe(kills);
  const client = new pg.Client(database);
  await client.connect();
  const column = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  const titles = await column('SELECT title FROM book');
  const payloads = await column('SELECT payload FROM gg_svc_events');
  const counts = await column(`SELECT (SELECT count(*)::int FROM note), (SELECT count(*)::int FROM gg_svc_keys),
    (SELECT count(*)::int FROM gg_svc_outbox)`);
  await client.end();
  expect(titles.sort()).toEqual(numbersTo(total));
  expect(payloads.map((payload) => JSON.parse(payload).title).sort()).toEqual(numbersTo(total));
  expect(counts).toEqual([total, total, 0]);
}
