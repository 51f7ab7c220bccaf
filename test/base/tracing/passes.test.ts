import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRuntimeIoProjectionLayer, compile, createGqlServer } from '../../../src/index.js';
import { commands } from '../../../src/tools/cli/commands/registry.js';
import { git, repositoryWith } from '../../tools/cli/git-repository.js';
import { directoryWith, runCli, stopAtOnce } from '../../tools/cli/stand-in-io.js';
import { type Recorder, startRecorder } from './recorder.js';

const main = `import './part.gg'
(root)-[:PROCESS { id: ID! }]->(item)
(new_item { name: String! })-[:FOLD]->(item)
`;
const part = '(item: Record { id: ID!, name: String! })\n';
const channel = `{ node: 'root', direction: 'in', transport: 'x', read: () => null }`;
const files = {
  'main.gg': main,
  'part.gg': part,
  'with.channels.mjs': `export default [${channel}];`,
};

let recorder: Recorder;
beforeEach(() => {
  recorder = startRecorder();
});
afterEach(() => recorder.stop());

/** How often each file was parsed, and topologies were lowered and projected. */
function countPasses() {
  const names = recorder.spans().map(({ name, attributes }) => `${name} ${attributes['gg.file'] ?? ''}`.trim());
  const passes = names.filter((name) => /^gg\.(?:parse|lower|schema)\b/.test(name));
  return Object.fromEntries(
    [...new Set(passes)].sort().map((pass) => [pass, passes.filter((one) => one === pass).length]),
  );
}

const once = { 'gg.parse main.gg': 1, 'gg.parse part.gg': 1, 'gg.lower': 1, 'gg.schema': 1 };

/** The script and the style of the pages, which a build would make. */
function packageWithPages(): URL {
  const names = ['site.js', 'style.css', '404.html'];
  const pages = Object.fromEntries(names.map((name) => [`dist/pages/site/${name}`, '']));
  const files = { ...pages, 'package.json': '{ "version": "1.0.0" }' };
  return pathToFileURL(`${directoryWith(files)}/`);
}

/** Runs a command in a repository with a tag, after which a file was changed. A server is stopped once it listens. */
async function runIn(args: readonly string[]): Promise<void> {
  const directory = repositoryWith({ ...files, 'part.gg': part.replace('name: String!', 'name: String') });
  git(directory, 'tag', 'v1');
  writeFileSync(join(directory, 'part.gg'), part);
  let stop = (): void => undefined;
  let written = '';
  let serves = (): void => undefined;
  const serving = new Promise<void>((resolve) => {
    serves = resolve;
  });
  const write = (text: string): void => {
    written += text;
    if (/https?:\/\/\S+graphql/.test(written)) serves();
  };
  const running = runCli(args, {
    directory,
    ...(args[0] === 'docs' && { packageRoot: packageWithPages() }),
    stdout: write,
    stderr: write,
    onStop: (listener) => {
      stop = listener;
      return () => undefined;
    },
  });
  await Promise.race([running, serving]);
  const { code } = await stopAtOnce(() => {
    stop();
    return running;
  });
  // `diff` ends with 1 because of the change.
  expect(code, written).toBeLessThan(2);
}

describe('a file is parsed, lowered and projected once', () => {
  const table: Readonly<Record<string, readonly (readonly string[])[]>> = {
    build: [['main.gg', '-o', 'out']],
    check: [['main.gg'], ['main.gg', 'part.gg', '--strict']],
    serve: [
      ['main.gg', '--port', '0'],
      ['main.gg', '--port', '0', '--channels', 'with.channels.mjs'],
      ['main.gg', '--port', '0', '--engine', 'alpha', '--host', 'express'],
    ],
    dev: [
      ['main.gg', '--port', '0'],
      ['main.gg', '--port', '0', '--channels', 'with.channels.mjs'],
    ],
    types: [['main.gg', '-o', 'types.ts']],
    graph: [['main.gg'], ['main.gg', '--operation', 'item']],
    docs: [['main.gg', '-o', 'site', '--no-tags']],
    explain: [['Query.item', 'main.gg']],
  };

  for (const [command, runs] of Object.entries(table)) {
    test.each(runs.map((args) => [command, ...args].join(' ')))('by gg-svc %s', async (line) => {
      await runIn(line.split(' '));
      expect(countPasses()).toEqual(once);
    });
  }

  test('by gg-svc fmt, which only parses it', async () => {
    await runIn(['fmt']);
    expect(countPasses()).toEqual({ 'gg.parse main.gg': 1, 'gg.parse part.gg': 1 });
  });

  test.each([
    ['diff', 'v1'],
    ['docs', 'main.gg', '-o', 'site'],
  ])('for each revision by gg-svc %s', async (...args) => {
    await runIn(args);
    expect(countPasses()).toEqual({
      'gg.parse main.gg': 2,
      'gg.parse part.gg': 2,
      'gg.lower': 2,
      'gg.schema': 2,
    });
  });

  test('in every command that takes a topology; drill, mcp and seed open the project as serve does', () => {
    const usages = commands.flatMap((command) => ('usage' in command ? [command.usage] : []));
    const taking = usages.filter((usage) => /\[(?:files|operands)/.test(usage));
    const covered = new Set([...Object.keys(table), 'fmt', 'diff', 'drill', 'mcp', 'seed']);
    expect(taking.filter((usage) => !covered.has(usage.split(' ')[0] ?? ''))).toEqual([]);
  });

  test('by a server of texts', () => {
    const server = createGqlServer({
      topologies: [
        { name: 'main.gg', source: main },
        { name: 'part.gg', source: part },
      ],
    });
    expect(server.schema.queries.map(({ name }) => name)).toContain('item');
    expect(countPasses()).toEqual(once);
  });

  test('by a program that compiles it, binds channels to it and serves it', () => {
    const topology = compile([
      { name: 'main.gg', source: main },
      { name: 'part.gg', source: part },
    ]);
    const layer = buildRuntimeIoProjectionLayer({
      graph: topology,
      channels: [{ node: 'root', direction: 'in', transport: 'x', read: () => null }],
    });
    const { schema } = createGqlServer({ topologies: topology, layers: [layer], info: { version: '7' } });
    expect(schema.io).toEqual(layer.bindings);
    expect(schema.info).toEqual({ version: '7' });
    expect(countPasses()).toEqual(once);
  });

  test('if it is fetched from a URL, with its imports', async () => {
    const texts: Readonly<Record<string, string>> = { '/main.gg': main, '/part.gg': part };
    const files = createServer(({ url = '' }, response) => response.end(texts[url]));
    await new Promise<void>((done) => files.listen(0, '127.0.0.1', done));
    try {
      const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      await createGqlServer({ topologies: [`${origin}/main.gg`] }).ready;
      expect(countPasses()).toEqual({
        [`gg.parse ${origin}/main.gg`]: 1,
        [`gg.parse ${origin}/part.gg`]: 1,
        'gg.lower': 1,
        'gg.schema': 1,
      });
    } finally {
      files.close();
    }
  });
});
