import { describe, expect, test } from 'vitest';
import { answerFrom } from '../../src/federation/bundle-records.js';
import { federationLayer } from '../../src/federation/layer.js';
import { buildFederationProjectionLayer } from '../../src/federation/node/build-layer.js';
import { sha256 } from '../../src/federation/node/node-crypto.js';
import { verifyPathProof } from '../../src/federation/node/verify-path-proof.js';
import type { FederationChain, FederationRoute } from '../../src/federation/records.js';
import type { FederationProjectionSource } from '../../src/federation/source.js';
import { createGqlServer } from '../../src/server/service.js';
import { bytesOf, noon, plainIndex, signed, verifyAt } from './bundles.js';
import { type Json, pathProof } from './second-implementation.js';

const found = verifyAt(bytesOf(signed()));
if (!found.ok) throw new Error(found.problem.message);
const golden: FederationProjectionSource = answerFrom(() => found);

/** Asks the layer at a time. */
function ask(source: FederationProjectionSource | undefined, now = noon) {
  const { Query } = federationLayer(source, { now: () => now, sha256 }).resolvers;
  return {
    chain: (id?: string | null) => Query.federationChain(undefined, id === undefined ? {} : { id }),
    lookup: (from?: string | null, to?: string | null) =>
      Query.federationLookup(undefined, {
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      }),
    snapshot: (epoch?: number | null) =>
      Query.federationSnapshot(undefined, epoch === undefined ? {} : { epoch }),
  };
}

describe('a chain', () => {
  test('is found by its id', async () => {
    expect(await ask(golden).chain('birch')).toMatchObject({ id: 'birch', chainId: 'birch', index: 1 });
  });

  test.each([undefined, null, 'dogwood', ''])('with the id %j is null', async (id) => {
    expect(await ask(golden).chain(id)).toBeNull();
  });

  test('is null when it has expired, and when its witness head is a day old', async () => {
    const short = { ...golden, witnessFreshness: 1_000_000_000 };
    const end = Date.parse('2026-04-01T00:00:00Z');
    expect(await ask(short, end - 1).chain('alder')).not.toBeNull();
    expect(await ask(short, end).chain('alder')).toBeNull();
    expect(await ask(golden, noon + 86_400_000 - 1).chain('alder')).not.toBeNull();
    expect(await ask(golden, noon + 86_400_000).chain('alder')).toBeNull();
  });

  test('with invalid times is null', async () => {
    const chain = found.records.chains.get('alder') as FederationChain;
    const head = { ...chain.witnessHead, issuedAt: 'yesterday' };
    expect(
      await ask({ ...golden, chain: () => ({ ...chain, expiresAt: 'never' }) }).chain('alder'),
    ).toBeNull();
    expect(
      await ask({ ...golden, chain: () => ({ ...chain, witnessHead: head }) }).chain('alder'),
    ).toBeNull();
  });
});

describe('a lookup', () => {
  test('returns the route, the destination, its witness, the proof and the earliest expiry', async () => {
    const lookup = await ask(golden).lookup('alder', 'cedar');
    expect(lookup?.route.hops.map(({ chainId }) => chainId)).toEqual(['alder', 'birch', 'cedar']);
    expect(lookup?.destination.chainId).toBe('cedar');
    expect(lookup?.witness).toEqual(lookup?.destination.witnessHead);
    expect(lookup?.pathProof).toEqual(pathProof(signed().routes[0]));
    expect(lookup?.expiresAt).toBe('2026-03-02T12:00:00Z');
    if (lookup === null) throw new Error('nothing was found');
    expect(verifyPathProof(lookup.route, lookup.pathProof)).toEqual({ ok: true });
  });

  test.each<[string | null | undefined, string | null | undefined]>([
    [undefined, undefined],
    ['alder', undefined],
    [null, 'cedar'],
    ['alder', 'birch'],
    ['cedar', 'alder'],
    ['alder', 'alder'],
  ])('from %j to %j is null', async (from, to) => {
    expect(await ask(golden).lookup(from, to)).toBeNull();
  });

  const cases: [string, (source: FederationProjectionSource) => Partial<FederationProjectionSource>][] = [
    ['the source has no destination', () => ({ chain: () => null })],
    ['the source has no witness', () => ({ witnessHead: () => undefined })],
    [
      'the witness of a hop is not known',
      (source) => ({ witnessHead: (id) => (id === 'birch' ? null : source.witnessHead(id)) }),
    ],
    [
      'the witness of a hop is another one',
      (source) => ({ witnessHead: (id) => source.witnessHead(id === 'birch' ? 'alder' : id) }),
    ],
    [
      'the destination has another witness head',
      (source) => ({
        chain: async (id) => {
          const chain = (await source.chain(id)) as FederationChain;
          return { ...chain, witnessHead: { ...chain.witnessHead, digest: `sha256:${'0'.repeat(64)}` } };
        },
      }),
    ],
    ['the route begins elsewhere', changed((route) => ({ ...route, fromChainId: 'birch' }))],
    ['the route ends elsewhere', changed((route) => ({ ...route, toChainId: 'birch' }))],
    [
      'a hop is missing',
      changed((route) => ({ ...route, hops: route.hops.filter(({ index }) => index !== 1) })),
    ],
    [
      'the digest of the route is not its own',
      changed((route) => ({ ...route, digest: `sha256:${'0'.repeat(64)}` })),
    ],
    ['the expiry of the route is no time', changed((route) => ({ ...route, expiresAt: 'never' }))],
    [
      'the expiry of the destination is no time',
      (source) => ({
        chain: async (id) => ({ ...((await source.chain(id)) as FederationChain), expiresAt: 'never' }),
      }),
    ],
  ];

  test.each(cases)('is null when %s', async (_what, change) => {
    const source: FederationProjectionSource = { ...golden, ...change(golden) };
    expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
  });

  test('is null once any part of it has expired', async () => {
    expect(await ask(golden, noon + 86_400_000 - 1).lookup('alder', 'cedar')).not.toBeNull();
    expect(await ask(golden, noon + 86_400_000).lookup('alder', 'cedar')).toBeNull();
    const patient = { ...golden, witnessFreshness: 1_000_000_000 };
    const end = Date.parse('2026-03-15T00:00:00Z');
    expect((await ask(patient, end - 1).lookup('alder', 'cedar'))?.expiresAt).toBe('2026-03-15T00:00:00Z');
    expect(await ask(patient, end).lookup('alder', 'cedar')).toBeNull();
  });

  test('computes the proof again for a route that is not frozen', async () => {
    const loose = changed((route) => ({ ...route }))(golden);
    const first = await ask({ ...golden, ...loose }).lookup('alder', 'cedar');
    expect(first).toEqual(await ask(golden).lookup('alder', 'cedar'));
  });
});

function changed(change: (route: FederationRoute) => FederationRoute) {
  return (source: FederationProjectionSource): Partial<FederationProjectionSource> => ({
    route: async (from, to) => change((await source.route(from, to)) as FederationRoute),
  });
}

describe('a snapshot', () => {
  test('is the latest, or that of an epoch that was seen', async () => {
    expect(await ask(golden).snapshot()).toMatchObject({ epoch: 7, recordCount: 5 });
    expect(await ask(golden).snapshot(null)).toMatchObject({ epoch: 7 });
    expect(await ask(golden).snapshot(7)).toMatchObject({ epoch: 7 });
    expect(await ask(golden).snapshot(6)).toBeNull();
  });
});

test('a quarantined chain is not answered, and no route over it is', async () => {
  const index = structuredClone({ ...plainIndex, epoch: 8 });
  index.chains[1].witnessHead.head = 'another';
  const next = verifyAt(bytesOf(signed(index)), { history: found.history });
  if (!next.ok) throw new Error(next.problem.message);
  const source = answerFrom(() => next);
  expect(await ask(source).chain('birch')).toBeNull();
  expect(await ask(source).chain('cedar')).not.toBeNull();
  expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
});

test('without a state, and without a source, everything is null', async () => {
  for (const source of [undefined, answerFrom(() => undefined)]) {
    expect(await ask(source).chain('alder')).toBeNull();
    expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
    expect(await ask(source).snapshot()).toBeNull();
    expect(await ask(source).snapshot(7)).toBeNull();
  }
});

describe('a custom source', () => {
  const topologies = [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }];
  const snapshot = { ...found.records.snapshot, epoch: 3 };
  const own: FederationProjectionSource = {
    chain: () => null,
    route: () => Promise.resolve(undefined),
    witnessHead: () => null,
    snapshot: (epoch) => (epoch === undefined || epoch === 3 ? snapshot : null),
  };
  const query = '{ federationSnapshot { epoch signer } federationLookup(from: "a", to: "b") { expiresAt } }';
  const expected = { federationSnapshot: { epoch: 3, signer: snapshot.signer }, federationLookup: null };

  test.each<[string, Json]>([
    ['as the option', { federation: own }],
    ['as a layer in the option', { federation: buildFederationProjectionLayer(own) }],
    ['as one of the layers', { layers: [buildFederationProjectionLayer(own)] }],
  ])('answers, given %s', async (_way, options) => {
    const server = createGqlServer({ topologies, ...options });
    const { data } = await server.executeOperation({ query });
    expect(JSON.parse(JSON.stringify(data))).toEqual(expected);
    const ready = await server.fetch(new Request('http://test.local/health/ready'));
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    const bundle = await server.fetch(new Request('http://test.local/federation/bundle'));
    expect(bundle.status).toBe(404);
  });

  test('is overridden by a resolver of the user', async () => {
    const resolvers = { Query: { federationSnapshot: () => ({ ...snapshot, epoch: 99 }) } };
    const server = createGqlServer({ topologies, federation: own, resolvers });
    const { data } = await server.executeOperation({ query: '{ federationSnapshot { epoch } }' });
    expect(JSON.parse(JSON.stringify(data))).toEqual({ federationSnapshot: { epoch: 99 } });
  });
});
