import { statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { filesOfRun } from '../../programs/loaded-files.js';
import { buildProgram, program } from './build-program.js';
import { directoryWith } from './stand-in-io.js';

beforeAll(buildProgram);

const files = {
  'gg-svc.config.json': '{ "sources": ["a.gg"] }',
  'package.json': '{}',
  'a.gg': "(root)-[:PROCESS]->(hello { text: 'Hello' })\n",
  'b.gg': "(root)-[:PROCESS]->(hello { text: 'Hi' })\n",
};

describe('the built command line loads only what a command needs', () => {
  // The most files, and the most bytes: a little more than today.
  test.each([
    ['--help', 8, 63_000],
    ['check a.gg --no-config', 16, 578_000],
    ['check a.gg --no-config --format json', 17, 578_000],
    ['fmt a.gg --no-config', 17, 332_000],
    ['build a.gg --no-config -o out', 16, 583_000],
    ['diff a.gg b.gg --no-config', 22, 664_000],
    ['check --config gg-svc.config.json', 19, 596_000],
  ])('gg-svc %s: at most %i files and %i bytes', (line, most, bytes) => {
    const loaded = filesOfRun(program, line.split(' '), directoryWith(files));
    const size = loaded.reduce((sum, url) => sum + statSync(new URL(url)).size, 0);
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.length).toBeLessThanOrEqual(most);
    expect(size).toBeLessThanOrEqual(bytes);
    // The library beside the command line has a second copy of most of it.
    expect(loaded.filter((url) => !url.includes('/dist/tools/cli/') && !url.includes('/node_modules/'))).toEqual([]);
  });
});
