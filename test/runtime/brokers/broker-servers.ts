import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import { freePort } from '../../free-port.js';

/** A broker's server of its own, which keeps what it has on disk. */
export class BrokerServer {
  #process: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  private constructor(
    readonly port: number,
    private readonly directory: string,
    private readonly command: readonly [string, ...string[]],
    private readonly user: { readonly uid: number; readonly gid: number } | undefined,
    private readonly accepts: (port: number) => Promise<boolean>,
  ) {}

  /** Starts a server; `prepare` gets its directory, and `accepts` tells whether it has started. */
  static async start(
    prepare: (directory: string, port: number, user: BrokerServer['user']) => readonly [string, ...string[]],
    asUser?: string,
    accepts = acceptsConnections,
  ): Promise<BrokerServer> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'gg-svc-broker-'));
    const user = asUser === undefined || process.getuid?.() !== 0 ? undefined : idsOf(asUser);
    if (user !== undefined) chownSync(directory, user.uid, user.gid);
    const server = new BrokerServer(port, directory, prepare(directory, port, user), user, accepts);
    await server.start();
    return server;
  }

  /** Starts it on the same port, with what it had. Tries again while the last process still holds something. */
  async start(): Promise<void> {
    const [program, ...args] = this.command;
    for (let attempt = 0; attempt < 50; attempt++) {
      const child = spawn(program, args, { stdio: 'ignore', ...this.user });
      this.#process = child;
      let isRunning = true;
      this.#exited = new Promise((resolve, reject) => {
        child.once('error', (cause) => reject(new Error(`This test needs ${program} (see .ci/run).`, { cause })));
        child.once('exit', () => {
          isRunning = false;
          resolve();
        });
      });
      while (isRunning && !(await this.accepts(this.port))) await Promise.race([pause(50), this.#exited]);
      if (isRunning) return;
      await pause(200);
    }
    throw new Error(`${program} did not start.`);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#exited;
  }

  /** Keeps a copy of what it has on disk, which it must not change meanwhile: it is killed, and started again. */
  async snapshot(): Promise<void> {
    await this.kill();
    this.#copy(this.directory, this.#copyOfDirectory);
    await this.start();
  }

  /** Kills it, and starts it with the copy: it has lost what came since. */
  async rollBack(): Promise<void> {
    await this.kill();
    this.#copy(this.#copyOfDirectory, this.directory);
    await this.start();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(this.#copyOfDirectory, { recursive: true, force: true });
  }

  get #copyOfDirectory(): string {
    return `${this.directory}-copy`;
  }

  /** With owners and modes, on which PostgreSQL insists. */
  #copy(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-a', from, to]);
  }
}

/** A broker to test: how its server is started, and the settings of a client. */
export interface BrokerCase {
  readonly name: Exclude<EventsConfig['broker'], 'memory'>;
  /** Whether it keeps events, so that none is lost while it restarts. */
  readonly keeps: boolean;
  /**
   * A kill loses nothing that the server has written, whether or not it was synced. Tests do without, because limits of
   * time must not depend on the disk; benchmarks measure durable servers.
   */
  start(isDurable?: boolean): Promise<BrokerServer>;
  /** The URL with this password on this port. */
  url(port: number, password?: string): string;
  /** Stands in each request to the server. */
  readonly request: RegExp;
  /** Deletes the log, as an operator would: the key, the stream or the tables. Absent if it keeps no events. */
  delete?(port: number, log: string): Promise<void>;
}

const startRedis = (isDurable = false): Promise<BrokerServer> =>
  BrokerServer.start((directory, port) => [
    'redis-server',
    ...['--port', String(port), '--bind', '127.0.0.1', '--requirepass', 'secret'],
    ...['--save', '', '--appendonly', 'yes', '--appendfsync', isDurable ? 'always' : 'no', '--dir', directory],
  ]);
const redisUrl = (port: number, password = 'secret'): string => `redis://:${password}@127.0.0.1:${port}`;

/** The head of a command with arguments. */
const redisRequest = /\*\d+\r\n\$/g;
const postgresUrl = (port: number, password = 'secret'): string =>
  `postgres://gg:${password}@127.0.0.1:${port}/postgres`;

/** All brokers. */
export const brokerCases: readonly BrokerCase[] = [
  { name: 'redis', keeps: false, start: startRedis, url: redisUrl, request: redisRequest },
  {
    name: 'redis-streams',
    keeps: true,
    start: startRedis,
    url: redisUrl,
    request: redisRequest,
    async delete(port, log) {
      const client = new Redis(redisUrl(port));
      await client.del(log);
      client.disconnect();
    },
  },
  {
    name: 'nats',
    keeps: true,
    start: () =>
      BrokerServer.start((directory, port) => [
        'nats-server',
        ...['--addr', '127.0.0.1', '--port', String(port), '--user', 'gg', '--pass', 'secret'],
        ...['--jetstream', '--store_dir', directory],
      ]),
    url: (port, password = 'secret') => `nats://gg:${password}@127.0.0.1:${port}`,
    request: /^H?PUB /gm,
    async delete(port, log) {
      const connection = await connectNats({ servers: `127.0.0.1:${port}`, user: 'gg', pass: 'secret' });
      await (await jetstreamManager(connection)).streams.delete(log);
      await connection.close();
    },
  },
  {
    name: 'postgres',
    keeps: true,
    // It refuses to run as root.
    start: (isDurable = false) =>
      BrokerServer.start(
        (...given) => {
          const command = preparePostgres(...given);
          return isDurable ? command : [...command, '-c', 'fsync=off'];
        },
        'postgres',
        acceptsQueries,
      ),
    url: (port, password = 'secret') => postgresUrl(port, password),
    // The message Sync, which ends a query.
    request: /S\0\0\0\x04/g,
    async delete(port, log) {
      const client = new pg.Client(postgresUrl(port));
      await client.connect();
      await client.query(`DROP TABLE "${log}", "${log}_head"`);
      await client.end();
    },
  },
];

function preparePostgres(
  directory: string,
  port: number,
  user: { readonly uid: number; readonly gid: number } | undefined,
): [string, ...string[]] {
  const [data, password] = [join(directory, 'data'), join(directory, 'password')];
  writeFileSync(password, 'secret', { mode: 0o644 });
  const flags = ['--username=gg', '--auth=scram-sha-256', `--pwfile=${password}`, '--no-sync', '--no-locale'];
  execFileSync(postgresProgram('initdb'), [`--pgdata=${data}`, ...flags], { stdio: 'pipe', ...user });
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${directory}`];
  return [postgresProgram('postgres'), '-D', data, '-p', String(port), ...settings];
}

/** Debian keeps the programs of the server outside of the PATH. */
function postgresProgram(name: string): string {
  const root = '/usr/lib/postgresql';
  const [version] = existsSync(root) ? readdirSync(root) : [];
  return version === undefined ? name : join(root, version, 'bin', name);
}

/** Something between clients and a server, which can be cut. It counts what the requests of clients have in common. */
export async function startProxy(target: number, request?: RegExp) {
  let requests = 0;
  const sockets = new Set<{ destroy(): void }>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      if (request !== undefined && one === client) {
        client.on('data', (chunk) => {
          requests += chunk.toString('latin1').match(request)?.length ?? 0;
        });
      }
      one.on('error', () => undefined);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await new Promise<number>((resolve) => {
    proxy.listen(0, '127.0.0.1', () => resolve(portOf(proxy)));
  });
  return {
    port,
    get requests(): number {
      return requests;
    },
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      isCut = false;
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** PostgreSQL takes connections before it takes queries. */
async function acceptsQueries(port: number): Promise<boolean> {
  const client = new pg.Client(postgresUrl(port));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
