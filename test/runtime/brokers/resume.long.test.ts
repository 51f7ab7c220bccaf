import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import { until } from '../server/http-server.js';
import { brokerCases } from './broker-servers.js';

const folder = programFolder('resume');
const directory = mkdtempSync(join(tmpdir(), 'gg-svc-resume-'));
const children = new Set<ChildProcess>();

beforeAll(() =>
  bundlePrograms(['test/runtime/brokers/instance.ts', 'test/runtime/brokers/resuming-client.ts'], folder),
);
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
});

const total = 10_000;
// Kills follow the progress: on a busy machine, nothing would happen between kills at intervals.
const killed = 36;
// A safety net, in milliseconds. A busy machine must not reach it.
const patience = 600_000;

test.each(brokerCases.filter(({ keeps }) => keeps))(
  'clients of $name miss no event and get none twice while servers, broker and clients are killed',
  async ({ name, start, url }) => {
    const broker = await start();
    const log = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const key = { redis: 'channel', 'redis-streams': 'stream', nats: 'stream', postgres: 'table' }[name];
    const config: EventsConfig = { broker: name, url: url(broker.port), [key]: log, timeout: 120_000 };
    const portsFile = join(directory, `${name}.json`);
    const files = [join(directory, `${name}-one`), join(directory, `${name}-other`)];

    const ports: number[] = [];
    const servers: ChildProcess[] = [];
    const startServer = async (at: number): Promise<void> => {
      const child = run('instance', [JSON.stringify(config)]);
      servers[at] = child;
      for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
        ports[at] = Number(line);
        break;
      }
      writeFileSync(portsFile, JSON.stringify(ports));
    };
    await Promise.all([startServer(0), startServer(1)]);
    const clients = files.map((file) => run('resuming-client', [file, portsFile]));

    const acknowledged = new Set<string>();
    let next = 0;
    const publish = async (): Promise<void> => {
      const id = String(next++);
      const port = ports[Math.floor(Math.random() * ports.length)];
      const response = await fetch(`http://127.0.0.1:${port}/api/saveUser`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { id } }),
      }).catch(() => undefined);
      // A change without an answer is not repeated: its event may be there or not.
      if (response?.ok === true) acknowledged.add(id);
      else await pause(20);
      await response?.arrayBuffer().catch(() => undefined);
    };
    // A client that has no id yet cannot continue.
    while (!files.every((file) => linesOf(file).length > 0)) {
      await publish();
      await pause(50);
    }

    // What was published before a client began is not for it.
    const begun = next;
    const kills = { server: 0, broker: 0, client: 0 };
    const chaos = async (): Promise<void> => {
      for (let count = 0; count < killed; count++) {
        const progress = acknowledged.size + Math.random() * ((2 * total) / (3 * killed));
        await until(() => acknowledged.size >= progress, patience);
        const at = Math.floor(Math.random() * 2);
        const dice = Math.random() * 10;
        const untried = (['server', 'broker', 'client'] as const).find((kind) => kills[kind] === 0);
        const kind = untried ?? (dice < 4 ? 'server' : dice < 6 ? 'broker' : 'client');
        if (kind === 'server') {
          await kill(servers[at] as ChildProcess);
          await startServer(at);
        } else if (kind === 'broker') {
          await broker.kill();
          await broker.start();
        } else {
          await kill(clients[at] as ChildProcess);
          clients[at] = run('resuming-client', [files[at] as string, portsFile]);
        }
        kills[kind] += 1;
      }
    };
    let isOver = false;
    const killing = chaos().finally(() => {
      isOver = true;
    });
    const worker = async (): Promise<void> => {
      while (acknowledged.size < total || !isOver) await publish();
    };
    await Promise.all([killing, ...Array.from({ length: 16 }, worker)]);

    const before = acknowledged.size;
    while (acknowledged.size === before) await publish();
    const [last = ''] = [...acknowledged].slice(-1);
    await until(() => files.every((file) => linesOf(file).some((line) => line.endsWith(` ${last}`))), patience);
    for (const client of clients) await kill(client);

    const [one = [], other = []] = files.map((file) => {
      const lines = linesOf(file);
      expect(lines.filter((line) => /^(?:error|refused)/.test(line))).toEqual([]);
      // The client knows a repeated event by its id.
      return [...new Set(lines)].map((line) => line.split(' ') as [string, string]);
    });
    for (const events of [one, other]) {
      const payloads = events.map(([, payload]) => payload);
      expect(payloads).toHaveLength(new Set(payloads).size);
      const got = new Set(payloads);
      expect([...acknowledged].filter((id) => Number(id) >= begun && !got.has(id))).toEqual([]);
      const sequences = events.map(([id]) => sequenceOf(id));
      expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] as number) + at));
    }
    const from = [one, other].map(([first]) => sequenceOf(first?.[0] ?? '')).sort((a, b) => b - a)[0] ?? 0;
    const since = (events: [string, string][]) => events.filter(([id]) => sequenceOf(id) >= from);
    expect(since(one)).toEqual(since(other));
    for (const server of servers) await kill(server);
    await broker.stop();
  },
  3 * patience,
);

function sequenceOf(id: string): number {
  return Number(/:(\d+)-/.exec(id)?.[1]);
}

function run(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(folder, `${program}.mjs`), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
