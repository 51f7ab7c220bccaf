import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.js';
import { copyPackage } from '../programs/bundle.mjs';
import { asPattern, link, stepsOf } from './typed-steps.js';

// Pages that a reader follows from the first line to the last, in an empty folder. A block with `file=` is written to
// that file; each command of a `console` block is run there, and prints what stands below it. `…` stands for any text.

const pages = [
  'docs/tutorial.md',
  'docs/testing.md',
  // The older Node of the tests has no node:sqlite; the promised one has.
  ...(isBuiltin('node:sqlite') ? ['docs/store.md', 'docs/database.md', 'docs/clinic.md'] : []),
];

let built: string;
const folders: string[] = [];
/** The server that runs, what it has printed, and its end. */
let running: { readonly child: ChildProcess; said: string; readonly ended: Promise<unknown> } | undefined;

beforeAll(() => {
  built = copyPackage();
});

afterAll(() => {
  for (const folder of [built, ...folders]) rmSync(folder, { recursive: true, force: true });
});

describe.each(pages)('%s, followed step by step', (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-page-'));
  folders.push(folder);
  let port = '4000';

  afterAll(stop);

  it('begins in an empty folder', async () => {
    port = String(await freePort());
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    link(folder, 'gg-svc', built);
    mkdirSync(join(folder, 'node_modules/.bin'));
    symlinkSync('../gg-svc/dist/tools/cli/gg-svc.js', join(folder, 'node_modules/.bin/gg-svc'));
  });

  it.each(stepsOf(readFileSync(page, 'utf8')))('line $line: $title', async (step) => {
    // npx takes longer than the command; one page shows that it finds the program.
    const typed = page === 'docs/tutorial.md' ? step.text : step.text.replace(/^npx (?=gg-svc )/gm, '');
    const text = typed.replaceAll('4000', port);
    if ('file' in step) {
      mkdirSync(dirname(join(folder, step.file)), { recursive: true });
      const path = join(folder, step.file);
      // A new file changes nothing until another one names it.
      const server = existsSync(path) ? running : undefined;
      const before = server?.said.length;
      writeFileSync(path, `${text}\n`);
      const rebuilt = new RegExp(`${step.file} changed.*: rebuilt`);
      if (server !== undefined) await expect.poll(() => server.said.slice(before)).toMatch(rebuilt);
      return;
    }
    const install = /^npm install (?:-D )?(.*)$/.exec(text);
    if (install !== null) {
      const names = (install[1] ?? '').split(' ').filter((name) => name !== 'gg-svc');
      for (const name of names) link(folder, name, resolve('node_modules', name));
    } else if (/gg-svc (dev|serve)\b/.test(text)) {
      await stop();
      await start(folder, `${text} --port ${port}`);
    } else {
      const printed = execFileSync('sh', ['-c', text], {
        cwd: folder,
        env: environment(folder),
        encoding: 'utf8',
        stdio: 'pipe',
      });
      expect(printed.replaceAll(port, '4000').trimEnd()).toMatch(asPattern(step.output));
    }
  });
});

/** Finds the programs of the folder, as npx does. */
function environment(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
}

/** Starts a server, and waits until it says that it serves. */
async function start(folder: string, command: string): Promise<void> {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const server = { child, said: '', ended: once(child, 'close') };
  running = server;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      server.said += chunk.toString();
    });
  }
  await expect.poll(() => server.said).toContain('Ctrl+C');
}

/** Stops the server with the processes that `npx` has started, so that the next one gets the port. */
async function stop(): Promise<void> {
  const server = running;
  running = undefined;
  if (server?.child.pid === undefined) return;
  process.kill(-server.child.pid, 'SIGTERM');
  await server.ended;
}
