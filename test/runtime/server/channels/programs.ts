import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { scratchFolder } from './io-server.js';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** A folder of programs that import the package as `./gg-svc.js` and `./channels.js`, beside node_modules. */
export interface Programs {
  readonly folder: string;
  /** Writes a program and gives its path. */
  add(name: string, text: string): string;
  remove(): void;
}

/** Translates the package for programs of their own process. */
export async function preparePrograms(): Promise<Programs> {
  mkdirSync(join(repository, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, 'node_modules/.cache/gg-svc-channels-'));
  await build({
    absWorkingDir: repository,
    entryPoints: { 'gg-svc': 'src/index.ts', channels: 'src/channels.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node22.15',
  });
  return {
    folder,
    add(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A program that runs, with the lines that it says. */
export interface Running {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Waits until it has said so many lines. */
  said(count: number): Promise<void>;
  /** Waits for its end. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a program; the command is `node` unless it is given. */
export function start(args: readonly string[], command = process.execPath): Running {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  let rest = '';
  let wake = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  let hasEnded = false;
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      hasEnded = true;
      wake();
      resolve({ code, signal });
    });
  });
  return {
    child,
    lines,
    ended,
    async said(count) {
      while (lines.length < count) {
        if (hasEnded) throw new Error(`The program ended after: ${lines.join('\n')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** A place where only a little can be written, and what a program there has to be started by. */
export interface SmallDisk {
  readonly folder: string;
  start(program: string, ...args: readonly string[]): Running;
}

/** Limits the size of the files that a program writes to 16 KiB. That is permitted everywhere. */
export function limitedFiles(): SmallDisk {
  return {
    folder: scratchFolder(),
    start: (...args) => start(['-c', 'ulimit -f 32; exec "$@"', 'sh', process.execPath, ...args], 'sh'),
  };
}

/** A disk of 16 KiB where this process may mount one; else a limit on the size of files. */
export function smallDisk(): SmallDisk {
  const folder = scratchFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
  if (status !== 0) return limitedFiles();
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
  });
  return { folder, start: (...args) => start(args) };
}
