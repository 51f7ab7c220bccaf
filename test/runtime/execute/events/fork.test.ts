import { afterEach, describe, expect, test, vi } from 'vitest';
import { orNothing, subscribe } from '../../server/subscriber.js';
import { post, run, serve } from '../../server/topology-server.js';

const source = `
  (form { id: ID!, name: String! })
  (form)-[:FOLD]->(save_user { id: ID!, name: String! })
  (save_user)-[:FORK { id: ID }]->(user_saved: Event { id: ID!, name: String! })
  (save_user)-[:FORK]->(audit_log: Event { name: String!, kind: 'audit' })
`;
const saveUser = (_: unknown, { input }: { input: object }) => input;
const resolvers = { Mutation: { saveUser } };
const saved = 'subscription { userSaved { id name } }';
const save = (id: string, name = 'Ada') => `mutation { saveUser(input: { id: "${id}", name: "${name}" }) { id } }`;

afterEach(() => vi.restoreAllMocks());

describe('a mutation along a FORK edge', () => {
  test('publishes its result to the subscriptions of all targets', async () => {
    const server = serve(source, { resolvers });
    const [users, audits] = await Promise.all([
      subscribe(server, saved),
      subscribe(server, 'subscription { auditLog { name kind } }'),
    ]);
    await run(server, save('1'));
    expect(await users.next()).toEqual({ data: { userSaved: { id: '1', name: 'Ada' } } });
    expect(await audits.next()).toEqual({ data: { auditLog: { name: 'Ada', kind: 'audit' } } });
  });

  test('publishes over GraphQL, REST and from the program', async () => {
    const server = serve(source, { resolvers });
    const users = await subscribe(server, saved);
    await run(server, save('1'));
    await post(server, '/graphql', { query: save('2') });
    await post(server, '/api/saveUser', { input: { id: '3', name: 'Ada' } });
    const seen = [await users.next(), await users.next(), await users.next()];
    expect(seen.map(({ data }) => data.userSaved.id)).toEqual(['1', '2', '3']);
  });

  test('publishes nothing if it fails or returns null', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let result: () => unknown = () => null;
    const server = serve(source, { resolvers: { Mutation: { saveUser: () => result() } } });
    const users = await subscribe(server, saved);
    await run(server, save('1'));
    result = () => {
      throw new Error('at once');
    };
    await run(server, save('2'));
    result = () => Promise.reject(new Error('later'));
    await run(server, save('3'));
    result = async () => ({ id: '4', name: 'Ada' });
    await run(server, save('4'));
    expect((await users.next()).data.userSaved.id).toBe('4');
  });

  test('publishes each item of a list', async () => {
    const server = serve(
      `
      (form { name: String! })-[:FOLD { returns: [User!]!, operation: 'saveUsers' }]->(user { name: String! })
      (user)-[:FORK]->(user_saved { name: String! })
    `,
      { resolvers: { Mutation: { saveUsers: () => [{ name: 'Ada' }, { name: 'Grace' }] } } },
    );
    const users = await subscribe(server, 'subscription { userSaved { name } }');
    await run(server, 'mutation { saveUsers { name } }');
    expect([await users.next(), await users.next()]).toEqual([
      { data: { userSaved: { name: 'Ada' } } },
      { data: { userSaved: { name: 'Grace' } } },
    ]);
  });

  test('publishes the member of a union that it returned', async () => {
    const server = serve(`
      (cat { name: 'Tom' })
      (dog { name: String! })
      (cat | dog)-[:RACE]->(pet)
      (form { name: String })-[:FOLD]->(pet)
      (pet)-[:FORK { operation: 'petSeen' }]->(pet)
    `);
    const pets = await subscribe(server, 'subscription { petSeen { __typename ... on Cat { name } } }');
    await run(server, 'mutation { pet { __typename } }');
    expect(await pets.next()).toEqual({ data: { petSeen: { __typename: 'Cat', name: 'Tom' } } });
  });

  test('succeeds even if its event cannot be published', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const events = new EventTarget();
    events.dispatchEvent = () => {
      throw new Error('the network is gone');
    };
    const server = serve(source, { resolvers, events });
    expect((await run(server, save('1'))).data).toEqual({ saveUser: { id: '1' } });
    expect(log).toHaveBeenCalledTimes(2);
  });

  test('does not publish to a subscription with its own resolver', async () => {
    const server = serve(source, {
      resolvers: {
        ...resolvers,
        Subscription: {
          userSaved: async function* () {
            yield { id: 'own', name: 'Own' };
          },
        },
      },
    });
    const users = await subscribe(server, saved);
    await run(server, save('1'));
    expect([(await users.next()).data.userSaved.id, await users.next()]).toEqual(['own', undefined]);
  });
});

describe('server.publish', () => {
  test('publishes to subscribers, and not to later ones', async () => {
    const server = serve(source);
    server.publish('userSaved', { id: 0, name: 'before' });
    const users = await subscribe(server, saved);
    server.publish('userSaved', { id: 1, name: 'Ada' });
    expect((await users.next()).data.userSaved).toEqual({ id: '1', name: 'Ada' });
    expect(await orNothing(users.next())).toBe('nothing');
  });

  test('rejects an unknown subscription', () => {
    const server = serve(source);
    expect(() => server.publish('userSave', {})).toThrow(
      new TypeError('There is no subscription userSave. Did you mean userSaved?'),
    );
    expect(() => server.publish('constructor', {})).toThrow('There is no subscription constructor.');
  });

  test('sends field errors to the subscriber, and continues', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve(source);
    const users = await subscribe(server, saved);
    server.publish('userSaved', { id: 1 });
    server.publish('userSaved', { id: 2, name: 'Ada' });
    expect((await users.next()).errors[0].message).toBe('The event cannot be completed: UserSaved.name has no value.');
    expect((await users.next()).data.userSaved.id).toBe('2');
  });
});

describe('the arguments of a FORK edge', () => {
  const filtered = 'subscription ($id: ID) { userSaved(id: $id) { id } }';

  test('accept events with an equal value', async () => {
    const server = serve(source);
    const one = await subscribe(server, filtered, { id: '7' });
    server.publish('userSaved', { id: 8, name: 'other' });
    server.publish('userSaved', { name: 'without' });
    server.publish('userSaved', { id: 7, name: 'Ada' });
    expect((await one.next()).data.userSaved.id).toBe('7');
  });

  test('that are omitted or null accept every event', async () => {
    const server = serve(source);
    const all = await Promise.all([
      subscribe(server, filtered),
      subscribe(server, filtered, { id: null }),
      subscribe(server, saved),
    ]);
    server.publish('userSaved', { id: '9', name: 'Ada' });
    for (const one of all) expect((await one.next()).data.userSaved.id).toBe('9');
  });

  test('are compared with the resolved fields of the target', async () => {
    const server = serve('(a)-[:FORK { kind: String, code: Int }]->(seen { kind: String, code: Int, at: String })', {
      resolvers: {
        Seen: { kind: async (event: { type: string }) => event.type },
      },
    });
    const some = await subscribe(server, 'subscription { seen(kind: "a") { at } }');
    const coded = await subscribe(server, 'subscription { seen(code: 2) { at } }');
    server.publish('seen', { type: 'b', at: '1', code: 2 });
    server.publish('seen', { type: 'a', at: '2', code: () => 3 });
    expect((await some.next()).data.seen.at).toBe('2');
    expect((await coded.next()).data.seen.at).toBe('1');
    expect(await orNothing(coded.next())).toBe('nothing');
  });

  test('without a field in the target are compared with the event', async () => {
    const server = serve('(a)-[:FORK { room: ID }]->(seen { at: String })');
    const some = await subscribe(server, 'subscription { seen(room: 4) { at } }');
    server.publish('seen', { room: 5, at: '1' });
    server.publish('seen', { room: 4, at: '2' });
    expect((await some.next()).data.seen.at).toBe('2');
  });

  test('may be lists and input objects', async () => {
    const server = serve(`
      (place { town: ID, street: String })
      (a)-[:FORK { kind: [String!], tags: [String!], place: Place }]->(seen {
        kind: String, tags: [String!], place: Place, at: String
      })
    `);
    const oneOf = await subscribe(server, 'subscription { seen(kind: ["a", "b"]) { at } }');
    const same = await subscribe(server, 'subscription { seen(tags: ["x", "y"]) { at } }');
    const there = await subscribe(server, 'subscription { seen(place: { town: "5" }) { at } }');
    server.publish('seen', { at: '1', kind: 'c', tags: ['x'], place: { town: 6 } });
    server.publish('seen', { at: '2', kind: 'b', tags: ['y', 'x'], place: null });
    server.publish('seen', { at: '3', kind: 'c', tags: ['x', 'y'], place: { town: 5, street: 'Main' } });
    expect((await oneOf.next()).data.seen.at).toBe('2');
    expect((await same.next()).data.seen.at).toBe('3');
    expect((await there.next()).data.seen.at).toBe('3');
  });

  test('that cannot be compared accept no event', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve('(a)-[:FORK { code: Int }]->(seen { code: Int })');
    const some = await subscribe(server, 'subscription { seen(code: 1) { code } }');
    server.publish('seen', { code: 'no number' });
    server.publish('seen', { code: 1 });
    expect((await some.next()).data.seen.code).toBe(1);
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('a subscriber that does not read', () => {
  test('gets 100 events and an overflow error, then completes; others continue', async () => {
    const server = serve(source);
    const slow = await subscribe(server, saved);
    const quick = await subscribe(server, saved);
    for (let at = 0; at < 150; at++) {
      server.publish('userSaved', { id: at, name: 'Ada' });
      expect((await quick.next()).data.userSaved.id).toBe(String(at));
    }
    for (let at = 0; at < 100; at++) expect((await slow.next()).data.userSaved.id).toBe(String(at));
    expect(await slow.next()).toEqual({
      errors: [
        {
          message: 'The subscription ended, because the subscriber is too slow: more than 100 events were waiting.',
          extensions: { code: 'SUBSCRIBER_TOO_SLOW' },
        },
      ],
    });
    expect(await slow.next()).toBeUndefined();
  });

  test('is dropped with its group if the resolvers are slower than the events', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = serve(source, { resolvers: { UserSaved: { name: () => gate.then(() => 'late') } } });
    const users = await subscribe(server, saved);
    for (let at = 0; at < 150; at++) server.publish('userSaved', { id: at });
    release();
    const seen = [];
    for (let one = await users.next(); one !== undefined; one = await users.next()) seen.push(one);
    expect(seen.length).toBeLessThanOrEqual(102);
    expect(seen.at(-1).errors[0].extensions.code).toBe('SUBSCRIBER_TOO_SLOW');
  });
});

test('a subscription with its own resolver fails with its source, and ends', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = serve(source, {
    resolvers: {
      Subscription: {
        userSaved: async function* () {
          yield { id: 1, name: 'Ada' };
          throw new Error('gone');
        },
      },
    },
  });
  const users = await subscribe(server, saved);
  expect((await users.next()).data.userSaved.id).toBe('1');
  expect((await users.next()).errors[0].message).toBe('gone');
  expect(await users.next()).toBeUndefined();
});

test('draining ends subscriptions of every kind, even one that waits for its source', async () => {
  const server = serve(source, {
    resolvers: {
      Subscription: {
        auditLog: async function* () {
          await new Promise(() => undefined);
          yield {};
        },
      },
    },
  });
  const all = [await subscribe(server, saved), await subscribe(server, 'subscription { auditLog { name } }')];
  const next = all.map((one) => one.next());
  server.drain();
  expect(await Promise.all(next)).toEqual([undefined, undefined]);
});

describe('subscribers with the same operation', () => {
  const counting = (context?: unknown) => {
    const name = vi.fn((event: { name: string }, _args: object, who: { me?: string }) =>
      who.me === undefined ? event.name : `${event.name} for ${who.me}`,
    );
    return { name, server: serve<unknown>(source, { resolvers: { UserSaved: { name } }, context }) };
  };

  test('are served by one execution, with one and the same result', async () => {
    const { name, server } = counting();
    const results = await Promise.all(Array.from({ length: 20 }, () => server.subscribe({ query: saved })));
    server.publish('userSaved', { id: 1, name: 'Ada' });
    const steps = await Promise.all(results.map((result) => (result as AsyncGenerator<unknown>).next()));
    expect(name).toHaveBeenCalledOnce();
    expect(new Set(steps.map(({ value }) => value)).size).toBe(1);
  });

  test('are executed separately if the variables, the operation or the context differ', async () => {
    const { name, server } = counting();
    const text = `subscription A($id: ID) { userSaved(id: $id) { name } } subscription B { userSaved { name } }`;
    const start = async (operationName: string, variables: object, context?: unknown) => {
      const started = await server.subscribe({ query: text, operationName, variables: { ...variables } }, context);
      return started as AsyncGenerator<{ data: { userSaved: { name: string } } }>;
    };
    const all = await Promise.all([
      start('A', { id: '1' }),
      start('A', { id: null }),
      start('B', {}),
      start('B', {}, { me: 'Ada' }),
      start('B', {}, { me: 'Ada' }),
    ]);
    server.publish('userSaved', { id: 1, name: 'x' });
    const names = await Promise.all(all.map(async (one) => (await one.next()).value.data.userSaved.name));
    expect(names).toEqual(['x', 'x', 'x', 'x for Ada', 'x for Ada']);
    expect(name).toHaveBeenCalledTimes(5);
  });

  test('share across contexts if no resolver reads them, except for events with methods', async () => {
    const server = serve<{ me: string }>(source);
    const ada = await subscribe(server, saved, {}, { me: 'Ada' });
    const bob = await subscribe(server, saved, {}, { me: 'Bob' });
    server.publish('userSaved', { id: 1, name: (_: object, context: { me: string }) => context.me });
    expect((await ada.next()).data.userSaved.name).toBe('Ada');
    expect((await bob.next()).data.userSaved.name).toBe('Bob');
    server.publish('userSaved', { id: 1, name: 'same' });
    expect((await ada.next()).data.userSaved.name).toBe('same');
    expect((await bob.next()).data.userSaved.name).toBe('same');
  });

  test('get an error for an unreadable event, and then the next event', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve<{ me: string }>(source);
    const all = [await subscribe(server, saved, {}, { me: 'Ada' }), await subscribe(server, saved, {}, { me: 'Bob' })];
    const closed = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error('do not look');
        },
      },
    );
    server.publish('userSaved', closed);
    server.publish('userSaved', { id: 1, name: 'Ada' });
    for (const one of all) {
      expect((await one.next()).errors[0].message).toBe('do not look');
      expect((await one.next()).data.userSaved.id).toBe('1');
    }
  });

  test('get no earlier event', async () => {
    const { server } = counting();
    const first = await subscribe(server, saved);
    server.publish('userSaved', { id: 1, name: 'early' });
    const second = await subscribe(server, saved);
    server.publish('userSaved', { id: 2, name: 'late' });
    expect((await first.next()).data.userSaved.id).toBe('1');
    expect((await second.next()).data.userSaved.id).toBe('2');
  });

  test('unsubscribe one by one; the last one closes the source', async () => {
    const events = new EventTarget();
    const remove = vi.spyOn(events, 'removeEventListener');
    const add = vi.spyOn(events, 'addEventListener');
    const server = serve(source, { events });
    const one = await subscribe(server, saved);
    const other = await subscribe(server, saved);
    const filtered = await subscribe(server, 'subscription { userSaved(id: 1) { id } }');
    const waiting = one.next();
    await one.stop();
    expect(await waiting).toBeUndefined();
    server.publish('userSaved', { id: 1, name: 'Ada' });
    expect((await other.next()).data.userSaved.id).toBe('1');
    await other.stop();
    expect(add).toHaveBeenCalledOnce();
    expect(remove).not.toHaveBeenCalled();
    await filtered.stop();
    expect(remove).toHaveBeenCalledOnce();
    // And whoever comes then finds it open again.
    const again = await subscribe(server, saved);
    server.publish('userSaved', { id: 2, name: 'Ada' });
    expect((await again.next()).data.userSaved.id).toBe('2');
  });

  test('get the same errors when their subscription cannot start', async () => {
    const server = serve('(a)-[:FORK { id: ID! }]->(seen { id: ID })');
    const request = { query: 'subscription ($id: ID!) { seen(id: $id) { id } }' };
    const results = await Promise.all([server.subscribe(request), server.subscribe(request)]);
    for (const result of results) {
      expect(result).toMatchObject({ errors: [{ message: expect.stringContaining('$id') }] });
    }
  });

  test('may select the field in fragments', async () => {
    const server = serve(source);
    const users = await subscribe(
      server,
      'subscription { ...S } fragment S on Subscription { ... { userSaved { id } } }',
    );
    server.publish('userSaved', { id: 1, name: 'Ada' });
    expect((await users.next()).data.userSaved.id).toBe('1');
  });
});

describe('events over another EventTarget', () => {
  test('reach every server that shares it', async () => {
    const events = new EventTarget();
    const [one, other] = [serve(source, { resolvers, events }), serve(source, { resolvers, events })];
    const users = await subscribe(other, saved);
    await post(one, '/api/saveUser', { input: { id: '3', name: 'Ada' } });
    expect((await users.next()).data.userSaved.id).toBe('3');
  });

  test('must be an EventTarget', () => {
    expect(() => serve(source, { events: {} as never })).toThrow('events must be an EventTarget or a broker');
  });
});

describe('an event that cannot be completed', () => {
  const partial = (value: unknown) => ({ Mutation: { saveUser: () => value } });
  const mutation = 'mutation { saveUser(input: {}) { __typename } }';

  test.each([
    ['a missing field', { id: '1' }, 'is missing'],
    ['a field that is null', { id: '1', name: null }, 'must not be null'],
  ])('because of %s is an error with its code and place, and is counted and logged', async (_, value, reason) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve(source, { resolvers: partial(value) });
    const events = await subscribe(server, saved);
    const others = await subscribe(server, 'subscription { userSaved { id } }');
    expect((await run(server, mutation)).errors).toBeUndefined();
    await post(server, '/graphql', { query: mutation });
    const topology = {
      coordinate: 'Subscription.userSaved',
      edges: ['save_user -[:FORK]-> user_saved'],
      places: ['test.gg:4:3'],
    };
    for (let times = 0; times < 2; times++) {
      expect(await events.next()).toMatchObject({
        data: { userSaved: null },
        errors: [
          {
            message: 'The event cannot be completed: UserSaved.name has no value.',
            path: ['userSaved', 'name'],
            extensions: { code: 'EVENT_INCOMPLETE', topology },
          },
        ],
      });
      // The value is not missed where it is not selected.
      expect(await others.next()).toEqual({ data: { userSaved: { id: '1' } } });
    }
    expect(server.incompleteEvents.get('userSaved')).toBe(2);
    expect(log.mock.calls.flat()).toContain(
      `Subscription.userSaved (save_user -[:FORK]-> user_saved, test.gg:4:3): an event cannot be completed: name ${reason} (2 so far).`,
    );
  });

  test('lacks a field without a resolver or a constant in the event', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const resolvers = {
      ...partial({ id: '1' }),
      UserSaved: { name: () => 'Ada' },
      AuditLog: { name: () => 'A' },
    };
    const server = serve(source, { resolvers });
    const events = await subscribe(server, saved);
    await run(server, mutation);
    expect((await events.next()).data.userSaved).toEqual({ id: '1', name: 'Ada' });
    expect(server.incompleteEvents.size).toBe(0);
    expect(log).not.toHaveBeenCalled();
  });

  test('is counted for server.publish, too', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = serve(source);
    expect(server.incompleteEvents.size).toBe(0);
    const events = await subscribe(server, saved);
    server.publish('userSaved', {});
    expect((await events.next()).errors[0].extensions.code).toBe('EVENT_INCOMPLETE');
    expect([...server.incompleteEvents]).toEqual([['userSaved', 1]]);
  });
});
