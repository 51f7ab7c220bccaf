import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import config from '../vitest.config.js';
import { hosts } from './conformance/hosts.js';

interface Project {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
}

/** They run files of other projects once more, with another release of graphql-js. */
const repeating: ReadonlySet<string> = new Set(['graphql-17', 'graphql-17-long']);

const projects = (config.test?.projects ?? []).map((project) => (project as { test: Project }).test);

function filesOf({ include, exclude = [] }: Project): string[] {
  return globSync(include, { ignore: exclude });
}

describe('the projects of vitest.config.ts', () => {
  // The long plan installs packages with tests of their own below test/external.
  const files = globSync('test/**/*.test.ts', { ignore: ['test/bench/**', '**/node_modules/**'] });

  test('run in as many workers as processors, but at least two', () => {
    expect(config.test?.maxWorkers).toBeGreaterThanOrEqual(2);
    // Vitest refuses projects that differ in this.
    expect(projects.filter((project) => 'maxWorkers' in project)).toEqual([]);
  });

  test('name each test file once', () => {
    const named = projects.filter(({ name }) => !repeating.has(name)).flatMap(filesOf);
    expect(named.toSorted()).toEqual(files.toSorted());
  });

  test('repeat files of other projects in graphql-17', () => {
    const repeated = projects.filter(({ name }) => repeating.has(name)).flatMap(filesOf);
    expect(repeated.length).toBeGreaterThan(3);
    expect(repeated.filter((file) => !files.includes(file))).toEqual([]);
  });

  test('run the conformance suite on each host, one file a host', () => {
    const named = globSync('test/conformance/*.test.ts').flatMap(
      (file) => /^conform\('(.*)'\);$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? [],
    );
    expect(named.toSorted()).toEqual(hosts.map(({ name }) => name).toSorted());
  });
});
