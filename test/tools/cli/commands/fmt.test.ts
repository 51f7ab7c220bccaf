import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directoryWith, runCli } from '../stand-in-io.js';

const loose = '(a,b)-[:FORK]->(c)\n';
const formatted = '(a | b)-[:FORK]->(c)\n';
const broken = '(a\n';

describe('gg-svc fmt', () => {
  test('formats the given files, and lists them', async () => {
    const directory = directoryWith({ 'a.gg': loose, 'b.gg': formatted });
    const result = await runCli(['fmt', 'a.gg', 'b.gg'], { directory });
    expect(result).toEqual({
      code: 0,
      stdout: 'formatted a.gg\n2 files: 1 formatted, 1 unchanged (0 ms)\n',
      stderr: '',
    });
    expect(readFileSync(join(directory, 'a.gg'), 'utf8')).toBe(formatted);
  });

  test('does not touch a formatted file', async () => {
    const directory = directoryWith({ 'a.gg': formatted });
    const before = statSync(join(directory, 'a.gg'));
    await runCli(['fmt', 'a.gg'], { directory });
    const after = statSync(join(directory, 'a.gg'));
    expect([after.mtimeMs, after.ino]).toEqual([before.mtimeMs, before.ino]);
  });

  test('formats all files below a directory, except node_modules and hidden directories', async () => {
    const directory = directoryWith({
      'a.gg': loose,
      'deep/er/b.gg': loose,
      'deep/c.txt': loose,
      'node_modules/d.gg': loose,
      '.hidden/e.gg': loose,
    });
    const { code, stdout } = await runCli(['fmt'], { directory });
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['formatted a.gg', `formatted ${join('deep', 'er', 'b.gg')}`]);
    for (const untouched of ['deep/c.txt', 'node_modules/d.gg', '.hidden/e.gg']) {
      expect(readFileSync(join(directory, untouched), 'utf8')).toBe(loose);
    }
  });

  test('keeps a file with syntax errors, formats the others and exits with 1', async () => {
    const directory = directoryWith({ 'a.gg': broken, 'b.gg': loose });
    const { code, stdout, stderr } = await runCli(['fmt', '.'], { directory });
    expect(stderr).toContain('error[GG1001]');
    expect(stderr).toContain('a.gg:1:3');
    expect(stdout).toBe('formatted b.gg\n2 files: 1 formatted, 0 unchanged, 1 with errors (0 ms)\n');
    expect(code).toBe(1);
    expect(readFileSync(join(directory, 'a.gg'), 'utf8')).toBe(broken);
    expect(readdirSync(directory).sort()).toEqual(['a.gg', 'b.gg']);
  });

  test('does not read imports', async () => {
    const directory = directoryWith({ 'a.gg': "import './b.gg'\n", 'b.gg': broken });
    expect((await runCli(['fmt', 'a.gg'], { directory })).code).toBe(0);
  });

  test('removes a byte order mark and keeps the line breaks of the file', async () => {
    const directory = directoryWith({ 'a.gg': '\ufeff(a)\r\n(b,c)' });
    await runCli(['fmt', 'a.gg'], { directory });
    expect(readFileSync(join(directory, 'a.gg'), 'utf8')).toBe('(a)\r\n(b | c)\r\n');
  });

  test('writes through a symbolic link and keeps permissions', async () => {
    const directory = directoryWith({ 'real/a.gg': loose });
    chmodSync(join(directory, 'real/a.gg'), 0o640);
    symlinkSync('real/a.gg', join(directory, 'link.gg'));
    await runCli(['fmt', 'link.gg'], { directory });
    expect(lstatSync(join(directory, 'link.gg')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'real/a.gg'), 'utf8')).toBe(formatted);
    expect(statSync(join(directory, 'real/a.gg')).mode & 0o777).toBe(0o640);
  });

  test.each<[string, string[], Record<string, string | Uint8Array>, RegExp]>([
    ['a missing file', ['none.gg'], {}, /GG4001/],
    ['a pattern without files', ['*.gg'], {}, /GG4005/],
    ['a directory without topologies', ['sub'], { 'sub/a.txt': '' }, /No file matches sub\/\*\*\/\*\.gg/],
    ['bytes that are not text', ['a.gg'], { 'a.gg': Uint8Array.of(0x28, 0xff) }, /GG4003/],
  ])('reports %s', async (_, args, files, message) => {
    const { code, stderr } = await runCli(['fmt', ...args], { directory: directoryWith(files) });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  test('reports a file that cannot be written', async () => {
    // A name so long that no temporary file can stand beside it.
    const long = `${'x'.repeat(250)}.gg`;
    const directory = directoryWith({ [long]: loose });
    const { code, stderr, stdout } = await runCli(['fmt', long], { directory });
    expect(stderr).toContain('GG4006');
    expect(stdout).toContain('0 formatted');
    expect(code).toBe(1);
    expect(readdirSync(directory)).toEqual([long]);
  });

  test.each([
    [['fmt', '-', 'a.gg'], /- \(standard input\) cannot be combined with files/],
    [['fmt', 'https://example.com/a.gg'], /Cannot write to https:\/\/example\.com\/a\.gg/],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('gg-svc fmt --check', () => {
  test('lists unformatted files, writes nothing and exits with 1', async () => {
    const directory = directoryWith({ 'a.gg': loose, 'b.gg': formatted });
    const result = await runCli(['fmt', '--check'], { directory });
    expect(result).toEqual({
      code: 1,
      stdout: 'a.gg\n',
      stderr: '1 of 2 files not formatted; run gg-svc fmt.\n',
    });
    expect(readFileSync(join(directory, 'a.gg'), 'utf8')).toBe(loose);
  });

  test('exits with 0 if all files are formatted', async () => {
    const directory = directoryWith({ 'a.gg': formatted });
    const result = await runCli(['fmt', '--check'], { directory });
    expect(result).toEqual({ code: 0, stdout: '1 file checked, all formatted (0 ms)\n', stderr: '' });
  });

  test('does not count a file with syntax errors as formatted', async () => {
    const directory = directoryWith({ 'a.gg': broken });
    const { code, stdout, stderr } = await runCli(['fmt', '--check'], { directory });
    expect(stdout).toBe('');
    expect(stderr).toContain('GG1001');
    expect(code).toBe(1);
  });
});

describe('gg-svc fmt -', () => {
  const given = (text: string | Uint8Array) => ({ readStdin: () => Promise.resolve(Buffer.from(text)) });

  test('formats standard input to standard output', async () => {
    expect(await runCli(['fmt', '-'], given(loose))).toEqual({ code: 0, stdout: formatted, stderr: '' });
  });

  test('writes nothing to standard output when there are syntax errors', async () => {
    const { code, stdout, stderr } = await runCli(['fmt', '-'], given(broken));
    expect(stdout).toBe('');
    expect(stderr).toContain('<stdin>:1:3');
    expect(code).toBe(1);
  });

  test('reports bytes that are not UTF-8', async () => {
    const { code, stderr } = await runCli(['fmt', '-'], given(Uint8Array.of(0xff)));
    expect(stderr).toContain('GG4003');
    expect(code).toBe(1);
  });

  test.each([
    [loose, 1, '<stdin>\n'],
    [formatted, 0, ''],
  ])('with --check only reports whether %j would change', async (text, code, stdout) => {
    expect(await runCli(['fmt', '--check', '-'], given(text))).toEqual({ code, stdout, stderr: '' });
  });
});
