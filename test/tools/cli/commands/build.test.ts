import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ApiMap } from '../../../../src/analysis/provenance/api-map.js';
import { follow, parsePointer } from '../../../../src/base/source/json-pointer.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = [
  '(root)-[:PROCESS { id: ID! }]->(read_user { id: ID!, name: String! })',
  '(input_user { name: String })-[:FOLD]->(save_user { id: ID! })',
  '',
].join('\n');

const artifacts = ['api.map.json', 'collection.json', 'openapi.json', 'schema.graphql', 'workflows.arazzo.json'];

describe('gg-svc build', () => {
  test('writes OpenAPI 3.2 for --openapi 3.2 and for outputs.openapi, and rejects other versions', async () => {
    const project = { sources: ['a.gg'], outputs: { directory: 'out', openapi: '3.2' } };
    const directory = directoryWith({ 'a.gg': topology });
    const configured = directoryWith({ 'a.gg': topology, 'gg-svc.config.json': JSON.stringify(project) });
    const versionIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'out/openapi.json'), 'utf8')).openapi;
    await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(versionIn(directory)).toBe('3.1.0');
    await runCli(['build', 'a.gg', '-o', 'out', '--openapi', '3.2'], { directory });
    expect(versionIn(directory)).toBe('3.2.0');
    await runCli(['build'], { directory: configured });
    expect(versionIn(configured)).toBe('3.2.0');
    await runCli(['build', '--openapi', '3.1'], { directory: configured });
    expect(versionIn(configured)).toBe('3.1.0');
    const { code, stderr } = await runCli(['build', 'a.gg', '-o', 'out', '--openapi', '3.0'], { directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--openapi must be one of 3.1, 3.2, not 3.0.')]);
  });

  test('writes Arazzo 1.1 for --arazzo 1.1 and for outputs.arazzo, and rejects other versions', async () => {
    const project = { sources: ['a.gg'], outputs: { directory: 'out', arazzo: '1.1' } };
    const directory = directoryWith({ 'a.gg': topology });
    const configured = directoryWith({ 'a.gg': topology, 'gg-svc.config.json': JSON.stringify(project) });
    const versionIn = (folder: string) =>
      JSON.parse(readFileSync(join(folder, 'out/workflows.arazzo.json'), 'utf8')).arazzo;
    await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(versionIn(directory)).toBe('1.0.1');
    await runCli(['build', 'a.gg', '-o', 'out', '--arazzo', '1.1'], { directory });
    expect(versionIn(directory)).toBe('1.1.0');
    await runCli(['build'], { directory: configured });
    expect(versionIn(configured)).toBe('1.1.0');
    const { code, stderr } = await runCli(['build', 'a.gg', '-o', 'out', '--arazzo', '2'], { directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--arazzo must be one of 1.0, 1.1, not 2.')]);
  });

  test('omits streams and unused schemas, and warns of names, on request', async () => {
    const text = `${topology}(save_user)-[:FORK]->(user_saved { id: ID! })\n(file { id: ID })-[:FOLD]->(kept { id: ID! })\n`;
    const directory = directoryWith({ 'a.gg': text });
    const built = async (...args: readonly string[]) => {
      const result = await runCli(['build', 'a.gg', '-o', 'out', ...args], { directory });
      return { ...result, document: JSON.parse(readFileSync(join(directory, 'out/openapi.json'), 'utf8')) };
    };
    const plain = await built();
    expect(plain.stderr).toBe('');
    expect(plain.document.paths['/api/userSaved']).toBeDefined();
    expect(plain.document.components.schemas.UserSavedInput).toBeDefined();
    const small = await built('--no-streams', '--no-unused', '--portable');
    expect(small.document.paths['/api/userSaved']).toBeUndefined();
    expect(small.document.components.schemas.UserSavedInput).toBeUndefined();
    expect(small.stderr).toContain('warning[GG5030] hey-api cannot use the name File');
    expect(small.code).toBe(0);
  });

  test('writes every artifact, and counts them in the last line', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    let now = 0;
    const result = await runCli(['build', 'a.gg', '-o', 'out'], { directory, clock: () => (now += 12) });
    expect(result.code).toBe(0);
    expect(result.stderr).toBe('');
    expect(result.stdout.trimEnd().split('\n')).toEqual([
      'wrote out/schema.graphql',
      'wrote out/openapi.json',
      'wrote out/collection.json',
      'wrote out/workflows.arazzo.json',
      'wrote out/api.map.json',
      '5 artifacts: 5 written, 0 unchanged — 1 query, 1 mutation, 0 subscriptions, 0 unions, 4 types, and federation (12 ms)',
    ]);
    expect(readdirSync(join(directory, 'out')).sort()).toEqual(artifacts);
    const sdl = readFileSync(join(directory, 'out/schema.graphql'), 'utf8');
    expect(Object.keys(buildSchema(sdl).getQueryType()?.getFields() ?? {})).toEqual([
      'readUser',
      'federationChain',
      'federationLookup',
      'federationSnapshot',
    ]);
  });

  test('maps the parts of the artifacts to their places', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    const text = readFileSync(join(directory, 'out/api.map.json'), 'utf8');
    const map = JSON.parse(text) as ApiMap;
    expect(map['schema.graphql']['ReadUser.name']).toEqual(['a.gg:1:54']);
    expect(map['openapi.json']['/paths/~1api~1saveUser/post']).toEqual(['a.gg:2:1']);
    // The federation queries come from no topology, and stand among the requests all the same.
    expect(text).not.toMatch(/federation/i);
    const collection = JSON.parse(readFileSync(join(directory, 'out/collection.json'), 'utf8'));
    for (const [pointer, places] of Object.entries(map['collection.json'])) {
      const { name } = follow(collection, parsePointer(pointer.replace(/\/request\/.*/, ''))) as {
        name: string;
      };
      expect([name, places[0]?.slice(0, 6)]).toEqual([name, name === 'readUser' ? 'a.gg:1' : 'a.gg:2']);
    }
    expect(Object.keys(map['collection.json'])).toHaveLength(5);
  });

  test('writes asyncapi.json with --title and --base-url if there are events', async () => {
    const events = `${topology}(save_user)-[:FORK]->(user_saved { id: ID! })\n`;
    const directory = directoryWith({ 'a.gg': events });
    const options = ['--title', 'Users', '--base-url', 'https://users.example'];
    const { stdout } = await runCli(['build', 'a.gg', '-o', 'out', ...options], { directory });
    expect(stdout).toContain('wrote out/asyncapi.json\n');
    const { info, servers } = JSON.parse(readFileSync(join(directory, 'out/asyncapi.json'), 'utf8'));
    expect(info.title).toBe('Users');
    expect(servers.server).toEqual({ host: 'users.example', protocol: 'https' });
  });

  test('writes nothing with --strict if something has no effect', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(read_user)-[:VENT]->(save_user)\n` });
    const { code, stderr } = await runCli(['build', 'a.gg', '-o', 'out', '--strict'], { directory });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[GG2010\]/);
    expect(readdirSync(directory)).toEqual(['a.gg']);
    expect((await runCli(['build', 'a.gg', '-o', 'out'], { directory })).code).toBe(0);
  });

  test('omits the map with --no-map', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { stdout } = await runCli(['build', 'a.gg', '-o', 'out', '--no-map'], { directory });
    expect(stdout).toContain('4 artifacts: 4 written');
    expect(readdirSync(join(directory, 'out')).sort()).toEqual(artifacts.slice(1));
  });

  test('omits the federation queries with --no-federation', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const args = ['build', 'a.gg', '-o', 'out', '--no-federation'];
    const { stdout } = await runCli(args, { directory });
    expect(stdout).toMatch(/4 types \(\d+ ms\)\n$/);
    const sdl = readFileSync(join(directory, 'out/schema.graphql'), 'utf8');
    expect(Object.keys(buildSchema(sdl).getQueryType()?.getFields() ?? {})).toEqual(['readUser']);
  });

  test('rejects a topology with a name of the federation layer, and writes nothing', async () => {
    const clash = '(root)-[:PROCESS]->(federation_chain { id: ID! })';
    const directory = directoryWith({ 'a.gg': clash });
    const { code, stderr } = await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(code).toBe(1);
    expect(stderr).toContain('GG3018');
    expect(readdirSync(directory)).toEqual(['a.gg']);
    expect((await runCli(['build', 'a.gg', '-o', 'out', '--no-federation'], { directory })).code).toBe(0);
  });

  test('writes only changed files', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    const before = statSync(join(directory, 'out/schema.graphql')).mtimeMs;
    const again = await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(again.stdout).toMatch(/^5 artifacts: 0 written, 5 unchanged — /);
    expect(statSync(join(directory, 'out/schema.graphql')).mtimeMs).toBe(before);

    const renamed = await runCli(['build', 'a.gg', '-o', 'out', '--title', 'Users'], { directory });
    expect(renamed.stdout).toContain('5 artifacts: 3 written, 2 unchanged');
  });

  test('puts --title, --name and --base-url into the documents', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const names = ['--title', 'Users', '--name', 'Try users', '--base-url', 'https://api.example.com'];
    await runCli(['build', 'a.gg', '--out', 'out', ...names], { directory });
    const read = (file: string) => JSON.parse(readFileSync(join(directory, 'out', file), 'utf8'));
    expect(read('openapi.json').info.title).toBe('Users');
    expect(read('collection.json').info.name).toBe('Try users');
    expect(JSON.stringify(read('collection.json').variable)).toContain('https://api.example.com');
  });

  test('writes nothing at all when the source has an error', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(b\n` });
    const { code, stdout, stderr } = await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(stderr).toContain('error[GG1001]');
    expect(stdout).toBe('');
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'out'))).toBe(false);
  });

  test('keeps earlier artifacts when the source gets an error', async () => {
    const directory = directoryWith({ 'a.gg': topology, 'bad.gg': '(b' });
    await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    const before = artifacts.map((file) => readFileSync(join(directory, 'out', file), 'utf8'));
    await runCli(['build', 'bad.gg', '-o', 'out'], { directory });
    expect(artifacts.map((file) => readFileSync(join(directory, 'out', file), 'utf8'))).toEqual(before);
    expect(readdirSync(join(directory, 'out')).sort()).toEqual(artifacts);
  });

  test('prints warnings and still writes the artifacts', async () => {
    const directory = directoryWith({ 'a.gg': "(root)-[:PROCESS]->(hello { text: 'String!' })\n" });
    const { code, stderr } = await runCli(['build', 'a.gg', '-o', 'out'], { directory });
    expect(stderr).toContain('warning[GG2009]');
    expect(code).toBe(0);
    expect(readdirSync(join(directory, 'out')).sort()).toEqual(artifacts);
  });

  test('reports GG4006 when the directory cannot be written', async () => {
    const directory = directoryWith({ 'a.gg': topology, taken: 'a file' });
    const { code, stdout, stderr } = await runCli(['build', 'a.gg', '-o', 'taken'], { directory });
    expect(stderr).toContain('error[GG4006] taken cannot be written: ');
    expect(stdout).toBe('');
    expect(code).toBe(1);
    expect(readFileSync(join(directory, 'taken'), 'utf8')).toBe('a file');
  });

  test('reads the topology from standard input', async () => {
    const directory = directoryWith();
    const { code } = await runCli(['build', '-', '-o', '.'], {
      directory,
      readStdin: () => Promise.resolve(Buffer.from(topology)),
    });
    expect(code).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(artifacts);
  });

  test('writes to a directory given by its absolute path', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const out = join(directoryWith(), 'deep');
    const { stdout } = await runCli(['build', 'a.gg', '-o', out], { directory });
    expect(stdout).toContain(`wrote ${out}/schema.graphql\n`);
    expect(readdirSync(out).sort()).toEqual(artifacts);
  });
});
