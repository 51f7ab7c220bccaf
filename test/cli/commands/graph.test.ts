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
  ])('chooses the format of %s by its ending', async (file, start) => {
    const directory = directoryWith({ 'a.gg': topology });
    const out = join('new', file);
    const { stdout } = await runCli(['graph', 'a.gg', '-o', out], { directory });
    expect(stdout).toBe(`wrote ${out}: 3 nodes, 2 lines (1 other node left out)\n`);
    expect(readFileSync(join(directory, out), 'utf8').startsWith(start)).toBe(true);
    expect(readdirSync(join(directory, 'new'))).toEqual([file]);
  });

  test('does not write what is there already', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    await runCli(['graph', 'a.gg', '-o', 'a.svg', '--types'], { directory });
    const { stdout } = await runCli(['graph', 'a.gg', '-o', 'a.svg', '--types'], { directory });
    expect(stdout).toBe('unchanged: a.svg: 4 nodes, 2 lines\n');
  });

  test('draws what is around an operation', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(b)-[:PROCESS]->(c)\n` });
    const { stdout } = await runCli(['graph', 'a.gg', '--operation', 'readUser'], { directory });
    expect(stdout).toContain('read_user');
    expect(stdout).not.toContain('"c"');
  });

  test.each([
    [['--operation', 'readUsr'], /The topology has no operation readUsr\. Did you mean readUser\?/],
    [['--operation', 'zzzzzzzz'], /The topology has no operation zzzzzzzz\.\n/],
    [['--operation', 'readUser', '--types'], /--types cannot be combined with --operation/],
    [['--format', 'png'], /Allowed choices are mermaid, dot, svg/],
    [['-o', 'a.png'], /Cannot write \.png files\. Use \.mmd, \.dot, \.gv or \.svg, .* dot -Tpng\./],
    [['-o', 'a.PDF'], /Cannot write \.pdf files\./],
    [['-o', 'out.d/a.json'], /Cannot write \.json files\./],
  ])('%j is wrong use', async (args, message) => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout, stderr } = await runCli(['graph', 'a.gg', ...args], { directory });
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('draws nothing of a topology with errors', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(b\n` });
    const { code, stderr } = await runCli(['graph', 'a.gg', '-o', 'a.svg'], { directory });
    expect(stderr).toContain('error[GG1001]');
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'a.svg'))).toBe(false);
  });

  test('reports a place that cannot be written', async () => {
    const directory = directoryWith({ 'a.gg': topology, file: '' });
    const { code, stderr } = await runCli(['graph', 'a.gg', '-o', 'file/a.svg'], { directory });
    expect(stderr).toContain('GG4006');
    expect(code).toBe(1);
  });

  test('refuses to lay out pictures above the size limits', async () => {
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
    expect(stdout.match(/class="edge"/g)).toHaveLength(many);
  });
});
