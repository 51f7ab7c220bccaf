import { beforeAll, expect, test } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { type Answer, ask, get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const source = `(user { id: ID!, name: String!, team: Team })
(team { lead: String, size: Int! })
(root)-[:PROCESS { id: ID! }]->(user)
(by_mail { mail: String })-[:PROCESS]->(user)
(form { name: String })-[:FOLD]->(user)
(a { x: Int } | b { y: Int })-[:RACE]->(quick)
(root)-[:PROCESS { operation: 'pick', returns: Quick }]->(quick)
`;

const fail = () => {
  throw new Error('disk full at 10.0.0.7');
};

const options: GqlServerOptions<ConformanceContext> = {
  topologies: [{ name: 'people.gg', source }],
  resolvers: {
    Query: {
      user: (_: unknown, { id }: { id: string }) =>
        id === '0' ? fail() : id === '1' ? { id } : { id, name: 'Ada', team: { size: 3 } },
      pick: () => ({ __typename: 'B' }),
    },
    Mutation: { user: fail },
    Team: { lead: fail },
    B: { y: fail },
  },
};

/** An unexpected error says where in the topology the field is declared. */
export const errorOrigins: Topic = {
  name: 'the origins of errors',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start(options);
    });

    test.each<readonly [string, string, readonly (readonly [string, ...string[]])[]]>([
      [
        'a root field, with all its edges',
        '{ user(id: "0") { id } }',
        [['Query.user', 'people.gg:3:1', 'people.gg:4:1']],
      ],
      ['an alias', '{ who: user(id: "0") { id } }', [['Query.user', 'people.gg:3:1', 'people.gg:4:1']]],
      ['a mutation', 'mutation { user { id } }', [['Mutation.user', 'people.gg:5:1']]],
      ['a nested field', '{ u: user(id: "2") { t: team { l: lead } } }', [['Team.lead', 'people.gg:2:9']]],
      [
        'fields of a fragment',
        'query { user(id: "2") { ...U } } fragment U on User { team { ... on Team { lead } } }',
        [['Team.lead', 'people.gg:2:9']],
      ],
      ['a field without its value', '{ user(id: "1") { name } }', [['User.name', 'people.gg:1:18']]],
      ['a member of a union', '{ pick { ... on A { x } ... on B { y } } }', [['B.y', 'people.gg:6:21']]],
    ])('%s', async (_, query, origins) => {
      const answer = await ask(server, query);
      expect(topologies(answer)).toMatchObject(origins.map(([coordinate, ...places]) => ({ coordinate, places })));
      expect(answer.body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    });

    test('the same query on a second call', async () => {
      // The second and the third time there is a plan for it.
      for (const _ of [1, 2, 3]) {
        const answer = await ask(server, 'query again { user(id: "0") { id } }');
        expect(topologies(answer)).toEqual([
          {
            coordinate: 'Query.user',
            edges: ['root -[:PROCESS]-> user', 'by_mail -[:PROCESS]-> user'],
            places: ['people.gg:3:1', 'people.gg:4:1'],
          },
        ]);
      }
    });

    test('REST has the origin in the problem', async () => {
      for (const _ of [1, 2, 3]) {
        const { status, body } = await get(server, '/api/user?id=0');
        expect(status).toBe(500);
        expect(body).toMatchObject({
          detail: 'disk full at 10.0.0.7',
          code: 'INTERNAL_SERVER_ERROR',
          topology: { coordinate: 'Query.user', places: ['people.gg:3:1', 'people.gg:4:1'] },
        });
      }
      const { body } = await post(server, '/api/user', {});
      expect(body.topology).toMatchObject({ coordinate: 'Mutation.user', places: ['people.gg:5:1'] });
      expect((await get(server, '/api/user?id=2')).body.topology).toMatchObject({
        coordinate: 'Team.lead',
        places: ['people.gg:2:9'],
      });
    });

    test('a client error does not name the topology', async () => {
      expect(topologies(await ask(server, '{ user(id: "2") }'))).toEqual([undefined]);
      expect((await get(server, '/api/user')).body).not.toHaveProperty('topology');
    });
  },
};

function topologies({ body }: Answer): readonly unknown[] {
  return body.errors.map((error: { extensions?: { topology?: unknown } }) => error.extensions?.topology);
}
