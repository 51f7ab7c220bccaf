import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { diagnose } from '../../../src/base/diagnostics/diagnostic.js';
import { type ByteLimit, type BytesReading, readBytes, readFileBytes } from '../../../src/base/read/read-bytes.js';

const limit: ByteLimit = {
  bytes: 100_000,
  exceeded: (path, size) => diagnose('GG4004', { path, size, limit: 100_000 }, { file: path, start: 0, end: 0 }),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gg-svc-read-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function pipe(): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** What was read, or the message of the finding. */
function outcome(reading: BytesReading): string {
  return reading.ok ? Buffer.from(reading.bytes).toString() : reading.problem.message;
}

describe.each([
  ['readFileBytes', async (path: string) => outcome(readFileBytes(path, 'it', limit))],
  ['readBytes', async (path: string) => outcome(await readBytes(path, 'it', limit, '*/*'))],
])('%s', (_, read) => {
  test.each(['/dev/zero', '/dev/null', '/dev/full'])('rejects %s', async (path) => {
    expect(await read(path)).toBe('it cannot be read: it is not a file.');
  });

  test('reads at most the limit of a file and of a pipe', async () => {
    const path = join(folder, 'file');
    for (const size of [0, 1, 65_536, 65_537, 100_000]) {
      writeFileSync(path, 'x'.repeat(size));
      expect(await read(path)).toBe('x'.repeat(size));
    }
    writeFileSync(path, 'x'.repeat(300_000));
    expect(await read(path)).toBe('it has 300000 bytes; the limit is 100000.');
    const endless = pipe();
    execFileSync('sh', ['-c', `(cat /dev/zero > '${endless}') >/dev/null 2>&1 & echo started`]);
    expect(await read(endless)).toBe('it has 100001 bytes; the limit is 100000.');
  });

  test('waits for the writer of a pipe between its writes and until its end', async () => {
    const path = pipe();
    const late = `sleep 0.05; (printf a; sleep 0.05; printf b) > '${path}'`;
    execFileSync('sh', ['-c', `(${late}) >/dev/null 2>&1 & echo started`]);
    expect(await read(path)).toBe('ab');
  });

  test('gives up on a pipe without a writer or with an idle writer', async () => {
    const path = pipe();
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 4_000));
    expect(await read(path)).toBe('it cannot be read: nothing was written to the pipe for 10 seconds.');
    const writer = openSync(path, 'r+');
    writeSync(writer, 'begun');
    expect(await read(path)).toBe('it cannot be read: nothing was written to the pipe for 10 seconds.');
    closeSync(writer);
  });
});
