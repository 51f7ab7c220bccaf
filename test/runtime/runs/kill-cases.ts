import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import type { KilledServer } from './killed-server.js';

/** The workflows of parcel. */
const workflows = ['printLabel', 'decideClaim', 'payInvoice'] as const;

/** A database in which servers are killed. */
export interface KilledDatabase {
  /** A file of SQLite, or the URL of PostgreSQL. */
  readonly database: string;
  readonly directory: string;
  /** Runs statements. */
  change(sql: string): Promise<void>;
  /** The only column of the rows of a query. */
  read(sql: string): Promise<readonly string[]>;
  /** The table of the runs. */
  readonly runs: string;
  /** Notes each change of a table in the table `journal`, as text. */
  journal(table: string, changes: Readonly<Record<'INSERT' | 'UPDATE' | 'DELETE', string>>): string;
}

/** What kills have left. */
export interface KillOutcome {
  readonly workflow: string;
  readonly continuations: number;
  readonly killed: number;
  /** The calls of steps with resolvers that a kill has repeated. */
  readonly repeats: number;
}

/**
 * Kills servers, each at another `await` of its run, or of an earlier one that it goes on with, and lets two others end all
 * runs. Each step of the store has run once, each one that calls elsewhere at least once, with the id of the same shipment.
 *
 * @param kills - The number of servers to kill for each workflow; with `all`, a server is started for each `await` of a run,
 *   and at least half of them are killed.
 */
export async function checkKilledServers(
  { database, directory, change, read, runs, journal }: KilledDatabase,
  kills: number | 'all',
  only: readonly string[] = workflows,
): Promise<readonly KillOutcome[]> {
  const folder = programFolder('runs');
  await bundlePrograms(['test/runtime/runs/killed-server.ts'], folder);
  const calls = join(directory, 'calls');
  const run = (keys: readonly string[], killAt?: number) =>
    new Promise<{ signal: string | null; code: number | null; stdout: string; stderr: string }>((resolve) => {
      const given: KilledServer = { database, calls, keys, ...(killAt !== undefined && { killAt }) };
      const child = spawn(
        process.execPath,
        ['--no-warnings', join(folder, 'killed-server.mjs'), JSON.stringify(given)],
        // A fifth of the time of a process that is killed early is the compilation of its code.
        { env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') } },
      );
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  /** Lets the leases of dead processes expire, which takes 30 seconds otherwise. */
  const expire = () =>
    change(`UPDATE ${runs} SET available_at = created_at WHERE worker_id IS NOT NULL AND status = 'running'`);
  try {
    // It makes the tables.
    expect(await run([])).toMatchObject({ code: 0, stderr: '' });
    await change('CREATE TABLE journal (line TEXT NOT NULL)');
    const named = (sign: string, column: string) => `'${sign}' || ${column}`;
    await change(
      journal('customer', {
        INSERT: named('customer ', 'NEW.name'),
        UPDATE: named('changed ', 'NEW.name'),
        DELETE: named('left ', 'OLD.name'),
      }),
    );
    await change(
      journal('shipment', {
        INSERT: named('shipment of ', 'NEW."customerId"'),
        UPDATE: named('changed ', 'NEW."customerId"'),
        DELETE: named('cancelled ', 'OLD."customerId"'),
      }),
    );
    await change(
      journal('claim', {
        INSERT: named('claim for ', 'NEW."shipmentId"'),
        UPDATE: named('settled ', 'NEW."shipmentId"'),
        DELETE: named('dropped ', 'OLD."shipmentId"'),
      }),
    );
    const outcomes: KillOutcome[] = [];
    const all: string[] = [];
    for (const workflow of only) {
      const first = `${workflow}-whole`;
      const whole = await run([first]);
      expect(whole).toMatchObject({ code: 0 });
      const continuations = Number(whole.stdout);
      const count = kills === 'all' ? continuations : kills;
      // A process may need fewer continuations than the first one, which has waited longer: it ends before its kill. Then
      // its number is the estimate for the further servers, until the given number of them was killed.
      const most = kills === 'all' ? count : 3 * count;
      let estimate = continuations;
      let killed = 0;
      const keys: string[] = [];
      while (keys.length < most && (kills === 'all' || killed < count)) {
        const at = kills === 'all' ? keys.length : killed;
        const key = `${workflow}-${keys.length}`;
        keys.push(key);
        await expire();
        const one = await run([key], Math.ceil((estimate * (at + 1)) / (count + 1)));
        if (one.signal === 'SIGKILL') killed += 1;
        else if (kills !== 'all') estimate = Math.min(estimate, Number(one.stdout));
      }
      if (kills === 'all') expect(killed).toBeGreaterThan(count / 2);
      else expect(killed).toBe(count);
      await expire();
      for (const one of await Promise.all([run(keys), run(keys)])) expect(one).toMatchObject({ code: 0, signal: null });
      all.push(first, ...keys);
      const called = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : [];
      const own = called.filter((line) => line.startsWith(workflow));
      const different = new Set(own);
      const labels = [...different].map((line) => line.split(' ')[0] ?? '').sort();
      expect(labels).toEqual(workflow === 'decideClaim' ? [] : [first, ...keys].sort());
      outcomes.push({ workflow, continuations, killed, repeats: own.length - different.size });
    }
    const lines = await read('SELECT line FROM journal');
    expect(lines.length).toBe(new Set(lines).size);
    const linesOf = (sign: string) => lines.filter((line) => line.startsWith(sign));
    const of = (workflow: string) => all.filter((key) => key.startsWith(workflow));
    expect(linesOf('customer ').sort()).toEqual(all.map((key) => `customer ${key}`).sort());
    expect(linesOf('shipment of ')).toHaveLength(all.length);
    expect(linesOf('left ').sort()).toEqual(
      of('payInvoice')
        .map((key) => `left ${key}`)
        .sort(),
    );
    expect(linesOf('cancelled ')).toHaveLength(of('payInvoice').length);
    for (const sign of ['claim for ', 'settled ']) expect(linesOf(sign)).toHaveLength(of('decideClaim').length);
    for (const sign of ['changed ', 'dropped ']) expect(linesOf(sign)).toEqual([]);
    return outcomes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database of SQLite. */
export async function killedSqlite(directory: string): Promise<KilledDatabase> {
  const database = join(directory, 'data.sqlite');
  const { DatabaseSync } = await import('node:sqlite');
  const within = <T>(sql: string, use: (db: InstanceType<typeof DatabaseSync>) => T): T => {
    const db = new DatabaseSync(sql.includes('workflow_runs') ? `${database}.runs` : database);
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  return {
    ...{ database, directory, runs: 'workflow_runs' },
    change: async (sql) => within(sql, (db) => db.exec(sql)),
    read: async (sql) =>
      within(sql, (db) =>
        db
          .prepare(sql)
          .all()
          .map((row) => String(Object.values(row)[0])),
      ),
    journal: (table, changes) =>
      Object.entries(changes)
        .map(
          ([change, line]) =>
            `CREATE TRIGGER "${table}_${change}" AFTER ${change} ON "${table}" BEGIN INSERT INTO journal VALUES (${line}); END;`,
        )
        .join('\n'),
  };
}
