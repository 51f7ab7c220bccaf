import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';

beforeEach(() => {
  // Faults are reported on the console; these tests cause them on purpose.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const source = `(root)-[:PROCESS]->(told { id: ID!, loud: String })
(form { id: ID })-[:FOLD]->(saved { id: ID! })
(saved)-[:FORK]->(saved_event { id: ID!, loud: String })
(clock)-[:FORK]->(tick { n: Int! })
`;

const fail = () => {
  throw new Error('out of order');
};

function serve(more: Partial<GqlServerOptions> = {}) {
  return createGqlServer({
    topologies: [{ name: 'app.gg', source }],
    resolvers: {
      Query: { told: fail },
      Mutation: { saved: () => ({ id: '1' }) },
      Subscription: { tick: fail },
      SavedEvent: { loud: fail },
    },
    ...more,
  });
}

describe('the origin of an error', () => {
  test('in an event of a FORK is that of the field', async () => {
    const server = serve();
    const events = await server.subscribe({ query: 'subscription { savedEvent { loud } }' }, {});
    if (!(Symbol.asyncIterator in events)) throw new Error('not subscribed');
    await server.executeOperation({ query: 'mutation { saved { id } }' });
    const { value } = await events.next();
    expect(value?.errors?.[0]?.extensions).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      topology: { coordinate: 'SavedEvent.loud', places: ['app.gg:3:42'] },
    });
    await events.return(undefined);
  });

  test('at the start of a subscription is that of the subscription', async () => {
    const result = await serve().subscribe({ query: 'subscription { tick { n } }' }, {});
    if (Symbol.asyncIterator in result) throw new Error('it started');
    expect(result.errors?.[0]?.extensions.topology).toEqual({
      coordinate: 'Subscription.tick',
      edges: ['clock -[:FORK]-> tick'],
      places: ['app.gg:4:1'],
    });
  });

  test('in an event of a resolver is that of the field', async () => {
    const server = serve({
      resolvers: {
        Subscription: {
          tick: async function* () {
            yield { n: null };
          },
        },
      },
    });
    const events = await server.subscribe({ query: 'subscription { tick { n } }' }, {});
    if (!(Symbol.asyncIterator in events)) throw new Error('not subscribed');
    const { value } = await events.next();
    expect(value?.errors?.[0]?.extensions.topology).toEqual({
      coordinate: 'Tick.n',
      places: ['app.gg:4:26'],
    });
  });

  test('is only in the log while errors are masked', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { errors } = await serve({ limits: { masking: true } }).executeOperation({
      query: '{ told { id } }',
    });
    const reference = errors?.[0]?.extensions.reference;
    expect(errors?.map(({ message, extensions }) => ({ message, extensions }))).toEqual([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', reference } },
    ]);
    expect(log.mock.calls).toEqual([
      [
        `reference ${reference}, Query.told (root -[:PROCESS]-> told, app.gg:1:1):`,
        expect.objectContaining({ message: 'out of order' }),
      ],
    ]);
  });

  test('is missing for a field of a layer', async () => {
    const id = {
      name: 'id',
      description: undefined,
      type: { kind: 'named', name: 'ID' },
      span: undefined,
    } as const;
    const server = serve({
      layers: [
        {
          schema: {
            queries: [
              {
                kind: 'query',
                name: 'extra',
                description: undefined,
                arguments: [],
                type: id.type,
                edges: [],
              },
            ],
          },
          resolvers: { Query: { extra: fail } },
        },
      ],
    });
    const { errors } = await server.executeOperation({ query: '{ extra }' });
    expect(errors?.[0]?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
  });
});
