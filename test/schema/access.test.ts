import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/analyze.js';
import { mergeSchemas } from '../../src/schema/merge-schemas.js';
import { check, findingOf, fixed, project } from './check.js';

const edge = (settings: string, type = 'PROCESS', to = 'book') =>
  `(root)-[:${type} { ${settings} }]->(${to} { id: ID! })`;

/** The access of all operations, by name. */
function accessOf(topology: string): unknown {
  const { schema, diagnostics } = project(topology);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const operations = [...schema.queries, ...schema.mutations, ...schema.subscriptions];
  return Object.fromEntries(operations.map(({ name, auth, scopes }) => [name, [auth, scopes]]));
}

describe('access of operations', () => {
  it.each(['PROCESS', 'FOLD', 'FORK'])('is given on a %s edge', (type) => {
    expect(accessOf(edge("auth: 'required'", type))).toEqual({ book: ['required', undefined] });
    expect(accessOf(edge("auth: 'optional'", type))).toEqual({ book: ['optional', undefined] });
    expect(accessOf(edge("scopes: ['a', 'b:c']", type))).toEqual({ book: ['required', ['a', 'b:c']] });
  });

  it('is absent without a setting', () => {
    const { schema } = project(edge('x: Int'));
    expect(schema.queries[0]).not.toHaveProperty('auth');
    expect(schema.queries[0]).not.toHaveProperty('scopes');
    expect(schema).not.toHaveProperty('security');
  });

  it('joins the scopes of all edges of the operation, each once', () => {
    const text = `${edge("scopes: ['a', 'b']")} ${edge("scopes: ['b', 'c', 'c'], auth: 'required'")}`;
    expect(accessOf(text)).toEqual({ book: ['required', ['a', 'b', 'c']] });
  });

  it('holds for each target of an edge', () => {
    const text = "(root)-[:PROCESS { auth: 'required' }]->(a { id: ID! } | b { id: ID! })";
    expect(accessOf(text)).toEqual({ a: ['required', undefined], b: ['required', undefined] });
  });

  it('leaves typed properties arguments', () => {
    check(edge('auth: String!, scopes: [String!]'), {
      has: ['query book(auth: String!, scopes: [String!]): Book'],
    });
  });

  it.each([
    "auth: 'needed'",
    'auth: true',
    "auth: ''",
    "auth: ['required']",
    "auth: 'Required'",
    'auth: null',
  ])('is never %s', (setting) => {
    check(edge(setting), { findings: [`GG2018 «${setting}»`] });
  });

  it.each([
    "scopes: 'a'",
    'scopes: []',
    'scopes: [1]',
    "scopes: ['a', true]",
    'scopes: true',
    'scopes: null',
  ])('has no %s', (setting) => {
    check(edge(setting), { findings: [`GG2018 «${setting}»`] });
  });

  it.each([
    ['', 'is empty'],
    ['a b', 'has a blank in it'],
    ['a\u00a0b', 'has a blank in it'],
    ['a"b', 'has "\\"" in it'],
    ['größe', 'has "ö" in it'],
    ['a\u0007', 'has "\\u0007" in it'],
  ])('refuses the scope “%s”', (scope, reason) => {
    const { message } = findingOf(edge(`scopes: ['${scope}', 'ok']`), 'GG3071');
    expect(message).toBe(`“${scope}” cannot be a scope: it ${reason}.`);
  });

  it.each(['orders:write', 'https://example.com/auth/orders.read', '!#$&*+-./;<=>?@[]^_`{|}~'])(
    'takes the scope %s',
    (scope) => {
      expect(accessOf(edge(`scopes: ["${scope}"]`))).toEqual({ book: ['required', [scope]] });
    },
  );

  it('is one for all edges of the operation', () => {
    check(`${edge("auth: 'required'")} ${edge("auth: 'optional'")}`, {
      findings: ["GG3037 «auth: 'optional'» + «auth: 'required'»"],
    });
  });

  it('is not optional with scopes, on one edge or on several', () => {
    check(edge("auth: 'optional', scopes: ['a']"), {
      findings: ["GG3072 «auth: 'optional'» + «scopes: ['a']»"],
    });
    check(`${edge("scopes: ['a']")} ${edge("auth: 'optional'")}`, {
      findings: ["GG3072 «auth: 'optional'» + «scopes: ['a']»"],
    });
  });

  it('has no place on a RACE edge', () => {
    const text = "(a { x: Int } | b { x: Int })-[:RACE { auth: 'required', scopes: ['s'] }]->(c)";
    check(text, { findings: ["GG3012 «auth: 'required'»", "GG3012 «scopes: ['s']»"] });
    expect(findingOf(text, 'GG3012').hint).toBe('It belongs on PROCESS, FOLD, FORK edges.');
  });

  it('is metadata on edges that are not part of the API', () => {
    check("(a)-[:VENT { auth: 'nobody', scopes: 'wide' }]->(b)", { findings: ['GG2010 «VENT»'] });
  });

  it.each([
    ["auht: 'required'", "auth: 'required'"],
    ["aut: 'optional'", "auth: 'optional'"],
    ["scope: ['a']", "scopes: ['a']"],
    ["scope: 'orders:write'", "scopes: 'orders:write'"],
    ["scops: ['a']", "scopes: ['a']"],
  ])('is recognized as %s', (wrong, right) => {
    expect(fixed(edge(wrong), 'GG2041')).toBe(edge(right));
  });

  it.each(["scope: 'global'", "auto: 'required'", "author: 'optional'", "scope: 'this file'"])(
    'is not meant by the note %s',
    (note) => {
      check(edge(note), { findings: [] });
    },
  );
});

describe('the schemes of a topology', () => {
  it('are a bearer token by default, once any part of it has access', () => {
    const bearer = [{ type: 'bearer', format: 'JWT' }];
    expect(analyze(edge("auth: 'optional'")).schema.security).toEqual(bearer);
    expect(analyze(edge("scopes: ['a']", 'FORK')).schema.security).toEqual(bearer);
  });

  it('are those that the caller gives', () => {
    const security = [{ type: 'apiKey', header: 'X-Key' }] as const;
    expect(analyze(edge("auth: 'required'"), { security }).schema.security).toEqual(security);
    expect(analyze(edge("auth: 'required'"), { security: [] }).schema.security).toHaveLength(1);
    expect(analyze(edge('x: Int'), { security }).schema).not.toHaveProperty('security');
  });

  it('are kept when a layer joins, and come from a layer if the topology has none', () => {
    const { schema: plain } = analyze('(a)-[:PROCESS]->(b)');
    const { schema: secured } = analyze(edge("auth: 'required'"));
    expect(mergeSchemas(secured, plain).value.security).toBe(secured.security);
    expect(mergeSchemas(plain, secured).value.security).toBe(secured.security);
  });
});
