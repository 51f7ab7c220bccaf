import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGqlServer, defineConfig, loadConfig } from '../../../src/index.js';
import { directoryWith, runCli } from '../../tools/cli/stand-in-io.js';

const source = '(root)-[:PROCESS { id: ID! }]->(book { id: ID!, price: Money })\n(money: Scalar)\n';

/** A project with everything in its file that the command line knows. */
const config = defineConfig({
  sources: ['api/*.gg'],
  info: { title: 'Bookstore', version: '2.0.0', description: 'Books.' },
  collection: { name: 'Requests' },
  federation: false,
  scalars: { Money: { type: 'string', restType: 'number' } },
  outputs: { directory: 'out', files: ['openapi.json', 'collection.json'], types: 'api/types.ts' },
  server: { port: 0, baseUrl: 'https://api.bookstore.test', endpoint: '/graph', limits: { depth: 5 } },
  diff: { failOn: 'never' },
});

function project(given: object = config, files: Readonly<Record<string, string>> = {}): string {
  return directoryWith({
    'api/main.gg': source,
    'package.json': '{}',
    'gg-svc.config.json': JSON.stringify(given, null, 2),
    ...files,
  });
}

const read = (directory: string, path: string) => readFileSync(join(directory, path), 'utf8');

describe('the project file', () => {
  test('sets the sources, metadata, files and directory of build', async () => {
    const directory = project();
    const { code, stderr } = await runCli(['build'], { directory });
    expect([code, stderr]).toEqual([0, '']);
    const openapi = JSON.parse(read(directory, 'out/openapi.json'));
    expect(openapi.info).toEqual(config.info);
    expect(Object.keys(openapi.paths)).toEqual(['/api/book']);
    expect(JSON.parse(read(directory, 'out/collection.json')).info.name).toBe('Requests');
    expect(read(directory, 'out/collection.json')).toContain('https://api.bookstore.test');
    expect(existsSync(join(directory, 'out/schema.graphql'))).toBe(false);
    expect(existsSync(join(directory, 'out/api.map.json'))).toBe(false);
  });

  test('is found from a sub-folder, and its paths are relative to it', async () => {
    const directory = project();
    const { code } = await runCli(['types'], { directory: join(directory, 'api') });
    expect(code).toBe(0);
    const types = read(directory, 'api/types.ts');
    expect(types).toContain('export type Money = string;');
    expect(types).toContain('  export type Money = number;');
  });

  test('may name globs outside of the working directory', async () => {
    const directory = project({ sources: ['api/*.gg'] }, { 'api/other.gg': '(other { a: Int })\n', 'x/y': '' });
    const { code, stdout } = await runCli(['check'], { directory: join(directory, 'x') });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 files checked/)]);
  });

  test('is overridden by the command line', async () => {
    const directory = project();
    const args = ['build', 'api/main.gg', '-o', 'other', '--title', 'Own', '--name', 'Mine'];
    expect((await runCli(args, { directory })).code).toBe(0);
    expect(JSON.parse(read(directory, 'other/openapi.json')).info.title).toBe('Own');
    expect(JSON.parse(read(directory, 'other/collection.json')).info.name).toBe('Mine');
    const none = await runCli(['check', '--no-config'], { directory });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("missing required argument 'files'");
  });

  test('is not searched for above the root of the package', async () => {
    const directory = project(config, { 'api/package.json': '{}' });
    expect((await runCli(['check'], { directory: join(directory, 'api') })).code).toBe(2);
    const named = await runCli(['check', '--config', '../gg-svc.config.json'], {
      directory: join(directory, 'api'),
    });
    expect(named).toMatchObject({ code: 0, stderr: '' });
  });

  test('sets strict and maxWarnings of check', async () => {
    const directory = project(
      { sources: ['api/main.gg'], strict: true },
      {
        'api/main.gg': `${source}(root)-[:MEASURE]->(book)\n`,
      },
    );
    const { code, stderr } = await runCli(['check'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG2010]')]);
    const lax = project(
      { sources: ['api/main.gg'], maxWarnings: 0 },
      {
        'api/main.gg': "(root)-[:PROCESS]->(hello { text: 'String!' })\n",
      },
    );
    expect((await runCli(['check'], { directory: lax })).code).toBe(1);
  });

  test('sets the files of the other commands', async () => {
    const directory = project();
    expect((await runCli(['graph'], { directory })).stdout).toContain('flowchart');
    expect((await runCli(['explain', 'Query.book'], { directory })).stdout).toContain('api/main.gg');
    expect((await runCli(['explain', 'GG2008'], { directory })).stdout).toContain('unknown-type');
    writeFileSync(join(directory, 'api/main.gg'), ' (root)-[:PROCESS]->(book)');
    expect((await runCli(['fmt', '--check'], { directory: join(directory, 'api') })).stdout).toContain('main.gg');
  });

  test('may be a module, with the implementation of a scalar', async () => {
    const directory = project(config, {
      'gg-svc.config.mjs': `
        const implementation = { serialize: (x) => x, parseValue: (x) => x, parseLiteral: (x) => x.value };
        export default { sources: ['api/main.gg'], scalars: { Money: { type: 'Money', implementation } } };`,
    });
    const both = await runCli(['check'], { directory });
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('error[GG5043]')]);
    const path = 'gg-svc.config.mjs';
    expect(await runCli(['check', '--config', path], { directory })).toMatchObject({ code: 0, stderr: '' });
    const loaded = await loadConfig({ directory, path });
    expect(loaded?.serverOptions.resolvers).toHaveProperty('Money.serialize');
  });

  test('sets the format of events, in documents and servers', async () => {
    const events = `${source}(form { id: ID })-[:FOLD]->(saved { id: ID! })-[:FORK]->(told { id: ID! })\n`;
    const directory = project(
      { ...config, outputs: { directory: 'out' }, server: { eventFormat: 'cloudevents' } },
      { 'api/main.gg': events },
    );
    expect(await runCli(['build'], { directory })).toMatchObject({ code: 0, stderr: '' });
    expect(read(directory, 'out/asyncapi.json')).toContain('"application/cloudevents+json"');
    const openapi = JSON.parse(read(directory, 'out/openapi.json'));
    expect(JSON.stringify(openapi.paths['/api/told'])).toContain('datacontenttype');
    const { serverOptions } = (await loadConfig({ directory })) ?? {};
    expect(serverOptions).toMatchObject({ eventFormat: 'cloudevents' });
    const server = createGqlServer(serverOptions as Parameters<typeof createGqlServer>[0]);
    expect(JSON.parse(JSON.stringify(server.exportOpenAPI())).paths).toEqual(openapi.paths);
  });

  test('provides the options of a server for a program', async () => {
    const directory = project();
    const loaded = await loadConfig({ directory: join(directory, 'api') });
    expect(loaded?.path).toBe(join(directory, 'gg-svc.config.json'));
    expect(loaded?.config).toEqual(config);
    if (loaded === undefined) throw new Error('there is none');
    const server = createGqlServer(loaded.serverOptions);
    expect(server.schema.queries.map(({ name }) => name)).toEqual(['book']);
    expect(server.exportOpenAPI().info.title).toBe('Bookstore');
    const response = await server.fetch(
      new Request('http://x/graph', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
      }),
    );
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
    expect(await loadConfig({ directory: directoryWith({ 'package.json': '{}' }) })).toBeUndefined();
  });
});

describe('a mistake in the project file', () => {
  test.each<[text: string, code: string, place: string, message: string]>([
    ['{ "sources": ["a.gg"], "server": { "prot": 1 } }', 'GG5041', '1:36', 'Did you mean port?'],
    ['{ "source": ["a.gg"] }', 'GG5041', '1:3', 'Did you mean sources?'],
    ['{ "sources": "a.gg" }', 'GG5042', '1:14', '“sources” must be a list of strings, not "a.gg"'],
    ['{\n  "server": { "port": 99999 } }', 'GG5042', '2:23', 'an integer from 0 to 65535, not 99999'],
    ['{ "server": { "engine": "gamma" } }', 'GG5042', '1:25', 'one of beta, alpha, not "gamma"'],
    ['{ "server": { "limits": { "depth": "x" } } }', 'GG5042', '1:36', '“server.limits.depth”'],
    ['{ "info": { "license": {} } }', 'GG5042', '1:24', 'must have “name”'],
    ['{ "info": { "tags": [{ "name": "a" }, 5] } }', 'GG5042', '1:39', '“info.tags[1]” must be an object'],
    ['{ "federation": "yes" }', 'GG5042', '1:17', 'true or false or an object'],
    ['{ "sources": [] }', 'GG5042', '1:14', 'a list of strings'],
    ['[]', 'GG5042', '1:1', 'gg-svc.config.json must be an object'],
    ['{ "sources": ', 'GG5040', '1:14', 'it is not JSON'],
    ['', 'GG5040', '1:1', 'it is not JSON'],
  ])('%s is %s', async (text, code, place, message) => {
    const directory = directoryWith({ 'gg-svc.config.json': text, 'a.gg': source });
    const { code: exit, stderr } = await runCli(['check', 'a.gg'], { directory });
    expect(exit).toBe(1);
    expect(stderr).toContain(`error[${code}]`);
    expect(stderr).toContain(` --> gg-svc.config.json:${place}`);
    expect(stderr).toContain(message);
  });

  test.each<[text: string, code: string, message: string]>([
    ['throw new Error("no database");', 'GG5040', 'no database'],
    ['export const sources = [];', 'GG5040', 'its default export must be an object'],
    ['export default () => ({});', 'GG5040', 'its default export must be an object'],
    ['export default {', 'GG5040', 'gg-svc.config.mjs'],
    ["import './nowhere.mjs'; export default {};", 'GG5040', 'nowhere.mjs'],
    ['const a = []; a.push(a); export default { sources: a };', 'GG5042', '“sources[0]” must be a string'],
    ['export default { scalars: { Money: { implementation: 5 } } };', 'GG5042', 'a GraphQLScalarType'],
    ['export default { outputs: { dir: "x" } };', 'GG5041', '“outputs.dir”'],
  ])('in a module: %s', async (text, code, message) => {
    const directory = directoryWith({ 'gg-svc.config.mjs': text, 'a.gg': source });
    const { code: exit, stderr } = await runCli(['check', 'a.gg'], { directory });
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`error[${code}]`)]);
    expect(stderr).toContain(message);
    await expect(loadConfig({ directory })).rejects.toThrow(message);
  });

  test('that names a missing or a huge file', async () => {
    const directory = directoryWith({
      'a.gg': source,
      'gg-svc.config.json': `{"a":"${'x'.repeat(11 << 20)}"}`,
    });
    expect((await runCli(['check', 'a.gg'], { directory })).stderr).toContain('it is larger than 1 MiB');
    const missing = await runCli(['check', 'a.gg', '--config', 'no.json'], { directory });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no.json')]);
  });

  test('in a TypeScript file that cannot be loaded names the required Node.js version', async () => {
    const directory = directoryWith({
      'a.gg': source,
      'gg-svc.config.ts': "const sources: string[] = ['a.gg']; export default { sources };",
    });
    const { code, stderr } = await runCli(['check'], { directory });
    if (process.features.typescript) expect([code, stderr]).toEqual([0, '']);
    else expect([code, stderr]).toEqual([1, expect.stringContaining('TypeScript modules need Node.js 22.18')]);
  });

  test('in the endpoint is found when the server starts', async () => {
    const directory = project({ sources: ['api/main.gg'], server: { endpoint: '/openapi.json', port: 0 } });
    const { code, stderr } = await runCli(['serve'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('server.endpoint')]);
  });

  test.each(['beta', 'alpha'])('of an endpoint that is also a route is found when %s starts', async (engine) => {
    const directory = directoryWith({
      'a.gg': "(root)-[:PROCESS { route: 'GET /books' }]->(book { id: ID! })",
      'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server: { endpoint: '/books', port: 0 } }),
    });
    const { code, stderr } = await runCli(['serve', '--engine', engine], { directory });
    expect(stderr).toContain(
      'In gg-svc.config.json, “server.endpoint” must not be /books, which is the route of book.',
    );
    expect(code).toBe(1);
  });

  test.each(['nope', 'ftp://example.com', 'https://'])('in the URL %s is reported at its place', async (baseUrl) => {
    const directory = project({ sources: ['api/main.gg'], server: { baseUrl } });
    const { code, stderr } = await runCli(['check'], { directory });
    expect([code, stderr]).toEqual([1, expect.stringContaining('“server.baseUrl” must be a URL such as')]);
  });
});
