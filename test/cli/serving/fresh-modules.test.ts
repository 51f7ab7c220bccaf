import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { directoryWith, repository } from '../stand-in-io.js';

// How modules are read anew is a matter between this package and Node; a test runner that loads modules in its
// own way has no part in it. So the command line runs in a process of its own, as its sources are now.

const root = fileURLToPath(repository);
let folder: string;

beforeAll(async () => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules/.cache/gg-svc-dev-'));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  await build({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts'],
    outdir: join(folder, 'dist'),
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Running {
  readonly written: () => string;
  readonly save: (file: string, text: string) => void;
  readonly answers: (path: string, expected: unknown) => Promise<void>;
  readonly says: (text: string) => Promise<void>;
}

async function run(files: Readonly<Record<string, string>>, args: readonly string[]): Promise<Running> {
  const cwd = directoryWith(files);
  const { FORCE_COLOR: _force, ...env } = process.env;
  const child = spawn(process.execPath, [join(folder, 'dist/cli/gg-svc.js'), ...args, '--port', '0'], {
    cwd,
    env,
  });
  children.push(child);
  let written = '';
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written += text;
        const found = /http:\/\/[\d.:]+(?=\/graphql)/.exec(written)?.[0];
        if (found !== undefined) resolve(found);
      });
    }
    child.on('exit', () => reject(new Error(`it ended at once: ${written}`)));
  });
  const patience = { timeout: 30_000, interval: 50 };
  return {
    written: () => written,
    save: (file, text) => writeFileSync(join(cwd, file), text),
    answers: (path, expected) =>
      vi.waitFor(async () => expect(await (await fetch(origin + path)).json()).toEqual(expected), patience),
    says: (text) => vi.waitFor(() => expect(written).toContain(text), patience),
  };
}

const topology = '(root)-[:PROCESS { id: ID! }]->(greeting { text: String! })\n';
const text = (word: string): string =>
  [
    "import mark from './mark.cjs';",
    "import names from './names.json' with { type: 'json' };",
    `export const text = () => ['${word}', mark.sign, ...names].join(' ');`,
    '',
  ].join('\n');
const files = {
  'a.gg': topology,
  'a.resolvers.mjs':
    "import { text } from './lib/text.mjs';\nexport default { Query: { greeting: () => ({ text: text() }) } };\n",
  'lib/text.mjs': text('one'),
  'lib/mark.cjs': "exports.sign = require('./sign.cjs');",
  'lib/sign.cjs': "module.exports = '!';",
  'lib/names.json': '["Ada"]',
};
const greeting = '/api/greeting?id=1';

describe('the resolvers', () => {
  test.each([
    ['dev', ['dev', 'a.gg']],
    ['serve --watch', ['serve', 'a.gg', '--watch']],
  ])('are read anew with all that they import: %s', async (_, args) => {
    const { answers, save, says } = await run(files, args);
    await answers(greeting, { text: 'one ! Ada' });
    save('lib/text.mjs', text('two'));
    await says('lib/text.mjs changed: rebuilt');
    await answers(greeting, { text: 'two ! Ada' });
    save('lib/sign.cjs', "module.exports = '?';");
    await answers(greeting, { text: 'two ? Ada' });
    save('lib/names.json', '["Grace", "Mary"]');
    await answers(greeting, { text: 'two ? Grace Mary' });
  });

  test('keep what they hold while only the topology changes', async () => {
    const counting =
      'let count = 0;\nexport const Query = { greeting: () => ({ text: String(++count) }) };\n';
    const { answers, save } = await run({ 'a.gg': topology, 'a.resolvers.mjs': counting }, ['dev', 'a.gg']);
    await answers(greeting, { text: '1' });
    save('a.gg', `${topology}(root)-[:PROCESS]->(more { text: 'more' })\n`);
    await answers('/api/more', { text: 'more' });
    await answers(greeting, { text: '2' });
  });

  test.each([
    [
      'does not parse',
      'export const text = {\n',
      'SyntaxError: Unexpected end of input (lib/text.mjs, line ',
    ],
    [
      'throws',
      "export const text = 1;\nthrow new TypeError('no database');\n",
      'TypeError: no database (lib/text.mjs, line 2).',
    ],
  ])('that import something that %s are told by file and line', async (_, broken, message) => {
    const { answers, save, says } = await run(files, ['dev', 'a.gg']);
    save('lib/text.mjs', broken);
    await says(message);
    await says('lib/text.mjs changed: build failed');
    await answers(greeting, { text: 'one ! Ada' });
    save('lib/text.mjs', text('mended'));
    await answers(greeting, { text: 'mended ! Ada' });
  });
});
