import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EventBroker } from '../../../src/runtime/brokers/broker.js';
import { ConnectedBroker } from '../../../src/runtime/brokers/connected-broker.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { run, serve } from '../server/topology-server.js';

const source = `
  (form { id: ID! })
  (form)-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;
const resolvers = { Mutation: { saveUser: async (_: unknown, { input }: { input: object }) => input } };

/** What happens at one wait of the path from a mutation to the log. */
const faults = [
  'none',
  'no connection',
  'connection is lost before it is stored',
  'connection is lost after it is stored',
  'refused',
  'stored, but the acknowledgement fails',
  'stored in part',
  'never answered',
] as const;
type Fault = (typeof faults)[number];

const servers: GqlServer[] = [];
beforeAll(() => {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});
afterAll(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.close();
});

function start(options: Partial<GqlServerOptions>): GqlServer {
  const server = serve(source, { resolvers, ...options });
  servers.push(server);
  return server;
}

/** A broker whose calls have the given faults, one after another, and none after them. */
function faultyBroker(script: readonly Fault[], stored: Set<string>): EventBroker {
  const rest = [...script];
  return new ConnectedBroker(
    {
      name: 'faulty',
      async connect(lost) {
        if (rest[0] === 'no connection') {
          rest.shift();
          throw new Error('no connection');
        }
        return {
          async send(events) {
            const fault = rest.shift() ?? 'none';
            const store = (count: number): void => {
              for (const { payload } of events.slice(0, count)) stored.add(JSON.parse(payload).id);
            };
            switch (fault) {
              case 'none':
                store(events.length);
                return undefined;
              case 'stored in part':
                store(Math.ceil(events.length / 2));
                throw new Error(fault);
              case 'stored, but the acknowledgement fails':
                store(events.length);
                throw new Error(fault);
              case 'connection is lost after it is stored':
                store(events.length);
                lost(new Error(fault));
                throw new Error(fault);
              case 'never answered':
                return new Promise(() => undefined);
              case 'refused':
                throw new Error(fault);
              default:
                lost(new Error(fault));
                throw new Error(fault);
            }
          },
          listen: async () => undefined,
          close: async () => undefined,
        };
      },
    },
    // Only a call that is never answered needs a short timeout; the others must not fail on a busy machine.
    script.includes('never answered') ? 400 : 30_000,
  );
}

const scripts = faults.flatMap((first) => faults.map((second) => [first, second] as const));

// They wait for the broker.
describe.concurrent('a successful mutation has its event in the log, and any other mutation fails', () => {
  test.each(scripts)('%s, then %s', async (...script) => {
    const stored = new Set<string>();
    const server = start({ events: faultyBroker(script, stored) });
    const save = (id: number) =>
      run(server, `mutation { saveUser(input: { id: "${id}" }) { id } }`).then((result) => ({
        id,
        ...result,
      }));
    const results = await Promise.all([1, 2, 3].map(save));
    results.push(await save(4));
    for (const { id, data, errors } of results) {
      if (errors === undefined) {
        expect(data).toEqual({ saveUser: { id: String(id) } });
        expect(stored).toContain(String(id));
      } else {
        expect(errors[0].extensions.code).toBe('EVENT_NOT_PUBLISHED');
      }
    }
    if (!script.includes('never answered')) expect(results.every(({ errors }) => errors === undefined)).toBe(true);
  });

  test('a sink that fails causes an error, and nothing is stored', async () => {
    const stored = new Set<string>();
    const sinks = { userSaved: () => Promise.reject(new Error('full')) };
    const server = start({ layers: [{ schema: {}, sinks }], events: faultyBroker([], stored) });
    const { errors } = await run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    expect([errors.length, stored.size]).toEqual([1, 0]);
  });

  test('a hook that fails has no effect', async () => {
    const stored = new Set<string>();
    const onEvent = () => {
      throw new Error('hook');
    };
    const server = start({ hooks: [{ onEvent }], events: faultyBroker([], stored) });
    const { errors } = await run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    expect([errors, [...stored]]).toEqual([undefined, ['1']]);
  });

  test('a value without a JSON form is an error', async () => {
    const stored = new Set<string>();
    const saveUser = () => ({ id: '1', toJSON: () => undefined });
    const server = start({ resolvers: { Mutation: { saveUser } }, events: faultyBroker([], stored) });
    const { errors } = await run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    expect([errors[0].extensions.code, stored.size]).toEqual(['EVENT_NOT_PUBLISHED', 0]);
  });

  test('a server that shuts down publishes accepted events, and rejects later ones', async () => {
    const stored = new Set<string>();
    const server = start({ events: faultyBroker(['refused', 'refused'], stored) });
    const taken = run(server, 'mutation { saveUser(input: { id: "1" }) { id } }');
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    expect([(await taken).errors, [...stored]]).toEqual([undefined, ['1']]);
    const { errors } = await run(server, 'mutation { saveUser(input: { id: "2" }) { id } }');
    expect([errors[0].extensions.code, stored.size]).toEqual(['EVENT_NOT_PUBLISHED', 1]);
  });
});
