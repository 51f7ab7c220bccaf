import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { copyPackage } from '../../../programs/bundle.mjs';
import { directoryWith } from '../stand-in-io.js';

// How modules are read anew is a matter between this package and Node; a test runner that loads modules in its
// own way has no part in it. So the command line runs in a process of its own, as its sources are now.

let folder: string;

beforeAll(() => {
  folder = copyPackage();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Running {
  readonly save: (file: string, text: string) => void;
  readonly answers: (path: string, expected: unknown) => Promise<void>;
  /** Waits for something that is written after the latest save. */
  readonly says: (text: string | RegExp) => Promise<void>;
  readonly written: () => string;
}

/** Resolvers and a context that share a file, which counts its instances. */
const sharing = {
  'service.gg': '(root)-[:PROCESS]->(seen { own: Int!, other: Int!, version: String! })',
  'lib/shared.mjs': 'globalThis.count = (globalThis.count ?? 0) + 1;\nexport const number = globalThis.count;\n',
  'service.context.mjs':
    "import { number } from './lib/shared.mjs';\nexport default () => ({ number });\nexport const dispose = () => console.log('context ends', number);\n",
  'service.resolvers.mjs':
    "import { number } from './lib/shared.mjs';\nexport const Query = { seen: (_, args, context) => ({ own: number, other: context.number, version: 'a' }) };\nexport const dispose = () => console.log('resolvers end', number);\n",
};

async function run(files: Readonly<Record<string, string>>, args: readonly string[]): Promise<Running> {
  const cwd = directoryWith(files);
  const { FORCE_COLOR: _force, ...env } = process.env;
  const child = spawn(process.execPath, [join(folder, 'dist/tools/cli/gg-svc.js'), ...args, '--port', '0'], {
    cwd,
    env,
  });
  children.push(child);
  let written = '';
  let saved = 0;
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
  return {
    save: (file, text) => {
      saved = written.length;
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    },
    answers: (path, expected) => expect.poll(async () => (await fetch(origin + path)).json()).toEqual(expected),
    says: (text) => expect.poll(() => written.slice(saved)).toMatch(text),
    written: () => written,
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
  ])('are loaded again with all of their imports: %s', async (_, args) => {
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

  test('keep their state while only the topology changes', async () => {
    const counting = 'let count = 0;\nexport const Query = { greeting: () => ({ text: String(++count) }) };\n';
    const { answers, save } = await run({ 'a.gg': topology, 'a.resolvers.mjs': counting }, ['dev', 'a.gg']);
    await answers(greeting, { text: '1' });
    save('a.gg', `${topology}(root)-[:PROCESS]->(more { text: 'more' })\n`);
    await answers('/api/more', { text: 'more' });
    await answers(greeting, { text: '2' });
  });

  const broken = [
    ['export const text = {\n', 'SyntaxError: Unexpected end of input (lib/text.mjs, line '],
    ["export const text = 1;\nthrow new TypeError('no database');\n", 'TypeError: no database (lib/text.mjs, line 2).'],
  ] as const;

  test('that import something that does not parse, or throws, are reported with file and line', async () => {
    const { answers, save, says } = await run(files, ['dev', 'a.gg']);
    let word = 'one';
    for (const [module, message] of broken) {
      save('lib/text.mjs', module);
      await says(message);
      await says('lib/text.mjs changed: build failed');
      await answers(greeting, { text: `${word} ! Ada` });
      word = `${word} mended`;
      save('lib/text.mjs', text(word));
      await answers(greeting, { text: `${word} ! Ada` });
    }
  });

  const missing = [
    ["import { text } from './late/text.mjs';", { 'late/text.mjs': "export const text = 'late';" }],
    [
      "import { createRequire } from 'node:module';\nconst { text } = createRequire(import.meta.url)('./later');",
      { 'later.js': "exports.text = 'later';" },
    ],
    [
      "import { text } from '@late/texts/all';",
      {
        'node_modules/@late/texts/all.js': "exports.text = 'last';",
        'node_modules/@late/texts/package.json': '{"exports":{"./all":"./all.js"}}',
      },
    ],
  ] as const;

  test('are loaded when a file, a required file or a package that they import appears', async () => {
    const { answers, save, says } = await run(files, ['dev', 'a.gg']);
    for (const [line, appearing] of missing) {
      save('a.resolvers.mjs', `${line}\nexport default { Query: { greeting: () => ({ text }) } };\n`);
      // A file that appeared before may be named beside it.
      await says(/a\.resolvers\.mjs changed.*: build failed/);
      for (const [file, content] of Object.entries(appearing)) save(file, content);
      await answers(greeting, { text: /text = '(\w+)'/.exec(Object.values(appearing).join())?.[1] });
    }
  });

  test('may be TypeScript if Node.js supports it', async () => {
    const { answers, save, says } = await run({ 'a.gg': topology }, ['dev', 'a.gg']);
    const resolvers = (word: string): string =>
      `type Word = string;\nconst text: Word = '${word}';\nexport default { Query: { greeting: () => ({ text }) } };\n`;
    save('a.resolvers.ts', resolvers('typed'));
    if (!process.features.typescript) {
      await says(
        `The resolvers in a.resolvers.ts cannot be loaded: TypeScript modules need Node.js 22.18 or newer, and this is ${process.version}; compile it to a .mjs file.`,
      );
      return;
    }
    await answers(greeting, { text: 'typed' });
    save('a.resolvers.ts', resolvers('changed'));
    await answers(greeting, { text: 'changed' });
  });
});

test('channels that appear next to the topology are opened once they are valid', async () => {
  const { answers, save, says } = await run({ 'a.gg': '(root)-[:PROCESS]->(note { text: String! })\n' }, [
    'dev',
    'a.gg',
  ]);
  save('a.channels.mjs', 'export default 5;');
  await says('The channels in a.channels.mjs cannot be loaded: its default export must be a list');
  const channel = (direction: string) =>
    `export default [{ node: 'note', direction: '${direction}', transport: 'memory', read: () => ({ text: 'kept' }) }];`;
  save('a.channels.mjs', channel('out'));
  await says("The channel of the node note is invalid: the direction 'out' does not allow read.");
  save('a.channels.mjs', channel('in'));
  await answers('/api/note', { text: 'kept' });
});

describe('a file that the resolvers and the context import', () => {
  test('has one instance, whichever of the three files changes, and replaced modules are disposed of', async () => {
    const api = await run(sharing, ['dev', 'service.gg']);
    await api.answers('/api/seen', { own: 1, other: 1, version: 'a' });
    api.save('service.resolvers.mjs', sharing['service.resolvers.mjs'].replace("'a'", "'b'"));
    await api.answers('/api/seen', { own: 2, other: 2, version: 'b' });
    await api.says('resolvers end 1');
    await api.says('context ends 1');
    api.save('service.context.mjs', `${sharing['service.context.mjs']}// changed`);
    await api.answers('/api/seen', { own: 3, other: 3, version: 'b' });
    api.save('lib/shared.mjs', `${sharing['lib/shared.mjs']}// changed`);
    await api.answers('/api/seen', { own: 4, other: 4, version: 'b' });
    await api.says('resolvers end 3');
    expect(api.written()).not.toContain('resolvers end 4');
  });

  test('has one instance after an error was corrected', async () => {
    const api = await run(sharing, ['dev', 'service.gg']);
    api.save('service.resolvers.mjs', 'export const Query = {');
    await api.says('build failed');
    await api.answers('/api/seen', { own: 1, other: 1, version: 'a' });
    expect(api.written()).not.toContain('end 1');
    api.save('service.resolvers.mjs', sharing['service.resolvers.mjs'].replace("'a'", "'c'"));
    await api.answers('/api/seen', { own: 3, other: 3, version: 'c' });
  });
});
