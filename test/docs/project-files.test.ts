import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
}
interface Workflow {
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const { version, scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const files = globSync('.github/**/*.{yml,json,md}', { dot: true }).toSorted();
const workflows = files
  .filter((file) => file.startsWith('.github/workflows/'))
  .map((file) => [basename(file), parse(readFileSync(file, 'utf8')) as Workflow] as const);

/** The npm scripts and the files that shell commands start. */
function startedBy(text: string): { scripts: string[]; files: string[] } {
  return {
    scripts: [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test)\b)/g)].map(
      ([, run, own]) => run ?? own ?? '',
    ),
    files: [...text.matchAll(/(?:\bnode |^)((?:\.|scripts\/|test\/)[\w./-]+)/gm)].map(([, file]) => file ?? ''),
  };
}

describe('the workflows of the repository', () => {
  test('test, measure and release', () => {
    expect(workflows.map(([name]) => name)).toEqual(['benchmark.yml', 'long.yml', 'release.yml', 'test.yml']);
  });

  test.each(workflows)('%s calls only existing commands', (_, { jobs }) => {
    const texts = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run, with: inputs = {} }) => [run, ...Object.values(inputs)].map(String)),
    );
    const started = texts.map(startedBy);
    expect(started.flatMap((one) => one.scripts).filter((name) => !(name in scripts))).toEqual([]);
    expect(started.flatMap((one) => one.files).filter((file) => !existsSync(file))).toEqual([]);
    expect(started.flatMap((one) => [...one.scripts, ...one.files]).length).toBeGreaterThan(0);
  });

  test.each(workflows)('%s has few permissions, a limit of time, and actions with versions', (_, workflow) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      for (const { uses } of job.steps) expect(uses ?? 'own/step@v1').toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
    }
  });

  test('run the tests on the oldest supported Node.js', () => {
    const nodes = workflows.flatMap(([, { jobs }]) =>
      Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.node ?? []),
    );
    expect(`>=${nodes[0]}`).toBe(engines.node);
  });

  test.each(files)('%s names public addresses only', (file) => {
    const text = readFileSync(file, 'utf8');
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
    const known = ['registry.npmjs.org', 'github.com', 'docs.renovatebot.com'];
    expect(hosts.filter((host) => !known.includes(host as string))).toEqual([]);
    expect(text).not.toMatch(/(?:^|[\s"'=])\/(?:home|root|tmp|work|Users)\//m);
  });
});

test.each([
  ['package-lock.json', 2],
  ['editors/vscode/package.json', 1],
  ['editors/vscode/package-lock.json', 2],
  ['editors/tree-sitter-gg/tree-sitter.json', 1],
  ['editors/zed/extension.toml', 1],
])('%s has the version of the package', (file, count) => {
  const places = readFileSync(file, 'utf8').matchAll(/^ *"?version"?(?:: | = )"(.+)"/gm);
  const versions = [...places].slice(0, count).map(([, found]) => found);
  expect(versions).toEqual(Array(count).fill(version));
});

describe('the comparison of benchmarks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-compare-'));
  const write = (name: string, lines: readonly string[]): string => {
    const file = join(folder, name);
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const line = (id: string, figures: string) =>
    `${id.padEnd(16)} ${'1k edges'.padEnd(20)} ${'1.0 against 2.0 ms'.padEnd(34)} ratio ${figures}  met (≤ 1)`;
  const compare = (base: string, head: string) =>
    spawnSync(process.execPath, ['scripts/compare-bench.mjs', base, head], { encoding: 'utf8' });
  const base = write('base.txt', [
    'measuring: parsing',
    line('parse', '0.50 (0.48–0.52)'),
    line('emit', '0.30 (0.29–0.31)'),
  ]);

  test('accepts rounds that overlap', () => {
    const { status, stdout } = compare(base, write('same.txt', [line('parse', '0.60 (0.51–0.70)')]));
    expect(status).toBe(0);
    expect(stdout).toContain('| parse 1k edges | 0.5 | 0.6 | 20 % |');
    expect(stdout).toContain('| emit 1k edges | | – | removed |');
  });

  test('rejects a row whose every round is slower', () => {
    const { status, stdout } = compare(base, write('slow.txt', [line('parse', '0.70 (0.65–0.75)')]));
    expect(status).toBe(1);
    expect(stdout).toContain('40 % **slower**');
  });

  test('uses the quietest of several runs', () => {
    const slow = write('noisy.txt', [line('parse', '0.70 (0.65–0.75)')]);
    const quiet = write('quiet.txt', [line('parse', '0.51 (0.50–0.53)')]);
    expect(compare(base, `${slow},${quiet}`).status).toBe(0);
  });

  test('rejects runs without rows', () => {
    expect(compare(base, write('empty.txt', ['failed'])).status).toBe(1);
  });
});
