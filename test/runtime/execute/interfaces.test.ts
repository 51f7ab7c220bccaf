import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { compile } from '../../../src/compiler/compile.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { typeCheck } from '../../compiler/emit/typescript/type-check.js';
import { check } from '../../compiler/schema/check.js';
import { ask, run, serve } from '../server/topology-server.js';

const topology = `(titled: Interface { id: ID!, title: String! })
(book { implements: [Titled], id: ID!, title: String!, pages: Int })
(film { implements: [Titled], id: ID!, title: String!, like: Titled })
(root)-[:PROCESS { id: ID! }]->(titled)
(root)-[:PROCESS { operation: 'search', returns: [Titled!]! }]->(titled)
`;
const emma = { __typename: 'Book', id: '1', title: 'Emma', pages: 300 };
const clueless = { __typename: 'Film', id: '2', title: 'Clueless', like: emma };

describe('an interface as a result', () => {
  const server = serve(topology, {
    resolvers: { Query: { titled: () => clueless, search: () => [emma, clueless] } },
  });

  test('is answered with the fields of the type, by __typename', async () => {
    const { data, errors } = await run(
      server,
      '{ search { id title ... on Book { pages } ... on Film { like { title } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data.search).toEqual([
      { id: '1', title: 'Emma', pages: 300 },
      { id: '2', title: 'Clueless', like: { title: 'Emma' } },
    ]);
  });

  test('has the fields of the type and its name over REST', async () => {
    expect((await ask(server, '/api/titled?id=2')).body).toEqual(clueless);
    expect((await ask(server, '/api/search?fields=pages,title')).body).toEqual([
      { __typename: 'Book', pages: 300, title: 'Emma' },
      { __typename: 'Film', title: 'Clueless' },
    ]);
  });

  test('may be resolved by a resolver', async () => {
    const told = serve(topology, {
      resolvers: {
        Query: { search: () => [{ id: 1, title: 'Emma' }] },
        Titled: { __resolveType: () => 'Book' },
      },
    });
    const { data } = await run(told, '{ search { __typename id } }');
    expect(data.search).toEqual([{ __typename: 'Book', id: '1' }]);
  });

  test('has a type for resolvers and clients', () => {
    const { schema } = compile(topology);
    const use = `import type { Resolvers, Rest } from './types.js';
export const resolvers: Resolvers = {
  Query: {
    titled: () => ({ __typename: 'Book', id: 1, title: 'Emma' }),
    // @ts-expect-error Each value says which type it has.
    search: () => [{ id: 1, title: 'Emma' }],
  },
};
export const pages = (found: Rest.Titled) => (found.__typename === 'Book' ? found.pages : found.like);
`;
    expect(typeCheck(['use.ts'], { 'use.ts': use, 'types.ts': schemaToTypeScript(schema) })).toEqual([]);
  });

  test('makes the interface and its types reachable', () => {
    expect(analyze(topology).diagnostics).toEqual([]);
    const unused = `${topology}(lone: Interface { id: ID! }) (other { implements: [Lone], id: ID! })`;
    expect(analyze(unused).diagnostics.map(({ code }) => code)).toEqual(['GG3021']);
  });
});

describe('a type', () => {
  const named = '(named: Interface { name: String }) (part: Interface { implements: [Named], name: String })';

  test.each([
    ['the same field', 'name: String', []],
    ['a narrower one', 'name: String!', []],
    ['one with an argument that callers may omit', 'name(short: Boolean): String', []],
    ['one with a default', 'name(short: Boolean! = true): String', []],
    ['none', 'id: ID!', ['GG2033 «implements: [Named]» + «name: String»']],
    ['a wider one', 'name: [String]', ['GG2033 «name: [String]» + «name: String»']],
    ['one that requires more', 'name(x: Int!): String', ['GG2033 «name(x: Int!): String» + «name: String»']],
  ])('fits its interface with %s', (_, field, findings) => {
    check(`${named} (book { implements: [Named], ${field} }) (pen { implements: [Part], name: String })`, {
      findings,
    });
  });

  test('implements the interfaces of its interfaces', () => {
    check(`${named} (pen { implements: [Part], name: String })`, {
      has: ['type Pen implements Part & Named { name: String }'],
    });
  });

  test.each([
    ['other types', '(tag) (book { implements: [Tag] })', 'type Book { implements: [Tag] }'],
    ['a type', '(book { implements: String })', 'type Book { implements: String }'],
  ])('has a field called implements: %s', (_, text, line) => {
    check(text, { has: [line] });
  });

  test.each([
    ['an argument of an edge', '(root)-[:PROCESS { by: Named }]->(pen)', 'GG3013 «by: Named»'],
    ['an argument of a field', '(box { find(by: Named): ID })', 'GG3013 «by: Named»'],
    ['a field of an input', '(new: Input { by: Named })', 'GG3013 «by: Named»'],
    ['the source of a FOLD', '(named)-[:FOLD]->(pen)', 'GG3013 «named»'],
    ['a field of the source of a PROCESS', '(box { by: Named })-[:PROCESS]->(pen)', 'GG3013 «by: Named»'],
  ])('cannot be replaced by an interface: %s', (_, text, finding) => {
    check(`${named} (pen { implements: [Part], name: String }) ${text}`, { findings: [finding] });
  });

  test('has an input without the fields of interfaces', () => {
    check(`${named} (pen { implements: [Part], name: String }) (box { id: ID!, in: Named }) (bag { in: Named })`, {
      has: ['input BoxInput { id: ID }', 'input BagInput { id: ID }'],
    });
  });
});
