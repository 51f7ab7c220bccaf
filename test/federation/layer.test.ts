import { describe, expect, test } from 'vitest';
import { federationLayer } from '../../src/federation/layer.js';
import { buildFederationProjectionLayer } from '../../src/federation/node/build-layer.js';
import { answerFrom } from '../../src/federation/node/bundle-source.js';
import { sha256 } from '../../src/federation/node/node-crypto.js';
import { verifyPathProof } from '../../src/federation/node/verify-path-proof.js';
import type { FederationChain, FederationRoute, FederationWitnessHead } from '../../src/federation/records.js';
import type { FederationProjectionSource } from '../../src/federation/source.js';
import { createGqlServer } from '../../src/runtime/server/service.js';
import { bytesOf, noon, plainIndex, signed, verifyAt } from './bundles.js';
import { type Json, pathProof } from './second-implementation.js';

/** The state after the golden bundle. Verified in the test that needs it: mutation testing counts what each test runs. */
function goldenState() {
  const found = verifyAt(bytesOf(signed()));
  if (!found.ok) throw new Error(found.problem.message);
  return found;
}

function goldenSource(): FederationProjectionSource {
  const found = goldenState();
  return answerFrom(() => found);
}

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
    snapshot: (epoch?: number | null) => Query.federationSnapshot(undefined, epoch === undefined ? {} : { epoch }),
  };
}

describe('a chain', () => {
  test('is found by its id', async () => {
    const golden = goldenSource();
    expect(await ask(golden).chain('birch')).toMatchObject({ id: 'birch', chainId: 'birch', index: 1 });
  });

  test('is null when the source returns null or undefined', async () => {
    for (const nothing of [null, undefined]) {
      expect(await ask({ ...goldenSource(), chain: () => nothing }).chain('alder')).toBeNull();
    }
  });

  test.each([undefined, null, 'dogwood', ''])('with the id %j is null', async (id) => {
    const golden = goldenSource();
    expect(await ask(golden).chain(id)).toBeNull();
  });

  test('is null when it has expired, and when its witness head is a day old', async () => {
    const golden = goldenSource();
    const short = { ...golden, witnessFreshness: 1_000_000_000 };
    const end = Date.parse('2026-04-01T00:00:00Z');
    expect(await ask(short, end - 1).chain('alder')).not.toBeNull();
    expect(await ask(short, end).chain('alder')).toBeNull();
    expect(await ask(golden, noon + 86_400_000 - 1).chain('alder')).not.toBeNull();
    expect(await ask(golden, noon + 86_400_000).chain('alder')).toBeNull();
  });

  test('with invalid times is null', async () => {
    const golden = goldenSource();
    const chain = (await golden.chain('alder')) as FederationChain;
    const head = { ...chain.witnessHead, issuedAt: 'yesterday' };
    expect(await ask({ ...golden, chain: () => ({ ...chain, expiresAt: 'never' }) }).chain('alder')).toBeNull();
    expect(await ask({ ...golden, chain: () => ({ ...chain, witnessHead: head }) }).chain('alder')).toBeNull();
  });
});

describe('a lookup', () => {
  test('returns the route, the destination, its witness, the proof and the earliest expiry', async () => {
    const golden = goldenSource();
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
    const golden = goldenSource();
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
    [
      'the time of a witness head is invalid',
      (source) => ({
        witnessHead: async (id) => ({
          ...((await source.witnessHead(id)) as FederationWitnessHead),
          issuedAt: 'never',
        }),
      }),
    ],
    ['the route begins elsewhere', changed((route) => ({ ...route, fromChainId: 'birch' }))],
    ['the route ends elsewhere', changed((route) => ({ ...route, toChainId: 'birch' }))],
    ['a hop is missing', changed((route) => ({ ...route, hops: route.hops.filter(({ index }) => index !== 1) }))],
    ['the digest of the route is not its own', changed((route) => ({ ...route, digest: `sha256:${'0'.repeat(64)}` }))],
    ['the expiry of the route is invalid', changed((route) => ({ ...route, expiresAt: 'never' }))],
    [
      'the expiry of the destination is invalid',
      (source) => ({
        chain: async (id) => ({ ...((await source.chain(id)) as FederationChain), expiresAt: 'never' }),
      }),
    ],
  ];

  test.each(cases)('is null when %s', async (_what, change) => {
    const golden = goldenSource();
    const source: FederationProjectionSource = { ...golden, ...change(golden) };
    expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
  });

  test('is null when the source returns another valid route', async () => {
    const golden = goldenSource();
    const answering = (from: string, to: string) => ask({ ...golden, route: () => golden.route(from, to) });
    expect(await answering('alder', 'cedar').lookup('alder', 'cedar')).not.toBeNull();
    expect(await answering('birch', 'cedar').lookup('alder', 'cedar')).toBeNull();
    expect(await answering('alder', 'cedar').lookup('alder', 'birch')).toBeNull();
  });

  test('is null once any part of it has expired', async () => {
    const golden = goldenSource();
    expect(await ask(golden, noon + 86_400_000 - 1).lookup('alder', 'cedar')).not.toBeNull();
    expect(await ask(golden, noon + 86_400_000).lookup('alder', 'cedar')).toBeNull();
    const patient = { ...golden, witnessFreshness: 1_000_000_000 };
    const end = Date.parse('2026-03-15T00:00:00Z');
    expect((await ask(patient, end - 1).lookup('alder', 'cedar'))?.expiresAt).toBe('2026-03-15T00:00:00Z');
    expect(await ask(patient, end).lookup('alder', 'cedar')).toBeNull();
  });

  test('computes the proof again if the route is not frozen', async () => {
    const golden = goldenSource();
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

describe('the path proof of a route', () => {
  const frozen = (route: FederationRoute): FederationRoute =>
    Object.freeze({ ...route, hops: Object.freeze(route.hops.map((hop) => Object.freeze({ ...hop }))) });

  test('is computed once for a frozen route, and at each lookup for any other', async () => {
    const golden = goldenSource();
    const route = (await golden.route('alder', 'cedar')) as FederationRoute;
    const hashesOf = async (given: FederationRoute): Promise<number[]> => {
      const counts: number[] = [];
      for (let lookup = 0; lookup < 2; lookup++) {
        let count = 0;
        const counting = (data: Uint8Array) => {
          count += 1;
          return sha256(data);
        };
        const source = { ...golden, route: () => given };
        const { Query } = federationLayer(source, { now: () => noon, sha256: counting }).resolvers;
        expect(await Query.federationLookup(undefined, { from: 'alder', to: 'cedar' })).not.toBeNull();
        counts.push(count);
      }
      return counts;
    };
    const hops = route.hops.map((hop) => ({ ...hop }));
    const [first, again] = await hashesOf(frozen(route));
    expect([first, again]).toEqual([first, 0]);
    expect(first).toBeGreaterThan(0);
    for (const loose of [
      { ...frozen(route) },
      Object.freeze({ ...route, hops: [...frozen(route).hops] }),
      Object.freeze({ ...route, hops: Object.freeze(hops) }),
      Object.freeze({ ...route, hops: Object.freeze([...frozen(route).hops.slice(0, 2), ...hops.slice(2)]) }),
    ]) {
      expect(await hashesOf(loose)).toEqual([first, first]);
    }
  });
});

test('a query without its arguments does not call the source', async () => {
  const asked: string[] = [];
  const golden = goldenSource();
  const source: FederationProjectionSource = {
    ...golden,
    chain: (id) => {
      asked.push(`chain ${id}`);
      return golden.chain('alder');
    },
    route: (from, to) => {
      asked.push(`route ${from} ${to}`);
      return golden.route('alder', 'cedar');
    },
  };
  for (const nothing of [undefined, null]) {
    expect(await ask(source).chain(nothing)).toBeNull();
    expect(await ask(source).lookup(nothing, 'cedar')).toBeNull();
    expect(await ask(source).lookup('alder', nothing)).toBeNull();
  }
  expect(await ask(source).lookup('', 'cedar')).toBeNull();
  expect(asked).toEqual([]);
});

describe('a snapshot', () => {
  test('is the latest, or that of an epoch that was seen', async () => {
    const golden = goldenSource();
    expect(await ask(golden).snapshot()).toMatchObject({ epoch: 7, recordCount: 5 });
    expect(await ask(golden).snapshot(null)).toMatchObject({ epoch: 7 });
    expect(await ask(golden).snapshot(7)).toMatchObject({ epoch: 7 });
    expect(await ask(golden).snapshot(6)).toBeNull();
  });
});

test('a quarantined chain and routes over it are not returned', async () => {
  const index = structuredClone({ ...plainIndex, epoch: 8 });
  index.chains[1].witnessHead.head = 'another';
  const next = verifyAt(bytesOf(signed(index)), { history: goldenState().history });
  if (!next.ok) throw new Error(next.problem.message);
  const source = answerFrom(() => next);
  expect(await ask(source).chain('birch')).toBeNull();
  expect(await ask(source).chain('cedar')).not.toBeNull();
  expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
});

test('without a state or without a source, every query returns null', async () => {
  for (const source of [undefined, answerFrom(() => undefined)]) {
    expect(await ask(source).chain('alder')).toBeNull();
    expect(await ask(source).lookup('alder', 'cedar')).toBeNull();
    expect(await ask(source).snapshot()).toBeNull();
    expect(await ask(source).snapshot(7)).toBeNull();
  }
});

describe('a custom source', () => {
  const topologies = [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }];
  const snapshot = {
    epoch: 3,
    generatedAt: '2026-03-01T12:00:00Z',
    index: 0,
    digest: `sha256:${'0'.repeat(64)}`,
    mirrorCount: 1,
    recordCount: 5,
    revocationCount: 1,
    signer: 'own#0000000000000000',
  };
  const own: FederationProjectionSource = {
    chain: () => null,
    route: () => Promise.resolve(undefined),
    witnessHead: () => null,
    snapshot: (epoch) => (epoch === undefined || epoch === 3 ? snapshot : null),
  };
  const query = '{ federationSnapshot { epoch signer } federationLookup(from: "a", to: "b") { expiresAt } }';
  const expected = { federationSnapshot: { epoch: 3, signer: snapshot.signer }, federationLookup: null };

  test.each<[string, () => Json]>([
    ['as the option', () => ({ federation: own })],
    ['as a layer in the option', () => ({ federation: buildFederationProjectionLayer(own) })],
    ['as one of the layers', () => ({ layers: [buildFederationProjectionLayer(own)] })],
  ])('answers with %s', async (_way, options) => {
    const server = createGqlServer({ topologies, ...options() });
    const { data } = await server.executeOperation({ query });
    expect(JSON.parse(JSON.stringify(data))).toEqual(expected);
    const ready = await server.fetch(new Request('http://test.local/health/ready'));
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    const bundle = await server.fetch(new Request('http://test.local/federation/bundle'));
    expect(bundle.status).toBe(404);
  });

  test('is overridden by a resolver of the program', async () => {
    const resolvers = { Query: { federationSnapshot: () => ({ ...snapshot, epoch: 99 }) } };
    const server = createGqlServer({ topologies, federation: own, resolvers });
    const { data } = await server.executeOperation({ query: '{ federationSnapshot { epoch } }' });
    expect(JSON.parse(JSON.stringify(data))).toEqual({ federationSnapshot: { epoch: 99 } });
  });
});
