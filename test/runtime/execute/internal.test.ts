import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { check } from '../../compiler/schema/check.js';
import { ask, post, run, serve } from '../server/topology-server.js';

const topology = `(user { id: ID!, name: String!, plan: String })
(cached_user { internal: true, id: ID!, name: String!, secret: String })
(stored_user { internal: true, id: ID!, name: String!, plan: String })
(team { id: ID!, lead: User })
(root)-[:PROCESS { id: ID! }]->(user | cached_user | team)
(root)-[:PROCESS { id: ID!, depth: Int! = 7 }]->(stored_user)
(cached_user | stored_user)-[:RACE]->(user)
(sign_up: Input { internal: true, name: String!, plan: String! = 'free' })-[:FOLD { operation: 'signUp' }]->(user)
(hidden_form { internal: true, x: Int })
(hidden_form)-[:FOLD { internal: true, operation: 'hiddenChange' }]->(user)
(user)-[:FORK { internal: true, operation: 'hiddenEvent' }]->(team)
(root)-[:PROCESS { internal: true, operation: 'hiddenTeam' }]->(team)
`;

describe('an internal node or edge', () => {
  test('is in no artifact', () => {
    const result = compile(topology);
    if (!result.ok) throw new Error('the topology has errors');
    const { artifacts } = result;
    expect(Object.keys(artifacts).length).toBeGreaterThan(2);
    for (const text of Object.values(artifacts)) {
      expect(text).not.toMatch(
        /CachedUser|cachedUser|StoredUser|storedUser|SignUp\b|HiddenForm|hidden[A-Z]|secret|UserRace/,
      );
    }
  });

  test('is a branch of a race, whose winner is returned as the type of the target', async () => {
    const seen: unknown[] = [];
    const server = serve(topology, {
      resolvers: {
        Query: {
          cachedUser: () => null,
          storedUser: (_: unknown, args: object) => {
            seen.push(args);
            return { id: '1', name: 'Ada', plan: 'free', secret: 'x' };
          },
          team: () => ({ id: 't' }),
        },
      },
    });
    expect(await run(server, '{ user(id: 1) { __typename name plan } }')).toEqual({
      data: { user: { __typename: 'User', name: 'Ada', plan: 'free' } },
    });
    expect(seen).toEqual([{ id: '1', depth: 7 }]);
    expect((await ask(server, '/api/user?id=1')).body).toEqual({ id: '1', name: 'Ada', plan: 'free' });
    expect((await ask(server, '/api/cachedUser?id=1')).status).toBe(404);
    const { data } = await run(server, '{ team(id: 1) { lead { name } } }');
    expect(data.team.lead).toEqual({ name: 'Ada' });
  });

  test('does not win a race without the required fields of the target', async () => {
    const server = serve(topology, {
      resolvers: { Query: { cachedUser: () => ({ id: '1' }), storedUser: () => ({ id: '1', name: 'Ada' }) } },
    });
    expect((await ask(server, '/api/user?id=1')).body).toEqual({ id: '1', name: 'Ada', plan: null });
  });

  test('serves its constants', async () => {
    const server = serve(
      `(user { id: ID!, name: String! }) (root)-[:PROCESS]->(user)
       (fixed { internal: true, id: ID! = '7', name: 'Ada' })-[:RACE]->(user)`,
    );
    expect((await ask(server, '/api/user')).body).toEqual({ id: '7', name: 'Ada' });
  });

  test('turns its fields into arguments of a mutation', async () => {
    const signUp = (_: unknown, args: object) => ({ id: '1', name: JSON.stringify(args) });
    const server = serve(topology, { resolvers: { Mutation: { signUp } } });
    const { body } = await post(server, '/api/signUp', { name: 'Ada' });
    expect(JSON.parse(body.name)).toEqual({ name: 'Ada', plan: 'free' });
    expect((await post(server, '/api/signUp', {})).body.detail).toBe('“name” is missing.');
  });

  test('has no type resolver', () => {
    expect(() => serve(topology, { resolvers: { CachedUser: { name: () => 'x' } } })).toThrow('CachedUser');
  });
});

describe('a public part', () => {
  const nodes = '(cache { internal: true, id: ID! }) (user { id: ID! })';

  test.each([
    ['a field', '(box { in: Cache })', 'in: Cache'],
    ['a list', '(box { in: [Cache!]! })', 'in: [Cache!]!'],
    ['an argument of a field', '(box { find(by: CacheInput): ID })', 'by: CacheInput'],
    ['a field of an input', '(box: Input { in: CacheInput })', 'in: CacheInput'],
    ['an argument', '(root)-[:PROCESS { by: CacheInput }]->(user)', 'by: CacheInput'],
    ['a result', '(root)-[:PROCESS { returns: Cache }]->(user)', 'returns: Cache'],
    ['an argument from an internal source', '(form { internal: true, in: Cache })-[:FOLD]->(user)', 'in: Cache'],
  ])('does not have an internal type: %s', (_, text, place) => {
    check(`${nodes} ${text}`, { findings: [`GG2031 «${place}» + «cache»`] });
  });

  const races = [
    ['edge', "(a|b)-[:RACE { union: 'Uni', internal: true }]->(c)"],
    ['target', "(a|b)-[:RACE { union: 'Uni' }]->(hidden)"],
    ['branch', "(a|hidden)-[:RACE { union: 'Uni' }]->(c)"],
  ] as const;
  const places = ['(box { in: Uni })', '(root)-[:PROCESS { returns: [Uni!]! }]->(a)'];

  test.each(races.flatMap(([kind, race]) => places.map((place) => [kind, place, race] as const)))(
    'does not have the union of a race with an internal %s: %s',
    (_, place, race) => {
      const nodes = '(hidden { internal: true }) (a { x: Int }) (b { x: Int }) (c { x: Int })';
      const { diagnostics } = compile(`${nodes} ${race} ${place}`);
      expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['GG2031']);
      const named = compile(`${nodes} ${race} (d { x: Int }) (a|b)-[:RACE { union: 'Uni' }]->(d) ${place}`);
      expect(named.diagnostics.filter(({ code }) => code === 'GG2031')).toEqual([]);
    },
  );

  test.each([
    ['an internal edge', '(root)-[:PROCESS { internal: true, returns: Cache }]->(user)'],
    ['an internal node', '(box { internal: true, in: Cache })'],
  ])('cannot be %s', (_, text) => {
    check(`${nodes} ${text}`, { findings: [] });
  });

  test.each([
    ['nothing', '(a { internal: true, id: ID! })', ['GG2031 «a» + «name: String!»']],
    ['another type', '(a { internal: true, name: Int! })', ['GG2031 «name: Int!» + «name: String!»']],
    ['a nullable type', '(a { internal: true, name: String })', ['GG2031 «name: String» + «name: String!»']],
    ['the same', '(a { internal: true, name: String! })', []],
    ['the same in a public node', "(a { name: String! }) (b { internal: true, name: 'x' })-[:RACE]->(user)", []],
  ])('has branches with its fields in an internal race: %s', (_, branch, findings) => {
    check(`(user { name: String!, age: Int }) ${branch} (a)-[:RACE]->(user)`, { findings });
  });

  test('keeps a union if nothing is internal', () => {
    check(`(a { id: ID! }) (b { id: ID!, internal: Boolean }) (a | b)-[:RACE { internal: false }]->(best)`, {
      has: ['union BestRace = A | B for Best'],
    });
  });
});
