import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  type FederationBundleOptions,
  type FederationBundleSource,
  FederationError,
  openFederationBundle,
} from '../../../src/federation/node/bundle-source.js';
import { readFederationFile, verifyFederationBundle } from '../../../src/federation/node/verify-federation-bundle.js';
import { buildPathProof, verifyPathProof } from '../../../src/federation/node/verify-path-proof.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { bytesOf, inDirectory, noon, plainIndex, policy, signed } from '../bundles.js';
import type { Json } from '../second-implementation.js';

const scratch: string[] = [];
const opened: FederationBundleSource[] = [];
afterEach(() => {
  for (const source of opened.splice(0)) source.close();
});
afterAll(() => {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true });
});

/** A directory with a policy and a bundle. */
function directoryWith(bundle: Json = plainIndex): string {
  const directory = mkdtempSync(join(tmpdir(), 'gg-svc-federation-'));
  scratch.push(directory);
  writeFileSync(join(directory, 'trust.json'), JSON.stringify(policy));
  put(directory, bundle);
  return directory;
}

/** Puts a bundle in the place of the one before, as a whole. */
function put(directory: string, index: Json): void {
  const bytes = index instanceof Uint8Array ? index : bytesOf(signed(index));
  writeFileSync(join(directory, 'next'), bytes);
  renameSync(join(directory, 'next'), join(directory, 'index.bundle.json'));
}

async function open(
  directory: string,
  options: Partial<FederationBundleOptions> = {},
): Promise<FederationBundleSource> {
  const source = await openFederationBundle({ ...inDirectory, directory, ...options });
  opened.push(source);
  return source;
}

const codesOf = (found: readonly { code: string }[]): string[] => found.map(({ code }) => code);

describe('a source over a signed bundle', () => {
  test('answers from verified records', async () => {
    const source = await open(directoryWith());
    expect(source.status()).toEqual({
      ready: true,
      state: 'current',
      epoch: 7,
      generatedAt: '2026-03-01T12:00:00Z',
      quarantined: [],
      refused: null,
    });
    expect(await source.chain('alder')).toMatchObject({ chainId: 'alder' });
    expect(await source.route('alder', 'cedar')).toMatchObject({ toChainId: 'cedar' });
    expect(await source.witnessHead('birch')).toMatchObject({ epoch: 11 });
    expect(await source.snapshot()).toMatchObject({ epoch: 7 });
    expect(source.witnessFreshness).toBe(86_400);
    expect(Buffer.from(source.bundle() ?? []).equals(bytesOf(signed()))).toBe(true);
  });

  test.each<[string, (directory: string) => void, string]>([
    ['no bundle', (directory) => rmSync(join(directory, 'index.bundle.json')), 'GG4001'],
    ['no policy', (directory) => rmSync(join(directory, 'trust.json')), 'GG4001'],
    [
      'a policy that is a directory',
      (directory) => {
        rmSync(join(directory, 'trust.json'));
        mkdirSync(join(directory, 'trust.json'));
      },
      'GG4002',
    ],
    ['a broken policy', (directory) => writeFileSync(join(directory, 'trust.json'), '{}'), 'GG6008'],
    ['a broken bundle', (directory) => put(directory, Buffer.from('{}')), 'GG6007'],
    ['a bundle that is too large', (directory) => put(directory, Buffer.alloc(64 * 1024 * 1024 + 1)), 'GG6001'],
  ])('is not opened with %s', async (_what, change, code) => {
    const directory = directoryWith();
    change(directory);
    const failure = await open(directory).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FederationError);
    expect(codesOf((failure as FederationError).diagnostics)).toEqual([code]);
    expect((failure as Error).message).toMatch(new RegExp(`^The federation bundle cannot be used:\n {2}\\S+ ${code} `));
  });

  test('replaces a bundle atomically', async () => {
    const directory = directoryWith();
    const source = await open(directory);
    put(directory, { ...plainIndex, epoch: 8, routes: [] });
    expect(await source.chain('alder')).toBeDefined();
    expect(await source.reload()).toEqual([]);
    expect(source.status().epoch).toBe(8);
    expect(await source.route('alder', 'cedar')).toBeUndefined();
    expect((await source.snapshot(7))?.epoch).toBe(7);
    expect(await source.reload()).toEqual([]);
  });

  test.each<[string, Json, string]>([
    ['a rollback', { ...plainIndex, epoch: 6 }, 'GG6023'],
    ['a fork', { ...plainIndex, mirrors: [] }, 'GG6024'],
    ['a broken bundle', Buffer.from('{}'), 'GG6007'],
  ])('keeps the last good bundle after %s, and reports this', async (_what, next, code) => {
    const directory = directoryWith();
    const source = await open(directory);
    put(directory, next);
    expect(codesOf(await source.reload())).toEqual([code]);
    expect(codesOf(await source.reload())).toEqual([code]);
    expect(source.status()).toMatchObject({ ready: true, epoch: 7, refused: expect.stringContaining(code) });
    expect(await source.chain('alder')).toMatchObject({ chainId: 'alder' });
    put(directory, { ...plainIndex, epoch: 8 });
    expect(await source.reload()).toEqual([]);
    expect(source.status()).toMatchObject({ epoch: 8, refused: null });
  });

  test('recovers when the previous file is restored', async () => {
    const directory = directoryWith();
    const source = await open(directory);
    const path = join(directory, 'index.bundle.json');
    renameSync(path, `${path}.away`);
    expect(codesOf(await source.reload())).toEqual(['GG4001']);
    expect(source.status().refused).toContain('GG4001');
    renameSync(`${path}.away`, path);
    expect(await source.reload()).toEqual([]);
    expect(source.status().refused).toBeNull();
    const { atime } = statSync(path);
    utimesSync(path, atime, new Date());
    expect(await source.reload()).toEqual([]);
  });

  test('reloads the policy: a key removed from it is no longer trusted', async () => {
    const directory = directoryWith();
    const source = await open(directory);
    const { witness: _, ...roles } = policy.roles;
    writeFileSync(join(directory, 'trust.json'), JSON.stringify({ ...policy, roles }));
    expect(codesOf(await source.reload())).toEqual(['GG6012']);
  });

  test('quarantines a chain with two heads, and serves the others', async () => {
    const directory = directoryWith();
    const source = await open(directory);
    const index = structuredClone({ ...plainIndex, epoch: 8 });
    index.chains[1].witnessHead.head = 'another';
    put(directory, index);
    expect(codesOf(await source.reload())).toEqual(['GG6025']);
    expect(source.status()).toMatchObject({ ready: true, quarantined: ['birch'], refused: null });
    expect(await source.chain('birch')).toBeUndefined();
    expect(await source.chain('alder')).toBeDefined();
  });

  test('retries a bundle from the future until it is valid', async () => {
    const directory = directoryWith();
    let now = noon;
    const source = await open(directory, { now: () => now });
    put(directory, { ...plainIndex, epoch: 8, generatedAt: '2026-03-01T12:05:00Z' });
    expect(codesOf(await source.reload())).toEqual(['GG6021']);
    now += 300_000;
    expect(await source.reload()).toEqual([]);
    expect(source.status().epoch).toBe(8);
  });

  test('answers nothing while stale, and reports that', async () => {
    let now = noon;
    const source = await open(directoryWith(), { now: () => now });
    now += 86_400_000;
    expect(source.status()).toMatchObject({ ready: false, state: 'stale', epoch: 7 });
    expect(await source.chain('alder')).toBeUndefined();
    expect(await source.route('alder', 'cedar')).toBeUndefined();
    expect(await source.snapshot()).toBeUndefined();
    expect(await source.snapshot(7)).toBeUndefined();
  });

  test('concurrent reloads run one after another', async () => {
    const directory = directoryWith();
    const source = await open(directory);
    put(directory, { ...plainIndex, epoch: 8 });
    expect(await Promise.all([source.reload(), source.reload(), source.reload()])).toEqual([[], [], []]);
    expect(source.status().epoch).toBe(8);
  });

  test('checks for new bundles on its own, and reports each once', async () => {
    const directory = directoryWith();
    const told: string[][] = [];
    const source = await open(directory, { refresh: 0.02, onReload: (found) => told.push(codesOf(found)) });
    put(directory, { ...plainIndex, epoch: 8 });
    await expect.poll(() => told).toEqual([[]]);
    put(directory, { ...plainIndex, epoch: 6 });
    await expect.poll(() => told).toEqual([[], ['GG6023']]);
    await source.reload();
    await source.reload();
    expect(told).toEqual([[], ['GG6023']]);
    source.close();
  });

  test('uses the working directory and the system clock by default', async () => {
    const directory = directoryWith();
    const index = structuredClone(plainIndex);
    delete index.generatedAt;
    for (const record of [...index.chains, ...index.routes]) record.expiresAt = '2999-01-01T00:00:00Z';
    const generated = new Date(Date.now() - 1000).toISOString().replace(/\.\d+Z/, 'Z');
    put(directory, { ...index, generatedAt: generated });
    const paths = { bundle: join(directory, 'index.bundle.json'), trust: join(directory, 'trust.json') };
    const source = await openFederationBundle(paths);
    opened.push(source);
    expect(source.status().ready).toBe(true);
  });
});

describe('a server over a signed bundle', () => {
  const topologies = [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }];

  test('publishes the bundle, its state and its records', async () => {
    const directory = directoryWith();
    let now = Date.now();
    const generated = new Date(now).toISOString().replace(/\.\d+Z/, 'Z');
    const index = structuredClone({ ...plainIndex, generatedAt: generated });
    for (const record of [...index.chains, ...index.routes]) record.expiresAt = '2999-01-01T00:00:00Z';
    put(directory, index);
    const source = await open(directory, { now: () => now });
    const server = createGqlServer({ topologies, federation: source });
    const ask = (path: string, init?: RequestInit) => server.fetch(new Request(`http://test.local${path}`, init));

    const response = await ask('/federation/bundle');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    const verified = await verifyFederationBundle(text, policy);
    expect(verified.ok && verified.routes.length).toBe(2);
    const etag = response.headers.get('etag') ?? '';
    expect((await ask('/federation/bundle', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await ask('/federation/bundle', { method: 'POST' })).status).toBe(405);

    const lookup: Json = await (await ask('/api/federationLookup?from=alder&to=cedar')).json();
    expect(lookup.route.hops.map(({ chainId }: Json) => chainId)).toEqual(['alder', 'birch', 'cedar']);
    expect(verifyPathProof(lookup.route, lookup.pathProof)).toEqual({ ok: true });
    expect(buildPathProof(lookup.route)).toEqual(lookup.pathProof);

    const ready = await ask('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', federation: source.status() }]);
    now += 86_400_000;
    const stale = await ask('/health/ready');
    expect([stale.status, await stale.json()]).toMatchObject([
      503,
      { status: 'unavailable', federation: { state: 'stale' } },
    ]);
    expect(await (await ask('/api/federationChain?id=alder')).json()).toBeNull();
  });

  test('answers 404 without a bundle', async () => {
    const response = await createGqlServer({ topologies }).fetch(new Request('http://test.local/federation/bundle'));
    expect([response.status, ((await response.json()) as Json).detail]).toEqual([
      404,
      'This server has no signed federation bundle.',
    ]);
  });
});

describe('a bundle behind a URL', () => {
  let http: Server;
  afterEach(() => http.close());
  const listen = async (handler: Parameters<typeof createServer>[1]): Promise<string> => {
    http = createServer(handler as (request: unknown, response: unknown) => void);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  };

  test('is fetched again only after a change', async () => {
    let statuses = 0;
    const url = await listen((request, response) => {
      statuses += request.headers['if-none-match'] === '"7"' ? 1 : 0;
      if (request.headers['if-none-match'] === '"7"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"7"' }).end(bytesOf(signed()));
    });
    const source = await open(directoryWith(), { bundle: url });
    expect(await source.chain('alder')).toBeDefined();
    expect(await source.reload()).toEqual([]);
    expect(statuses).toBe(1);
  });

  test('with an error status or no answer is GG4007', async () => {
    const url = await listen((_request, response) => response.writeHead(500).end('no'));
    expect(await readFederationFile(url, url)).toMatchObject({ ok: false, problem: { code: 'GG4007' } });
    expect(await readFederationFile('http://127.0.0.1:1/', 'x')).toMatchObject({
      ok: false,
      problem: { code: 'GG4007' },
    });
  });

  test('that never ends is GG6001', async () => {
    const url = await listen((_request, response) => {
      const chunk = Buffer.alloc(1 << 20, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write);
      };
      write();
    });
    expect(await readFederationFile(url, url)).toMatchObject({ ok: false, problem: { code: 'GG6001' } });
  });
});

describe('the exported functions', () => {
  test('verifyFederationBundle takes texts, bytes and objects, and never throws', async () => {
    const text = Buffer.from(bytesOf(signed())).toString();
    const at = { now: new Date(noon) };
    const codes = async (...args: Parameters<typeof verifyFederationBundle>) => {
      const result = await verifyFederationBundle(...args);
      return result.ok ? 'ok' : result.diagnostics.map(({ code, span }) => `${code} in ${span.file}`).join();
    };
    expect(await codes(text, policy, at)).toBe('ok');
    expect(await codes(Buffer.from(text), JSON.stringify(policy), at)).toBe('ok');
    expect(await codes(text, policy)).toBe('GG6020 in bundle');
    expect(await codes('', policy, { name: 'a.json' })).toBe('GG6002 in a.json');
    expect(await codes(text, 'null', { policyName: 'b.json' })).toBe('GG6008 in b.json');
    expect(await codes(text, '{')).toBe('GG6002 in trust policy');
  });

  test('buildPathProof throws for an invalid route and names the problem', () => {
    expect(() => buildPathProof({} as never)).toThrow(new TypeError('route.epoch must be present.'));
  });
});
