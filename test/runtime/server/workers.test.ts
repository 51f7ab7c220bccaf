import nodeCrypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions, memoryEvents } from '../../../src/index.js';

// A module of a Cloudflare worker may draw no random values, set no timers and begin no I/O while it is loaded, which
// is where servers are created. A bundler puts the static imports of all its files at the start of the bundle.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const service = readFileSync(`${root}docs/examples/service.gg`, 'utf8');
const fork = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID! })
  (shop)-[:PROCESS { operation: 'orders', page: 2, returns: Order }]->(order { id: ID! })
  (root)-[:PROCESS]->(near { text: 'a' } | far { text: 'b' })-[:RACE { after: '50ms' }]->(page)
`;
const subscription = 'subscription { userSaved { id } }';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Notes each call of what a worker forbids. */
function watchForbidden(): string[] {
  const calls: string[] = [];
  const watch = (given: object, name: string) => {
    const owner = given as Record<string, (...args: unknown[]) => unknown>;
    const real = owner[name];
    vi.spyOn(owner, name).mockImplementation((...args) => {
      calls.push(name);
      return real?.apply(owner, args);
    });
  };
  for (const name of ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync'] as const) watch(nodeCrypto, name);
  for (const name of ['generateKeyPairSync', 'generateKeySync'] as const) watch(nodeCrypto, name);
  // `import { randomUUID } from 'node:crypto'` gets the watched functions, too.
  syncBuiltinESMExports();
  for (const name of ['randomUUID', 'getRandomValues'] as const) watch(globalThis.crypto, name);
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'fetch'] as const) watch(globalThis, name);
  return calls;
}

describe('a server that is created while a worker is loaded', () => {
  const wait = setTimeout;
  test.each<[string, Partial<GqlServerOptions>]>([
    ['with all defaults', {}],
    ['with events in memory', { events: memoryEvents({ maxLength: 5, maxAge: 1_000 }) }],
    ['with masking', { limits: { masking: true } }],
    ['with MCP', { mcp: true }],
    ['with CloudEvents', { eventFormat: 'cloudevents' }],
    ['with rate limits', { rateLimits: [{ limit: 5, per: 60, by: 'address' }] }],
    ['with hooks', { hooks: [{ onRequest: () => undefined }] }],
    ['with an authenticator', { authenticate: () => null }],
  ])('%s draws no random values, sets no timers and begins no I/O before the first request', async (_, options) => {
    for (const source of [fork, service]) {
      const calls = watchForbidden();
      const server = createGqlServer({
        topologies: [{ name: 'a.gg', source }],
        ...options,
      } as GqlServerOptions);
      await new Promise((resolve) => wait(resolve, 20));
      expect(calls).toEqual([]);
      await server.close();
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });

  test('serves requests, and fails the test above if it does I/O', async () => {
    const server = createGqlServer({ topologies: [{ name: 'a.gg', source: fork }] });
    const calls = watchForbidden();
    const headers = { accept: 'text/event-stream' };
    const url = `http://a/graphql?query=${encodeURIComponent(subscription)}`;
    const response = await server.fetch(new Request(url, { headers }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    expect(calls).toEqual(expect.arrayContaining(['randomUUID', 'setInterval']));
    await reader.cancel();
    await server.close();
  });
});

describe('a bundle', () => {
  const bundle = async (contents: string): Promise<Metafile> => {
    const { metafile } = await build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root },
      outfile: 'bundle.js',
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
    return metafile;
  };
  const { peerDependenciesMeta } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly peerDependenciesMeta: Record<string, unknown>;
  };
  const optional = Object.keys(peerDependenciesMeta);
  type Imports = Metafile['inputs'][string]['imports'];
  /** The optional packages that must be installed, whether or not they are used. */
  const staticPeers = (imports: Imports | Metafile['outputs'][string]['imports']): string[] => {
    const paths = imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? [path] : []));
    return optional.filter((name) => paths.some((path) => path === name || path.startsWith(`${name}/`)));
  };

  test('with createGqlServer needs no optional package but its engine', async () => {
    const { outputs } = await bundle("export { createGqlServer } from './src/index.js';");
    const [output] = Object.values(outputs);
    expect(staticPeers(output?.imports ?? [])).toEqual(['graphql-yoga']);
  });

  test('of the whole package needs only the optional packages of its functions', async () => {
    const { inputs } = await bundle("export * from './src/index.js';");
    const found = Object.entries(inputs).flatMap(([file, { imports }]) =>
      staticPeers(imports).map((name) => `${file}: ${name}`),
    );
    expect(found.sort()).toEqual([
      'src/runtime/auth/remote-keys.ts: jose',
      'src/runtime/hosts/websocket/socket-clients.ts: graphql-ws',
      'src/runtime/http/graphql/yoga.ts: graphql-yoga',
    ]);
  });
});
