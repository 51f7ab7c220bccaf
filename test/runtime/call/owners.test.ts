import { describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServerOptions, type Principal } from '../../../src/index.js';

const source = `
  /// @owner patientId
  (visit: Record { id: ID!, patientId: ID!, note: String })
  (diary: Record { id: ID!, patientId: ID!,
    /// @owner patientId
    secret: String
  })
  (root)-[:PROCESS { auth: 'required', operation: 'visits', open: 'each visit is compared', returns: [Visit!]! }]->(visit)
  (root)-[:PROCESS { auth: 'required', operation: 'diary' }]->(diary)
  (bill: Record { id: ID!, patientId: ID! })
  (root)-[:PROCESS { operation: 'bill', owner: 'patientId', id: ID! }]->(bill)
  (root)-[:PROCESS { operation: 'bills', owner: 'patientId', returns: [Bill!]! }]->(bill)
  /// @owner patientId
  (visited: Event { patientId: ID!, note: String })
  (root)-[:FORK { auth: 'required', open: 'each event is compared' }]->(visited)
`;

const visits = [
  { id: '1', patientId: 'ada', note: 'of ada' },
  { id: '2', patientId: 'eve', note: 'of eve' },
];
const ada: Principal = { id: 'ada' };
const doctor: Principal = { id: 'dora', roles: ['doctor'] };

function serve(options: Partial<GqlServerOptions> = {}) {
  return createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    authenticate: ({ header }) => (header('x-user') === undefined ? null : { id: String(header('x-user')) }),
    owners: { exempt: ['doctor'] },
    resolvers: {
      Query: {
        visits: () => visits,
        diary: async () => ({ id: '1', patientId: () => Promise.resolve('eve'), secret: 'of eve' }),
        bill: (_: unknown, { id }: { readonly id: string }) => visits[Number(id)],
        bills: () => visits,
      },
    },
    ...options,
  } as GqlServerOptions);
}

async function run(query: string, principal: Principal | null | undefined) {
  const { data, errors = [] } = await serve().executeOperation({ query, principal });
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
    codes: errors.map((one) => one.extensions.code),
  };
}

describe('objects and fields with an owner', () => {
  test('are returned to their owner, and to no other caller', async () => {
    expect(await run('{ visits { note } }', ada)).toEqual({
      data: { visits: [{ note: 'of ada' }, { note: null }] },
      codes: ['FORBIDDEN'],
    });
  });

  test('are returned to exempt callers and to the program', async () => {
    const all = { data: { visits: [{ note: 'of ada' }, { note: 'of eve' }] }, codes: [] };
    expect([await run('{ visits { note } }', doctor), await run('{ visits { note } }', undefined)]).toEqual([all, all]);
  });

  test('compare the owner in any property, and do not affect other fields', async () => {
    expect(await run('{ diary { id secret } }', ada)).toEqual({
      data: { diary: { id: '1', secret: null } },
      codes: ['FORBIDDEN'],
    });
    expect((await run('{ diary { id secret } }', { id: 'eve' })).data).toEqual({
      diary: { id: '1', secret: 'of eve' },
    });
  });

  test('require a caller', async () => {
    expect(await run('{ visits { note } }', null)).toEqual({ data: null, codes: ['UNAUTHENTICATED'] });
  });

  test('are checked for every caller of a cached document', async () => {
    const server = serve();
    const query = '{ visits { note } }';
    for (const principal of [doctor, doctor, doctor, ada, ada, ada]) {
      const { data } = await server.executeOperation({ query, principal });
      expect(JSON.stringify(data).includes('of eve')).toBe(principal === doctor);
    }
  });
});

describe('queries whose result names the owner', () => {
  test('return objects to their owner, and reject other callers', async () => {
    expect((await run('{ bill(id: 0) { id } }', ada)).data).toEqual({ bill: { id: '1' } });
    expect(await run('{ bill(id: 1) { id } }', ada)).toEqual({ data: { bill: null }, codes: ['FORBIDDEN'] });
    expect((await run('{ bills { id } }', ada)).codes).toEqual(['FORBIDDEN']);
    expect((await run('{ bills { id } }', doctor)).codes).toEqual([]);
  });

  test('answer 403 over REST', async () => {
    const server = serve();
    const ask = (id: number) =>
      server.fetch(new Request(`http://localhost/api/bill?id=${id}`, { headers: { 'x-user': 'ada' } }));
    expect([(await ask(0)).status, (await ask(1)).status]).toEqual([200, 403]);
  });
});

describe('events with an owner', () => {
  test('are read separately for each subscriber', async () => {
    const server = serve();
    const query = 'subscription { visited { note } }';
    const open = async (principal: Principal) => {
      const started = await server.subscribe({ query, principal });
      if (!(Symbol.asyncIterator in started)) throw new Error(JSON.stringify(started));
      return started;
    };
    const streams = [await open(ada), await open({ id: 'eve' }), await open(doctor), await open(ada)];
    server.publish('visited', visits[0]);
    const read = streams.map(async (stream) => {
      const { value } = await stream.next();
      await stream.return();
      return JSON.stringify(value);
    });
    const seen = (await Promise.all(read)).map((text) => text.includes('of ada'));
    expect(seen).toEqual([true, false, true, true]);
  });
});
