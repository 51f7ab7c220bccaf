import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../../../../src/tools/cli/files/write-files.js';
import { CommandFailure } from '../../../../src/tools/cli/terminal/command.js';
import { directoryWith } from '../stand-in-io.js';

const files = { 'a.txt': 'first\n', 'b.txt': 'second ü\n' };

/** The regular files of a directory with their texts; hidden ones too. */
function contentOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => statSync(join(directory, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

/** The diagnostic of a CommandFailure. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CommandFailure);
  return (error as CommandFailure).diagnostics[0];
}

describe('writing artifacts', () => {
  test('creates the directory and every file, and no other ones', async () => {
    const directory = directoryWith();
    expect(await writeFiles('deep/er', files, { directory })).toEqual({
      written: ['deep/er/a.txt', 'deep/er/b.txt'],
      unchanged: [],
    });
    expect(contentOf(join(directory, 'deep/er'))).toEqual(files);
  });

  test('keeps a file with the same text', async () => {
    const directory = directoryWith({ 'a.txt': 'first\n', 'b.txt': 'old\n' });
    utimesSync(join(directory, 'a.txt'), 1, 1);
    expect(await writeFiles('.', files, { directory })).toEqual({
      written: ['b.txt'],
      unchanged: ['a.txt'],
    });
    expect(statSync(join(directory, 'a.txt')).mtimeMs).toBe(1000);
    expect(contentOf(directory)).toEqual(files);
  });

  test('replaces a file of the same length with another text', async () => {
    const directory = directoryWith({ 'a.txt': 'fIrst\n' });
    await writeFiles('.', files, { directory });
    expect(contentOf(directory)).toEqual(files);
  });

  test('keeps the permissions of a file that it replaces', async () => {
    const directory = directoryWith({ 'a.txt': 'old\n' });
    chmodSync(join(directory, 'a.txt'), 0o640);
    await writeFiles('.', files, { directory });
    expect(statSync(join(directory, 'a.txt')).mode & 0o777).toBe(0o640);
  });

  test('writes through a symbolic link', async () => {
    const directory = directoryWith({ 'elsewhere/real.txt': 'old\n' });
    symlinkSync(join(directory, 'elsewhere/real.txt'), join(directory, 'a.txt'));
    await writeFiles('.', files, { directory });
    expect(lstatSync(join(directory, 'a.txt')).isSymbolicLink()).toBe(true);
    expect(contentOf(join(directory, 'elsewhere'))).toEqual({ 'real.txt': 'first\n' });
  });

  test('changes no file at all when one of them cannot be written (GG4006)', async () => {
    const directory = directoryWith({ 'a.txt': 'old\n' });
    mkdirSync(join(directory, 'b.txt'));
    const outcome = await failureOf(writeFiles('.', files, { directory }));
    expect(outcome).toMatchObject({
      code: 'GG4006',
      message: 'b.txt cannot be written: the path exists and is not a file.',
      span: { file: 'b.txt' },
    });
    expect(contentOf(directory)).toEqual({ 'a.txt': 'old\n' });
  });

  test('reports why the directory cannot be created', async () => {
    const directory = directoryWith({ taken: 'a file' });
    const outcome = await failureOf(writeFiles('taken/out', files, { directory }));
    expect(outcome).toMatchObject({
      code: 'GG4006',
      message: 'taken/out cannot be written: not a directory.',
    });
    expect(readFileSync(join(directory, 'taken'), 'utf8')).toBe('a file');
  });

  test('reports the reason if no directory can be created', async () => {
    const directory = directoryWith({ taken: 'a file' });
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    symlinkSync(join(directory, 'gone', 'x'), join(directory, 'dead'));
    symlinkSync('loop', join(directory, 'loop'));
    const taken = 'the path exists and is not a directory';
    const reasons = {
      taken,
      'taken/x/y': 'not a directory',
      pipe: taken,
      'pipe/x': 'not a directory',
      dead: taken,
      'dead/x/y': taken,
      'loop/x': 'too many symbolic links encountered',
      '/proc/gg-svc': 'no such file or directory',
      '/proc/gg-svc/x/y': 'no such file or directory',
      '/proc/self/x': 'no such file or directory',
      '/dev/null': taken,
      '/dev/null/x': 'not a directory',
    };
    for (const [place, reason] of Object.entries(reasons)) {
      const message = `${place} cannot be written: ${reason}.`;
      expect(await failureOf(writeFiles(place, files, { directory }))).toMatchObject({
        code: 'GG4006',
        message,
      });
    }
  });

  test('removes the temporary files of killed runs, and no others', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const id = randomUUID();
    const kept = [
      `.a.txt.${process.ppid}-${id}.tmp`,
      `.a.txt.${process.pid}-${id}.tmp`,
      `.c.txt.${dead}-${id}.tmp`,
      `.a.txt.${dead}-notes.tmp`,
      'a.txt.tmp',
    ];
    const abandoned = [`.a.txt.${dead}-${id}.tmp`, `.a.txt.${id}.tmp`, `.b.txt.${dead}-${id}.tmp`];
    const old = `.b.txt.${process.ppid}-${id}.tmp`;
    const names = [...kept, ...abandoned, old];
    const directory = directoryWith(Object.fromEntries(names.map((name) => [name, 'x'])));
    utimesSync(join(directory, old), 1, 1);
    await writeFiles('.', files, { directory });
    expect(readdirSync(directory).sort()).toEqual([...kept, ...Object.keys(files)].sort());
  });

  test('removes its temporary files if a file cannot be put in its place', async () => {
    const directory = directoryWith();
    // The name fits, but not with the few letters more that the temporary file needs.
    const long = 'x'.repeat(250);
    const outcome = await failureOf(writeFiles('.', { 'a.txt': 'first\n', [long]: 'second\n' }, { directory }));
    expect(outcome).toMatchObject({ code: 'GG4006' });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('shows readers the old text or the new one, never a part', async () => {
    const directory = directoryWith();
    const texts = ['x', 'y'].map((letter) => letter.repeat(500_000));
    writeFileSync(join(directory, 'a.txt'), texts[0] as string);
    let writing = true;
    const writer = (async () => {
      for (let round = 1; round <= 20; round++) {
        await writeFiles('.', { 'a.txt': texts[round % 2] as string }, { directory });
      }
      writing = false;
    })();
    const seen = new Set<string>();
    while (writing) {
      seen.add(readFileSync(join(directory, 'a.txt'), 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect([...seen].every((text) => texts.includes(text))).toBe(true);
  });
});
