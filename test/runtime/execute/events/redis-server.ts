import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis of its own, for one test file. */
export interface RedisServer {
  /** The path of its socket: a port may be taken by others before it starts. */
  readonly path: string;
  stop(): Promise<void>;
}

/**
 * Starts redis-server on a socket, with nothing kept on disk.
 *
 * @throws {Error} When redis-server is not installed.
 */
export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-redis-'));
  const path = join(directory, 'redis.sock');
  const child = spawn(
    'redis-server',
    ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (/ready to accept connections/i.test(output)) resolve();
    });
    child.once('error', (cause) => reject(new Error('This test needs redis-server on the PATH.', { cause })));
    exited.then(() => reject(new Error(`redis-server did not start:\n${output}`)));
  });
  return {
    path,
    async stop() {
      child.kill();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
