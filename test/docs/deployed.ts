import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, vi } from 'vitest';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { codeBlocks } from './markdown.js';

/** A process of a deployment. */
export interface Deployed {
  readonly child: ChildProcess;
  /** Everything that it has printed. */
  readonly said: () => string;
  /** Its exit code, or the signal that ended it, once everything that it has printed was read. */
  readonly ended: Promise<number | string | null>;
}

const running: Deployed[] = [];
afterAll(async () => {
  const ends = running.splice(0).map(({ child, ended }) => {
    // npm does not pass the signal on to the processes that it has started, and a killed proxy would leave them.
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    return ended;
  });
  await Promise.allSettled(ends);
});

/** Starts a program; it is stopped after the tests of the file, if it still runs. */
export function start(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Deployed {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which is stopped as a whole.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const ended = new Promise<number | string | null>((done, fail) => {
    child.on('error', fail).on('close', (code, signal) => done(code ?? signal));
  });
  // A program that is missing fails the test that waits for it.
  ended.catch(() => undefined);
  const deployed = { child, said: () => said, ended };
  running.push(deployed);
  return deployed;
}

/** The time that a process may take to do what is waited for. */
export const patience = { timeout: 120_000 };

/** Starts `gg-svc serve` in a project, and waits until it serves. */
export async function serveProject(project: string, port: number, env: NodeJS.ProcessEnv = {}): Promise<Deployed> {
  const program = 'node_modules/gg-svc/dist/tools/cli/gg-svc.js';
  const served = start(process.execPath, [program, 'serve'], project, {
    PORT: String(port),
    HOST: '',
    ...env,
  });
  const isServing = vi.waitUntil(() => served.said().includes('Ctrl+C'), patience);
  const failed = served.ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${served.said()}`)));
  // Its end after the start is no failure.
  failed.catch(() => undefined);
  await Promise.race([isServing, failed]);
  return served;
}

/** A folder with the files of a project, in which packages are installed. */
export function projectWith(files: Readonly<Record<string, string>>, packages: readonly string[]): string {
  const project = directoryWith({ 'package.json': '{ "type": "module" }\n', ...files });
  for (const name of ['gg-svc', ...packages]) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(name === 'gg-svc' ? resolve('.') : resolve('node_modules', name), place);
  }
  return project;
}

/** The text of a block with `file=` on a page; the last one, if there are several. */
export function fileOf(page: string, name: string): string {
  const block = codeBlocks(readFileSync(page, 'utf8')).findLast(({ info }) => info.split(' ').includes(`file=${name}`));
  if (block === undefined) throw new Error(`${page} has no ${name}.`);
  return `${block.text}\n`;
}
