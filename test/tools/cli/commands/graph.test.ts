import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = '(root)-[:PROCESS]->(read_user)\n(read_user)-[:MEASURE]->(load)\n(alone)\n';

describe('gg-svc graph', () => {
  test('writes Mermaid to standard output', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout, stderr } = await runCli(['graph', 'a.gg'], { directory });
    expect(stdout).toMatch(/^flowchart LR\n/);
    expect(stdout).toContain('PROCESS<br/>readUser');
    expect(stdout).not.toContain('alone');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test.each([
    ['mermaid', /^flowchart LR\n/],
    ['dot', /^digraph "topology" \{\n/],
    ['svg', /^<\?xml .*<svg [\s\S]*<\/svg>\s*$/s],
  ])('writes %s', async (format, expected) => {
    const directory = directoryWith({ 'a.gg': topology });
    expect((await runCli(['graph', 'a.gg', '-f', format], { directory })).stdout).toMatch(expected);
  });

  test.each([
    ['a.mmd', 'flowchart'],
    ['a.dot', 'digraph'],
    ['a.gv', 'digraph'],
    ['a.SVG', '<?xml'],
    ['a.txt', 'flowchart'],
    ['picture', 'flowchart'],
  ])('chooses the format of %s by its extension', async (file, start) => {
    const directory = directoryWith({ 'a.gg': topology });
    const out = join('new', file);
    const { stdout } = await runCli(['graph', 'a.gg', '-o', out], { directory });
    expect(stdout).toBe(`wrote ${out}: 3 nodes, 2 lines (1 other node left out)\n`);
    expect(readFileSync(join(directory, out), 'utf8').startsWith(start)).toBe(true);
    expect(readdirSync(join(directory, 'new'))).toEqual([file]);
  });

  test.each([
    [[], true, true],
    [['--theme', 'light'], true, false],
    [['--theme', 'dark'], false, true],
  ])('writes an SVG with the colours of %j', async (args, light, dark) => {
    const directory = directoryWith({ 'a.gg': topology });
    const { stdout } = await runCli(['graph', 'a.gg', '-f', 'svg', ...args], { directory });
    expect([stdout.includes('#fbfcfd'), stdout.includes('#12161b')]).toEqual([light, dark]);
    expect(stdout.includes('prefers-color-scheme')).toBe(light && dark);
    expect(stdout).toContain('<title>a.gg:1:1</title>');
  });

  test('draws a PNG, and keeps an unchanged one', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const args = ['graph', 'a.gg', '-o', 'a.png', '--width', '640'];
    const { stdout } = await runCli(args, { directory });
    expect(stdout).toBe('wrote a.png: 3 nodes, 2 lines (1 other node left out)\n');
    const png = readFileSync(join(directory, 'a.png'));
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect(png.readUInt32BE(16)).toBe(640);
    expect((await runCli(args, { directory })).stdout).toMatch(/^unchanged: a\.png/);
  });

  test('reports a picture that cannot be drawn, and writes no file', async () => {
    const chain = Array.from({ length: 60 }, (_, index) => `(a${index})-[:X]->(b${index})\n`).join('');
    const directory = directoryWith({ 'a.gg': chain });
    const args = ['graph', 'a.gg', '-o', 'a.png', '--width', '20000'];
    const { code, stderr } = await runCli(args, { directory });
    expect(stderr).toMatch(/error\[GG5066\] The picture a\.png cannot be drawn: it would have \d+ million pixels/);
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'a.png'))).toBe(false);
  });

  test('keeps an unchanged file', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    await runCli(['graph', 'a.gg', '-o', 'a.svg', '--types'], { directory });
    const { stdout } = await runCli(['graph', 'a.gg', '-o', 'a.svg', '--types'], { directory });
    expect(stdout).toBe('unchanged: a.svg: 4 nodes, 2 lines\n');
  });

  test('draws the neighbourhood of an operation', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(b)-[:PROCESS]->(c)\n` });
    const { stdout } = await runCli(['graph', 'a.gg', '--operation', 'readUser'], { directory });
    expect(stdout).toContain('read_user');
    expect(stdout).not.toContain('"c"');
  });

  test.each([
    [['--operation', 'readUsr'], /The topology has no operation readUsr\. Did you mean readUser\?/],
    [['--operation', 'zzzzzzzz'], /The topology has no operation zzzzzzzz\.\n/],
    [['--operation', 'readUser', '--types'], /--types cannot be combined with --operation/],
    [['--format', 'pdf'], /Allowed choices are mermaid, dot, svg, png/],
    [['--format', 'png'], /A PNG needs an output file/],
    [['-o', 'a.PDF'], /Cannot write \.pdf files\. Use \.mmd, \.dot, \.gv, \.svg or \.png, .* dot -Tpdf\./],
    [['-o', 'a.png', '--width', 'wide'], /--width must be an integer from 0 to 20000, not wide/],
    [['-o', 'a.png', '--width', '20001'], /--width must be an integer from 0 to 20000/],
    [['-o', 'a.png', '--width', '99'], /--width must be at least 100/],
    [['-o', 'a.svg', '--width', '100'], /--width is for PNG/],
    [['-o', 'a.dot', '--theme', 'dark'], /--theme is for SVG and PNG/],
    [['-o', 'a.svg', '--theme', 'blue'], /Allowed choices are auto, light, dark/],
    [['-o', 'out.d/a.json'], /Cannot write \.json files\./],
  ])('%j is a usage error', async (args, message) => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout, stderr } = await runCli(['graph', 'a.gg', ...args], { directory });
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('does not draw a topology with errors', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(b\n` });
    const { code, stderr } = await runCli(['graph', 'a.gg', '-o', 'a.svg'], { directory });
    expect(stderr).toContain('error[GG1001]');
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'a.svg'))).toBe(false);
  });

  test('reports an output file that cannot be written', async () => {
    const directory = directoryWith({ 'a.gg': topology, file: '' });
    const { code, stderr } = await runCli(['graph', 'a.gg', '-o', 'file/a.svg'], { directory });
    expect(stderr).toContain('GG4006');
    expect(code).toBe(1);
  });

  test('rejects pictures above the size limits', async () => {
    const edges = Array.from({ length: 1001 }, (_, index) => `(a${index})-[:X]->(b${index})\n`).join('');
    const directory = directoryWith({ 'a.gg': edges });
    const { code, stderr } = await runCli(['graph', 'a.gg', '-f', 'svg'], { directory });
    expect(stderr).toContain('Cannot lay out 2002 boxes and 1001 lines');
    expect(code).toBe(2);
    const nodes = Array.from({ length: 2001 }, (_, index) => `(a${index})\n`).join('');
    const types = directoryWith({ 'a.gg': nodes });
    const ofTypes = await runCli(['graph', 'a.gg', '-f', 'svg'], { directory: types });
    expect(ofTypes.stderr).toContain('Cannot lay out 2001 boxes and 0 lines');
    const dot = await runCli(['graph', 'a.gg', '-f', 'dot'], { directory });
    expect([dot.code, dot.stderr]).toEqual([0, '']);
    const mermaid = await runCli(['graph', 'a.gg'], { directory });
    expect(mermaid.stderr).toMatch(/^warning: 1001 lines, but Mermaid draws at most 500: raise its maxEdges/);
    expect(mermaid.code).toBe(0);
  });

  test.each([250, 450])('lays out a picture of %i lines', async (many) => {
    const edges = Array.from({ length: many }, (_, index) => `(a${index})-[:X]->(b${index})\n`).join('');
    const directory = directoryWith({ 'a.gg': edges });
    const { stdout } = await runCli(['graph', 'a.gg', '-f', 'svg'], { directory });
    expect(stdout.match(/class="stroke"/g)).toHaveLength(many);
  });
});
