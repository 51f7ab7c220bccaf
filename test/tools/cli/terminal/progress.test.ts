import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CliIo } from '../../../../src/tools/cli/terminal/io.js';
import { withProgress } from '../../../../src/tools/cli/terminal/progress.js';

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    }),
);
afterEach(() => void vi.useRealTimers());

/** What the terminal got, with the marks that clear a line as `<`. */
function terminal(given: Partial<CliIo> = {}) {
  let text = '';
  const write = (more: string) => {
    text += more.replaceAll('\r\u001b[K', '<');
  };
  const io = {
    stdout: write,
    stderr: write,
    stderrIsTerminal: true,
    env: {},
    clock: () => performance.now(),
    ...given,
  } as CliIo;
  return { io, text: () => text };
}

test('work of up to a second shows nothing', async () => {
  const { io, text } = terminal();
  const done = withProgress('Working', io, () => new Promise((resolve) => setTimeout(resolve, 900, 7)));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await done, text()]).toEqual([7, '']);
});

test('longer work shows its time in one line, which makes room for output and is gone at the end', async () => {
  const { io, text } = terminal();
  const done = withProgress('Working', io, async (own) => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    own.stdout('one\n');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  });
  await vi.advanceTimersByTimeAsync(3_000);
  await done;
  expect(text()).toBe('Working… 1 s<one\nWorking… 1 s<Working… 1 s<Working… 1 s<Working… 2 s<');
});

test('the line is gone after a failure, too', async () => {
  const { io, text } = terminal({ stderrColumns: 6 });
  const done = withProgress('Working', io, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    throw new Error('failed');
  });
  const failed = expect(done).rejects.toThrow('failed');
  await vi.advanceTimersByTimeAsync(3_000);
  await failed;
  expect(text()).toBe('Worki<');
});

test.each([{ stderrIsTerminal: false }, { env: { TERM: 'dumb' } }])(
  'nothing is shown with %j',
  async (given) => {
    const { io, text } = terminal(given);
    const done = withProgress('Working', io, (own) => {
      expect(own).toBe(io);
      return new Promise((resolve) => setTimeout(resolve, 5_000));
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await done;
    expect(text()).toBe('');
  },
);
