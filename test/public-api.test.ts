import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { buildLibrary, loadedBy } from '../scripts/library.mjs';
import * as ast from '../src/ast.js';
import * as channels from '../src/channels.js';
import * as client from '../src/client.js';
import * as compiler from '../src/compiler.js';
import * as diff from '../src/diff.js';
import * as federation from '../src/federation.js';
import * as root from '../src/index.js';
import * as schema from '../src/schema.js';
import { programFolder } from './programs/bundle.mjs';
import { loadedFiles } from './programs/loaded-files.js';

/** The entries of the package: each operation with the number of parameters that must be given. */
const entries: Readonly<Record<string, { readonly module: object; readonly operations: Operations }>> = {
  'gg-svc': {
    module: root,
    operations: {
      AuthenticationError: 0,
      AuthenticationUnavailableError: 0,
      apiKeys: 1,
      bearerJwt: 1,
      ConfigError: 1,
      StoreError: 3,
      TopologyError: 2,
      attachSubscriptions: 2,
      buildFederationProjectionLayer: 1,
      buildRuntimeIoProjectionLayer: 1,
      compile: 1,
      createAlphaExpressMiddleware: 1,
      createAlphaFastifyPlugin: 1,
      createAlphaServer: 1,
      createAlphaServerAdapter: 1,
      createBetaHttpServer: 1,
      createBetaNodeRequestListener: 1,
      createBetaServerAdapter: 1,
      createGqlServer: 1,
      defineConfig: 1,
      drainHttpServer: 2,
      generateSchema: 1,
      initSvcMetricsFromEnv: 0,
      initSvcTracingFromEnv: 0,
      isSvcTracingEnabled: 1,
      loadConfig: 0,
      memoryEvents: 0,
      natsEvents: 1,
      postgresEvents: 1,
      postgresStore: 1,
      redisEvents: 1,
      redisStreamEvents: 1,
      schemaToAsyncAPI: 2,
      schemaToCollection: 3,
      schemaToGraphQL: 1,
      schemaToOpenAPI: 2,
      schemaToTypeScript: 1,
      schemaToWorkflows: 2,
      signalOf: 1,
      sqliteStore: 1,
      withSvcSpan: 2,
    },
  },
  'gg-svc/ast': { module: ast, operations: { formatTopology: 1 } },
  'gg-svc/channels': {
    module: channels,
    operations: {
      ChannelError: 3,
      createChildProcessChannel: 1,
      createHttpJsonChannel: 1,
      createJsonFileChannel: 1,
      createJsonLinesChannel: 1,
      createStreamChannel: 1,
      createTimerChannel: 1,
    },
  },
  'gg-svc/client': { module: client, operations: { ApiError: 3, createClient: 1 } },
  'gg-svc/compiler': {
    module: compiler,
    operations: {
      compile: 1,
      generateSchema: 1,
      schemaToAsyncAPI: 2,
      schemaToCollection: 3,
      schemaToGraphQL: 1,
      schemaToOpenAPI: 2,
      schemaToTypeScript: 1,
      schemaToWorkflows: 2,
    },
  },
  'gg-svc/diff': { module: diff, operations: { diffSchemas: 2 } },
  'gg-svc/federation': {
    module: federation,
    operations: {
      FederationError: 1,
      buildPathProof: 1,
      openFederationBundle: 1,
      verifyFederationBundle: 2,
      verifyPathProof: 2,
    },
  },
  'gg-svc/schema': { module: schema, operations: { schemaToApiMap: 2 } },
};

/** The exports of the root that are not operations. */
const constants = ['svcTracer'];

type Operations = Readonly<Record<string, number>>;

describe.each(Object.entries(entries))('%s', (name, { module, operations }) => {
  test('exports these operations and nothing else', () => {
    const others = name === 'gg-svc' ? constants : [];
    expect(Object.keys(module).sort()).toEqual([...Object.keys(operations), ...others].sort());
  });

  test.each(Object.entries(operations))('%s takes %i parameters', (operation, parameters) => {
    expect((module as Record<string, unknown>)[operation]).toHaveLength(parameters);
  });
});

test('package.json exports these entries, each with its types', () => {
  const names = Object.keys(entries).map((name) => name.replace('gg-svc', '.'));
  expect(Object.keys(packageJson.exports).sort()).toEqual([...names, './package.json'].sort());
  for (const name of Object.keys(entries)) {
    const file = name === 'gg-svc' ? 'index' : name.slice('gg-svc/'.length);
    expect(packageJson.exports).toHaveProperty([name.replace('gg-svc', '.')], {
      types: `./dist/${file}.d.ts`,
      default: `./dist/${file}.js`,
    });
  }
});

describe('importing the package', () => {
  let directory: string;
  let metafile: Metafile;

  beforeAll(async () => {
    directory = programFolder('library');
    metafile = await buildLibrary(directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** The files that a program loads with an entry, the package root by default, as `api`. */
  function filesLoadedBy(program: string, entry = 'index'): string[] {
    return loadedFiles(pathToFileURL(join(directory, `${entry}.js`)).href, program);
  }

  /** The names of the packages that these files belong to. */
  function packagesLoadedBy(program: string, entry?: string): string[] {
    const names = filesLoadedBy(program, entry)
      .map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
      .filter((name) => name !== undefined && !name.startsWith('.gg-svc'));
    return [...new Set(names)].sort() as string[];
  }

  test('loads at most 81 files of gg-svc, and two small packages', () => {
    const files = filesLoadedBy('').filter((url) => url.includes('/.gg-svc/'));
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(81);
    expect(packagesLoadedBy('')).toEqual(['canonicalize', 'dataloader']);
  });

  test('as gg-svc/compiler loads at most 600 kB, only the compiler and its parser', () => {
    const { bytes, sources } = loadedBy(metafile, 'compiler');
    expect(bytes).toBeLessThanOrEqual(600_000);
    const others = /^(?!src\/(?:base|compiler)\/|src\/compiler\.ts$|minified:chevrotain$)/;
    expect(sources.filter((source) => others.test(source))).toEqual([]);
  });

  test('as gg-svc/client loads one file, which has at most 4 kB compressed and uses nothing of Node.js', () => {
    const { sources } = loadedBy(metafile, 'client');
    expect(
      sources.filter((source) => !/^src\/(?:client\.ts$|runtime\/client\/|base\/read\/event-blocks\.ts$)/.test(source)),
    ).toEqual([]);
    const text = readFileSync(join(directory, 'client.js'));
    expect(text.toString()).not.toMatch(/\bimport\b|\bprocess\b|\bBuffer\b/);
    expect(gzipSync(text).length).toBeLessThanOrEqual(4_096);
  });

  test('includes the licenses of the packages that are part of the library', () => {
    const text = readFileSync(new URL('../dist/LICENSES.txt', import.meta.url), 'utf8');
    const named = [...text.matchAll(/^== (\S+) /gm)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(['chevrotain', '@chevrotain/gast', '@noble/curves', 'openapi-types']));
  });

  test('as gg-svc/compiler loads no package, not even while compiling', () => {
    const program = `if (!api.compile("(root)-[:PROCESS]->(hello { text: 'Hello' })").ok) throw new Error('not compiled');`;
    const files = filesLoadedBy(program, 'compiler');
    expect(files.filter((url) => !url.startsWith(pathToFileURL(directory).href))).toEqual([]);
    const bytes = files.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
    expect(bytes).toBeGreaterThan(300_000);
    expect(bytes).toBeLessThanOrEqual(600_000);
  });

  test('is possible with require()', () => {
    const program = join(directory, 'program.cjs');
    writeFileSync(
      program,
      `const { compile } = require('./index.js'); console.log(compile("(root)-[:PROCESS]->(a { b: 'c' })").ok);`,
    );
    expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).toBe('true\n');
  });

  test('compile() loads no optional package either', () => {
    const loaded = packagesLoadedBy(
      `if (!api.compile("(root)-[:PROCESS]->(hello { at: DateTime = '2024-01-31T09:30:00Z' })").ok)
         throw new Error('not compiled');`,
    );
    expect(loaded).toContain('dataloader');
    expect(loaded.filter((name) => isServerPackage(name))).toEqual([]);
  });

  test('a server loads optional packages, which shows that the check works', () => {
    const loaded = packagesLoadedBy(
      `await api.createGqlServer({ topologies: [{ name: 'a.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }] })
         .executeOperation({ query: '{ hello { text } }' });`,
    );
    expect(loaded).toContain('graphql');
    expect(loaded).not.toContain('graphql-scalars');
  });

  test('a server loads the standard scalars for a topology that uses one', () => {
    const loaded = packagesLoadedBy(
      `await api.createGqlServer({ topologies: [{ name: 'a.gg', source: "(root)-[:PROCESS]->(hello { at: DateTime })" }] })
         .executeOperation({ query: '{ hello { at } }' });`,
    );
    expect(loaded).toContain('graphql-scalars');
  });
});

function isServerPackage(name: string): boolean {
  return /^(?:@opentelemetry\/|@apollo\/|@as-integrations\/|@graphql-yoga\/|@graphql-tools\/|@envelop\/|@whatwg-node\/|express$|fastify$|graphql$|graphql-|ws$)/.test(
    name,
  );
}
