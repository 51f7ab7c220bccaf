import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CliIo } from '../../../../src/tools/cli/terminal/io.js';
import { withProgress } from '../../../../src/tools/cli/terminal/progress.js';

/** A file as the terminal: what it got, with the marks that clear a line as `<`. */
function terminal(given: Partial<CliIo> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-progress-'));
  const path = join(folder, 'terminal');
  const fd = openSync(path, 'a');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const write = (text: string) => void writeSync(fd, text);
  const io = { stdout: write, stderr: write, stderrIsTerminal: true, env: {}, ...given } as CliIo;
  return { io, fd, text: () => readFileSync(path, 'utf8').replaceAll('\r\u001b[K', '<') };
}

/** Leaves timers no time until the terminal shows a text, as compiling does. */
function blockUntil(shows: () => boolean): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (!shows()) Atomics.wait(nothing, 0, 0, 1);
}

test('work shows its time in one line while it leaves timers no time; output takes the place of the line', async () => {
  const { io, fd, text } = terminal();
  const work = async (own: CliIo) => {
    blockUntil(() => /^Working… \d+ s/.test(text()));
    own.stdout('one\n');
    blockUntil(() => /s<one\nWorking… \d+ s/.test(text()));
    return 7;
  };
  expect(await withProgress('Working', io, work, fd, 0)).toBe(7);
  expect(text()).toMatch(/^(?:Working… \d+ s<)+one\n(?:Working… \d+ s<)+$/);
});

test('the line fits the terminal, and is gone after a failure, too', async () => {
  const { io, fd, text } = terminal({ stderrColumns: 6 });
  const work = async () => {
    blockUntil(() => text() !== '');
    throw new Error('failed');
  };
  await expect(withProgress('Working', io, work, fd, 0)).rejects.toThrow('failed');
  expect(text()).toMatch(/^(?:Worki<)+$/);
});

test('work that ends before the time shows nothing', async () => {
  const { io, fd, text } = terminal();
  await withProgress('Working', io, async () => undefined, fd, 1e9);
  expect(text()).toBe('');
});

test.each([{ stderrIsTerminal: false }, { env: { TERM: 'dumb' } }])('nothing is shown with %j', async (given) => {
  const { io, fd, text } = terminal(given);
  await withProgress('Working', io, async (own) => expect(own).toBe(io), fd, 0);
  expect(text()).toBe('');
});
