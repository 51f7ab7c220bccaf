import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis of its own, for one test file. */
export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts Debian's redis-server on a free port, with nothing kept on disk. Where there is none it is installed
 * with apt-get, which needs the rights to.
 *
 * @throws {Error} When there is none and it cannot be installed; the message says why.
 */
export async function startRedis(): Promise<RedisServer> {
  installRedis();
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-redis-'));
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    exited.then(() => reject(new Error(`redis-server did not start:\n${output}`)));
  });
  return {
    port,
    async stop() {
      child.kill();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function installRedis(): void {
  if (isThere()) return;
  const run = (...args: string[]) =>
    execFileSync('apt-get', args, {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  try {
    try {
      run('install', '-y', '--no-install-recommends', 'redis-server');
    } catch {
      // The lists of packages may be missing, or older than the packages.
      run('update');
      run('install', '-y', '--no-install-recommends', 'redis-server');
    }
  } catch (error) {
    throw new Error('This test needs redis-server, and apt-get could not install it.', { cause: error });
  }
  if (!isThere()) throw new Error('This test needs redis-server on the PATH.');
}

function isThere(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
