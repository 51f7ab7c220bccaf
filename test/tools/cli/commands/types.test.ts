import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = '(date_time: Scalar)\n(root)-[:PROCESS { id: ID!, since: DateTime }]->(user { id: ID! })\n';

describe('gg-svc types', () => {
  test('writes a module, and keeps an unchanged one', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const args = ['types', 'a.gg', '-o', 'src/compiler/api.types.ts'];
    expect(await runCli(args, { directory })).toEqual({
      code: 0,
      stdout: 'wrote src/compiler/api.types.ts\n',
      stderr: '',
    });
    expect(readFileSync(join(directory, 'src/compiler/api.types.ts'), 'utf8')).toContain('export type Resolvers<');
    expect((await runCli(args, { directory })).stdout).toBe('src/compiler/api.types.ts is up to date\n');
  });

  test('prints the module without -o', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout } = await runCli(['types', 'a.gg'], { directory });
    expect(code).toBe(0);
    expect(stdout).toContain('readonly readUser'.replace('readUser', 'user'));
    expect(stdout).toContain('export type DateTime = unknown;');
  });

  test('accepts the types of custom scalars, and --only', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const scalars = ['--scalar', 'DateTime=Date', '--rest-scalar', 'DateTime=string'];
    const { stdout } = await runCli(['types', 'a.gg', ...scalars], { directory });
    expect(stdout).toContain('export type DateTime = Date;');
    expect(stdout).toContain('  export type DateTime = string;');
    const rest = await runCli(['types', ...scalars, '--only', 'rest', 'a.gg'], { directory });
    expect(rest.code).toBe(0);
    expect(rest.stdout).not.toContain('Resolvers');
    const resolvers = await runCli(['types', 'a.gg', '--only', 'resolvers', ...scalars], { directory });
    expect(resolvers.stdout).not.toContain('namespace Rest');
  });

  test('adds the paths that are stale with --invalidation, or by the project file', async () => {
    const config = JSON.stringify({ sources: ['a.gg'], outputs: { invalidation: true } });
    const directory = directoryWith({ 'a.gg': topology, 'gg-svc.config.json': config });
    expect((await runCli(['types'], { directory })).stdout).toContain('export const stale = {');
    const args = ['types', 'a.gg', '--no-config'];
    expect((await runCli(args, { directory })).stdout).not.toContain('stale');
    expect((await runCli([...args, '--invalidation'], { directory })).stdout).toContain('export const stale = {');
  });

  test('adds the tables of stored nodes to the types of resolvers', async () => {
    const stored = "(book: Stored { id: ID! })\n(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)\n";
    const directory = directoryWith({ 'a.gg': stored });
    expect((await runCli(['types', 'a.gg'], { directory })).stdout).toContain('export interface StoreTables {');
    const rest = await runCli(['types', 'a.gg', '--only', 'rest'], { directory });
    expect(rest.stdout).not.toContain('StoreTables');
  });

  test.each([
    [['--scalar', 'DateTme=Date'], 'The topology has no custom scalar DateTme. Did you mean DateTime?'],
    [['--rest-scalar', 'User=Date'], 'The topology has no custom scalar User.'],
    [['--scalar', 'DateTime='], '--scalar must be a name and a type, such as DateTime=string, not DateTime=.'],
    [['--scalar', 'a b=c'], '--scalar must be a name and a type, such as DateTime=string, not a b=c.'],
    [['--scalar', 'DateTime=a;b'], '--scalar must be a name and a type, such as DateTime=string, not DateTime=a;b.'],
    [['--only', 'half'], "option '--only <part>' argument 'half' is invalid."],
  ])('%j is a usage error', async (args, message) => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout, stderr } = await runCli(['types', 'a.gg', ...args], { directory });
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  test('writes nothing for a topology with errors', async () => {
    const directory = directoryWith({ 'a.gg': '(a' });
    const { code, stdout, stderr } = await runCli(['types', 'a.gg'], { directory });
    expect(stderr).toContain('error[GG1001]');
    expect([code, stdout]).toEqual([1, '']);
  });

  test('reports an output file that cannot be written', async () => {
    const directory = directoryWith({ 'a.gg': topology, 'there/b': '' });
    const { code, stderr } = await runCli(['types', 'a.gg', '-o', 'there'], { directory });
    expect(stderr).toContain('error[GG4006]');
    expect(code).toBe(1);
  });
});
