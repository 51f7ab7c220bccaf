import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../dist/tools/cli/gg-svc.js', import.meta.url));

/** A running `gg-svc` in a folder of its own. */
export interface DevServer {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  readonly directory: string;
  readonly process: ChildProcess;
  /** What it has printed to both streams. */
  output(): string;
  /** Writes a file of its folder. */
  write(file: string, text: string): void;
  /** Waits for a text in its output. */
  printed(text: RegExp): Promise<void>;
}

/**
 * Starts the built command line, `gg-svc dev` by default, on a free port unless `args` has one; it ends with the test.
 *
 * @param files - The files of its folder, by name.
 * @param env - Further environment variables.
 * @param args - The arguments. Default: `dev` with the first file.
 */
export async function startDev(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = ['dev', Object.keys(files)[0] as string],
  env: Readonly<Record<string, string>> = {},
): Promise<DevServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-browser-'));
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  for (const [file, text] of Object.entries(files)) write(file, text);
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(process.execPath, [program, ...args, ...port], {
    cwd: directory,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let printed = '';
  const readers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
      for (const reader of readers) reader();
    });
  }
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  });
  const waitFor = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(printed);
        if (found === null) return;
        readers.delete(look);
        resolve(found);
      };
      readers.add(look);
      child.once('close', () => reject(new Error(`the server has ended: ${printed}`)));
      look();
    });
  const [origin] = await waitFor(/http:\/\/127\.0\.0\.1:\d+/);
  return {
    origin,
    directory,
    process: child,
    output: () => printed,
    write,
    async printed(text) {
      await waitFor(text);
    },
  };
}
