import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { createWaiverBook } from '../../../src/analysis/diff/waivers.js';
import { expiredNames, withoutOldNames } from '../../../src/compiler/api/old-names.js';
import { compile } from '../../../src/compiler/compile.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { createTools } from '../../../src/runtime/mcp/toolset/create-tools.js';
import { ask, post, run, serve } from '../server/topology-server.js';

const topology = readFileSync('golden/language-old-names/input.gg', 'utf8');
const { schema, diagnostics } = compile({ name: 'a.gg', source: topology });
/** The same topology before its parts were renamed. */
const before = compile({
  name: 'a.gg',
  source: topology
    .replaceAll(/^ *\/\/\/ @renamedFrom.*\n/gm, '')
    .replaceAll(/\bname: /g, 'title: ')
    .replace('email: ', 'mail: ')
    .replace("'user', route: 'GET /users/{id}'", "'readUser'")
    .replace("'saveUser'", "'storeUser'")
    .replace("'userSaved'", "'userStored'"),
}).schema;

describe('an old name', () => {
  const ada = { id: '1', name: 'Ada', email: 'ada@example.com' };
  const server = serve(topology, {
    resolvers: {
      Query: { user: (_root: unknown, { id }: { id: string }) => (id === '1' ? ada : null) },
      Mutation: { saveUser: () => ({ id: '7' }) },
      User: { name: ({ name }: typeof ada) => name.toUpperCase() },
    },
    authenticate: () => ({ id: 'ada' }),
  });

  test('is answered over GraphQL as the name of today is', async () => {
    const { data, errors } = await run(server, '{ user(id: 1) { name email } readUser(id: 1) { title mail contact } }');
    expect(errors).toBeUndefined();
    const { email } = ada;
    expect(data).toEqual({
      user: { name: 'ADA', email },
      readUser: { title: 'ADA', mail: email, contact: email },
    });
  });

  test('is answered over REST, with the old names of its fields', async () => {
    const { email } = ada;
    const all = { id: '1', name: 'ADA', title: 'ADA', email, mail: email, contact: email };
    expect((await ask(server, '/users/1')).body).toEqual(all);
    expect((await ask(server, '/api/readUser?id=1')).body).toEqual(all);
    expect((await ask(server, '/api/readUser?id=2')).status).toBe(404);
  });

  test('of an operation demands what the operation demands', async () => {
    const open = serve(topology, {
      resolvers: { Mutation: { saveUser: () => ({ id: '7' }) } },
      authenticate: () => null,
    });
    const { body } = await post(open, '/graphql', { query: 'mutation { storeUser { id } }' });
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await run(server, 'mutation { storeUser { id } }')).data).toEqual({ storeUser: { id: '7' } });
  });

  test('is unknown to the types of resolvers, and among the tools of agents', () => {
    const types = schemaToTypeScript(schema).split('export namespace Rest')[0] as string;
    for (const name of ['readUser', 'storeUser', 'mail', 'title'])
      expect(types).not.toMatch(new RegExp(`\\b${name}\\b`));
    expect(JSON.stringify(createTools(schema, 'chains').map(({ definition }) => definition))).not.toContain('readUser');
  });
});

describe('a schema with old names', () => {
  test('has an alias for each of them, which types inherit from their interfaces', () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(schema.queries.map(({ name }) => name)).toEqual(['user', 'readUser']);
    expect(schema.queries[1]).toMatchObject({
      deprecated: 'Renamed to user; served until 2027-06.',
      renamed: { to: 'user', until: '2027-06' },
      nullStatus: 404,
    });
    expect(schema.objects[0]?.fields.map(({ name }) => name)).toEqual([
      'id',
      'name',
      'title',
      'email',
      'mail',
      'contact',
    ]);
    expect(schema.inputs[0]?.fields.map(({ name }) => name)).toEqual(['id', 'name', 'email']);
  });

  test('is the one without tags, apart from the aliases', () => {
    const plain = compile({
      name: 'a.gg',
      source: topology.replaceAll('/// @renamedFrom', '// renamedFrom'),
    }).schema;
    const names = ({ objects, queries, mutations, subscriptions }: typeof schema) =>
      [objects, queries, mutations, subscriptions].map((list) =>
        list.map((one) => [one.name, ...('node' in one ? one.fields.map(({ name }) => name) : [])]),
      );
    expect(names(withoutOldNames(schema))).toEqual(names(plain));
    expect(withoutOldNames(plain)).toBe(plain);
  });

  test('breaks no caller of the old one', () => {
    const changes = diffSchemas(before, schema).filter(({ level }) => level === 'breaking');
    expect(changes.map(({ kind, coordinate }) => `${kind} ${coordinate}`)).toEqual([
      'input-field-removed UserInput.title',
      'input-field-removed UserInput.mail',
    ]);
  });

  test.each([
    ['2027-06-30', ['User.contact']],
    ['2027-07-01', undefined],
  ])('may lose an old name after its last month: on %s', (today, expected) => {
    const source = topology.replaceAll('/// @renamedFrom', '// renamedFrom');
    const plain = compile({ name: 'a.gg', source }).schema;
    const judged = createWaiverBook([], today).judge('a.gg', diffSchemas(schema, plain), schema);
    const breaking = judged.filter(({ level }) => level === 'breaking');
    const waived = breaking.filter(({ waiver }) => waiver !== undefined);
    expect(waived.map(({ coordinate }) => coordinate)).toEqual(
      expected ?? breaking.map(({ coordinate }) => coordinate),
    );
    expect(breaking.length).toBeGreaterThan(6);
  });

  test('warns of those whose last month is over', () => {
    expect(expiredNames(schema, '2027-06-30').map(({ code, message }) => `${code} ${message}`)).toEqual([
      'GG5029 The old name contact of email was announced until 2026-12.',
    ]);
  });

  test('has no expired one in their last months', () => {
    expect(expiredNames(schema, '2026-12-31')).toEqual([]);
  });

  test.each([
    ['/// @renamedFrom readUser', 'GG2036'],
    ['/// @renamedFrom readUser until 2027-13', 'GG2036'],
    ['/// @renamedFrom user until 2027-06', 'GG3068'],
    ['/// @renamedFrom readUser until 2027-06', 'GG3039', ", route: 'GET /api/readUser'"],
  ])('reports a tag that cannot hold: %s', (tag, code, route = '') => {
    const { diagnostics } = compile(`${tag}\n(root)-[:PROCESS { operation: 'user'${route} }]->(user { id: ID! })`);
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
  });
});
