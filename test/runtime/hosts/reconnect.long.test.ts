import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventSource } from 'eventsource';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../free-port.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import { type BrokerServer, brokerCases } from '../brokers/broker-servers.js';

// The stock clients, with their own settings for new connections, behind a balancer in front of two processes.

const folder = programFolder('reconnect');
const directory = mkdtempSync(join(tmpdir(), 'gg-svc-reconnect-'));
const children: ChildProcess[] = [];
const ends: (() => void)[] = [];
const brokerCase = brokerCases.find(({ name }) => name === 'redis-streams');
let broker: BrokerServer | undefined;

beforeAll(async () => {
  await bundlePrograms(['test/runtime/brokers/instance.ts'], folder);
  broker = await brokerCase?.start();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await broker?.stop();
  for (const place of [folder, directory]) rmSync(place, { recursive: true, force: true });
});

async function startServer(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const config = { broker: 'redis-streams', url: brokerCase?.url(broker?.port ?? 0), timeout: 120_000 };
  const child = spawn(process.execPath, [join(folder, 'instance.mjs'), JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  return { child, port: Number((await lines.next()).value) };
}

/** Balancers that prefer the first process, and turn to the second one when the first takes no connection. */
const balancers = {
  async 'a balancer of connections'(first: number, second: number): Promise<number> {
    const balancer = createServer((client) => {
      const pass = (port: number, instead?: () => void): void => {
        const server = connect(port, '127.0.0.1');
        server.once('connect', () => client.pipe(server).pipe(client));
        server.once('error', () => (instead ?? (() => client.destroy()))());
        client.once('close', () => server.destroy());
        server.once('close', (hasFailed) => {
          if (!hasFailed) client.destroy();
        });
      };
      client.on('error', () => undefined);
      pass(first, () => pass(second));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => balancer.listen(port, '127.0.0.1', resolve));
    ends.push(() => balancer.close());
    return port;
  },
  async nginx(first: number, second: number): Promise<number> {
    const port = await freePort();
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const config = join(directory, `${port}.conf`);
    writeFileSync(
      config,
      `daemon off; pid ${directory}/${port}.pid; error_log stderr crit;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http {
        access_log off;
        ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}
        upstream service {
          server 127.0.0.1:${first} max_fails=0;
          server 127.0.0.1:${second} backup;
        }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://service;
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $http_connection;
          }
        }
      }`,
    );
    execFileSync('nginx', ['-t', '-q', '-e', 'stderr', '-c', config], { stdio: 'pipe' });
    const nginx = spawn('nginx', ['-e', 'stderr', '-c', config], { stdio: 'inherit' });
    ends.push(() => nginx.kill('SIGTERM'));
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
    return port;
  },
};

type Take = (id: string) => void;

/** Each follows `userSaved`, and gives the position of its last event when it connects again, as its API provides. */
const clients = {
  'graphql-sse'(port: number, take: Take): void {
    let after: string | undefined;
    const client = createSseClient({
      url: `http://127.0.0.1:${port}/graphql`,
      headers: () => (after === undefined ? {} : { 'last-event-id': after }),
    });
    ends.push(() => client.dispose());
    const query = 'subscription ($after: String) { userSaved(after: $after) { id } }';
    client.subscribe<{ userSaved: { id: string } }, { eventId: string }>(
      { query },
      {
        next({ data, extensions }) {
          after = extensions?.eventId;
          take(data?.userSaved.id ?? 'nothing');
        },
        error: (error) => take(`error ${error}`),
        complete: () => take('complete'),
      },
    );
  },
  'graphql-ws'(port: number, take: Take): void {
    let after: unknown = null;
    const client = createSocketClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket });
    ends.push(() => void client.dispose());
    const variables = {
      get after() {
        return after;
      },
    };
    const query = 'subscription ($after: String) { userSaved(after: $after) { id } }';
    client.subscribe<{ userSaved: { id: string } }, { eventId: string }>(
      { query, variables },
      {
        next({ data, extensions }) {
          after = extensions?.eventId;
          take(data?.userSaved.id ?? 'nothing');
        },
        error: (error) => take(`error ${error}`),
        complete: () => take('complete'),
      },
    );
  },
  'EventSource over REST'(port: number, take: Take): void {
    const events = new EventSource(`http://127.0.0.1:${port}/api/userSaved`);
    ends.push(() => events.close());
    events.onmessage = ({ data }) => take(JSON.parse(data).id);
    events.addEventListener('complete', () => take('complete'));
  },
  'EventSource over GraphQL'(port: number, take: Take): void {
    const query = encodeURIComponent('subscription { userSaved { id } }');
    const events = new EventSource(`http://127.0.0.1:${port}/graphql?query=${query}`);
    ends.push(() => events.close());
    events.addEventListener('next', ({ data }) => take(JSON.parse(data).data.userSaved.id));
    events.addEventListener('complete', () => take('complete'));
  },
};

describe.each(Object.entries(balancers))('behind %s', (_, balance) => {
  let port = 0;
  let second = 0;
  let first: ChildProcess;
  beforeEach(async () => {
    const [one, other] = [await startServer(), await startServer()];
    first = one.child;
    second = other.port;
    port = await balance(one.port, other.port);
  });

  // A connection that waits to be accepted is lost when the first process stops listening.
  const publish = async (id: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${second}/api/saveUser`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: { id } }),
    });
    expect(response.status).toBe(200);
  };

  test('all stock clients get 5 of 5 events that are published while a process shuts down', async () => {
    const got = new Map<string, string[]>();
    for (const [name, follow] of Object.entries(clients)) {
      const taken: string[] = [];
      got.set(name, taken);
      follow(port, (id) => void taken.push(id));
    }
    // A client over a WebSocket has a position from its first event on.
    await expect
      .poll(async () => {
        await publish('before');
        return [...got.values()].every((taken) => taken.length > 0);
      })
      .toBe(true);
    const gone = new Promise((resolve) => first.once('exit', resolve));
    first.kill('SIGTERM');
    const expected = ['1', '2', '3', '4', '5'];
    for (const id of expected) {
      await publish(id);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await gone;
    const after = () => Object.fromEntries([...got].map(([name, ids]) => [name, ids.filter((id) => id !== 'before')]));
    await expect.poll(after).toEqual(Object.fromEntries(Object.keys(clients).map((name) => [name, expected])));
  });
});
