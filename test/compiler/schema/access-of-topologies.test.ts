import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { mergeSchemas } from '../../../src/compiler/schema/merge-schemas.js';
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

  it('applies to each target of an edge', () => {
    const text = "(root)-[:PROCESS { auth: 'required' }]->(a { id: ID! } | b { id: ID! })";
    expect(accessOf(text)).toEqual({ a: ['required', undefined], b: ['required', undefined] });
  });

  it('does not change typed properties, which are arguments', () => {
    check(edge('auth: String!, scopes: [String!]'), {
      has: ['query book(auth: String!, scopes: [String!]): Book'],
    });
  });

  it.each(["auth: 'needed'", 'auth: true', "auth: ''", "auth: ['required']", "auth: 'Required'", 'auth: null'])(
    'cannot be %s',
    (setting) => {
      check(edge(setting), { findings: [`GG2018 «${setting}»`] });
    },
  );

  it.each(["scopes: 'a'", 'scopes: []', 'scopes: [1]', "scopes: ['a', true]", 'scopes: true', 'scopes: null'])(
    'has no %s',
    (setting) => {
      check(edge(setting), { findings: [`GG2018 «${setting}»`] });
    },
  );

  it.each([
    ['', 'is empty'],
    ['a b', 'has a blank in it'],
    ['a\u00a0b', 'has a blank in it'],
    ['a"b', 'has "\\"" in it'],
    ['größe', 'has "ö" in it'],
    ['a\u0007', 'has "\\u0007" in it'],
  ])('rejects the scope “%s”', (scope, reason) => {
    const { message } = findingOf(edge(`scopes: ['${scope}', 'ok']`), 'GG3071');
    expect(message).toBe(`“${scope}” cannot be a scope: it ${reason}.`);
  });

  it.each(['orders:write', 'https://example.com/auth/orders.read', '!#$&*+-./;<=>?@[]^_`{|}~'])(
    'accepts the scope %s',
    (scope) => {
      expect(accessOf(edge(`scopes: ["${scope}"]`))).toEqual({ book: ['required', [scope]] });
    },
  );

  it.each([
    ['scopes: [read]', "['read']"],
    ['scopes: [read, write]', "['read', 'write']"],
  ])('offers a fix that quotes the words of { %s }', (setting, quoted) => {
    check(edge(setting), { findings: [`GG2018 «${setting.slice('scopes: '.length)}»`] });
    expect(fixed(edge(setting), 'GG2018')).toBe(edge(`scopes: ${quoted}`));
  });

  it('treats a list of a type as an argument', () => {
    check(edge('scopes: [Int]'), { has: ['query book(scopes: [Int]): Book'] });
  });

  it('must be the same on all edges of the operation', () => {
    check(`${edge("auth: 'required'")} ${edge("auth: 'optional'")}`, {
      findings: ["GG3037 «auth: 'optional'» + «auth: 'required'»"],
    });
  });

  it('cannot be optional with scopes, on one edge or on several', () => {
    check(edge("auth: 'optional', scopes: ['a']"), {
      findings: ["GG3072 «auth: 'optional'» + «scopes: ['a']»"],
    });
    check(`${edge("scopes: ['a']")} ${edge("auth: 'optional'")}`, {
      findings: ["GG3072 «auth: 'optional'» + «scopes: ['a']»"],
    });
  });

  it('has no effect on a RACE edge', () => {
    const text = "(a { x: Int } | b { x: Int })-[:RACE { auth: 'required', scopes: ['s'] }]->(c)";
    check(text, { findings: ["GG3012 «auth: 'required'»", "GG3012 «scopes: ['s']»"] });
    expect(findingOf(text, 'GG3012').hint).toBe('It belongs on PROCESS, FOLD, FORK edges.');
  });

  it('is metadata on edges that are not part of the API, with a warning', () => {
    const findings = ['GG2010 «VENT»', 'GG3075 «auth»', 'GG3075 «scopes»'];
    check("(a)-[:VENT { auth: 'nobody', scopes: 'wide' }]->(b)", { findings });
  });

  it.each([
    ["auht: 'required'", "auth: 'required'"],
    ["aut: 'optional'", "auth: 'optional'"],
    ["scope: ['a']", "scopes: ['a']"],
    ["scope: 'orders:write'", "scopes: 'orders:write'"],
    ["scops: ['a']", "scopes: ['a']"],
    ["authentication: 'required'", "auth: 'required'"],
    ["authorisation: 'optional'", "auth: 'optional'"],
    ["authz: 'required'", "auth: 'required'"],
  ])('is recognized as %s', (wrong, right) => {
    expect(fixed(edge(wrong), 'GG2041')).toBe(edge(right));
  });

  it.each(["scope: 'global'", "auto: 'required'", "author: 'optional'", "authority: 'required'", "scope: 'this file'"])(
    'is not suggested for the note %s',
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

  it('are those that the caller passes', () => {
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
    const { queries } = secured;
    expect(mergeSchemas(plain, { queries: queries.slice(0, 1) }).value).toHaveProperty('security');
    expect(mergeSchemas(plain, { queries: [] }).value).not.toHaveProperty('security');
  });
});

describe('an edge without access', () => {
  const codes = (text: string, strict = false) =>
    analyze(text, { strict })
      .diagnostics.filter(({ code }) => code === 'GG3073')
      .map(({ severity, message }) => `${severity} ${message.slice(0, message.indexOf(' open to all'))}`);

  it('is a warning once any part of the topology has access', () => {
    expect(codes(`${edge('x: Int')} ${edge("auth: 'optional'", 'FOLD')}`)).toEqual(['warning “book” is']);
    expect(codes(`${edge('x: Int')} ${edge("scopes: ['s']", 'FORK', 'other')}`)).toHaveLength(1);
    expect(codes('(root)-[:PROCESS]->(book {\n/// @auth required\nid: ID!\n})')).toHaveLength(1);
    expect(codes(edge('x: Int'))).toEqual([]);
  });

  it('is one warning for all operations of the edge', () => {
    const text = `(root)-[:PROCESS]->(a { id: ID! } | b { id: ID! }) ${edge("auth: 'required'")}`;
    expect(codes(text)).toEqual(['warning “a” and “b” are']);
  });

  it('is not a warning if another edge of the operation has it', () => {
    expect(codes(`${edge('x: Int')} ${edge("auth: 'required'")}`)).toEqual([]);
  });

  it('is not a warning if it is internal, or a race', () => {
    const text = `(root)-[:PROCESS { internal: true }]->(a { x: Int }) (a | b { x: Int })-[:RACE]->(c)
      (root)-[:PROCESS { auth: 'required' }]->(c)`;
    expect(codes(text)).toEqual([]);
  });

  it('is an error in strict mode, and ignored by a comment', () => {
    const open = edge('x: Int', 'FOLD', 'other');
    expect(codes(`${edge("auth: 'required'")} ${open}`, true)).toEqual(['error “other” is']);
    const text = `${edge("auth: 'required'")}\n// gg-ignore GG3073: everybody may do it\n${open}`;
    expect(codes(text, true)).toEqual([]);
  });
});

describe('access of internal edges', () => {
  it('is a warning for each setting', () => {
    check("(root)-[:FOLD { internal: true, x: Int, auth: 'required', scopes: ['s'], roles: ['r'] }]->(a { x: Int })", {
      findings: ["GG3074 «auth: 'required'»", "GG3074 «scopes: ['s']»", "GG3074 «roles: ['r']»"],
    });
  });

  it('is allowed on a PROCESS edge, where it is that of a branch', () => {
    const text =
      "(a { internal: true, x: Int } | b { x: Int })-[:RACE]->(c { x: Int }) (root)-[:PROCESS { scopes: ['s'] }]->(a)";
    check(text, {});
    expect(project(text).schema.internal?.queries[0]?.scopes).toEqual(['s']);
  });

  it('is not a warning if one target of the edge is public', () => {
    const text =
      "(a { internal: true, x: Int } | b { x: Int })-[:RACE]->(c { x: Int }) (root)-[:PROCESS { scopes: ['s'] }]->(a | b)";
    check(text, { findings: [] });
  });

  it('is allowed on the RACE edge of an internal race', () => {
    const text = "(a { internal: true, x: Int } | b { x: Int })-[:RACE { auth: 'required' }]->(c { x: Int })";
    check(text, { findings: ["GG3012 «auth: 'required'»"] });
  });
});

describe('access of fields', () => {
  const node = (...tags: string[]) =>
    `(root)-[:PROCESS]->(book: Record {\n${tags.map((tag) => `  /// ${tag}\n`).join('')}  title: String!\n})`;
  const fieldsOf = ({ schema }: ReturnType<typeof project>, type: string) => {
    const found = [...schema.objects, ...(schema.interfaces ?? [])].find(({ name }) => name === type);
    return Object.fromEntries((found?.fields ?? []).map(({ name, auth, scopes }) => [name, [auth, scopes]]));
  };

  it.each([
    [['@auth required'], ['required', undefined]],
    [['@auth optional'], ['optional', undefined]],
    [['@scopes a:b  c'], ['required', ['a:b', 'c']]],
    [
      ['@scopes a', '@auth required', '@scopes b a'],
      ['required', ['a', 'b']],
    ],
    [['A title.'], [undefined, undefined]],
  ])('is given by tags: %j', (tags, access) => {
    const { schema, ...rest } = project(node(...tags));
    expect(rest.diagnostics).toEqual([]);
    expect(fieldsOf({ schema, ...rest }, 'Book')).toEqual({ title: access });
    expect(schema.security === undefined).toBe(access[0] === undefined);
  });

  it.each([
    ['@auth', 'GG2036'],
    ['@auth needed', 'GG2036'],
    ['@auth required yes', 'GG2036'],
    ['@scopes', 'GG2036'],
    ["@scopes 'a', 'b'", 'GG2036'],
    ['@scopes [a]', 'GG2036'],
    ['@scopes a,b', 'GG2036'],
    ['@scopes a\\b', 'GG3071'],
    ['@scope a', 'GG2035'],
    ['@autH required', 'GG2035'],
  ])('cannot be %s', (tag, code) => {
    check(node(tag), { findings: [`${code} «${code === 'GG2035' ? tag.split(' ')[0] : tag}»`] });
  });

  it('is not suggested for @author', () => {
    check(node('@author Ada', '@authors Ada, Bo'), { findings: [] });
  });

  it('cannot be both required and optional, or optional with scopes', () => {
    check(node('@auth required', '@auth optional'), {
      findings: ['GG2038 «@auth optional» + «@auth required»'],
    });
    check(node('@auth required', '@auth required'), { findings: [] });
    check(node('@auth optional', '@scopes a'), { findings: ['GG3072 «@auth optional» + «@scopes a»'] });
  });

  it('joins those of all declarations of the node', () => {
    const second = (tag: string) => `\n(book {\n  /// ${tag}\n  title: String!\n})`;
    const one = project(node('@scopes a') + second('@scopes b'));
    expect(fieldsOf(one, 'Book')).toEqual({ title: ['required', ['a', 'b']] });
    expect(fieldsOf(project(node('One.') + second('@scopes b')), 'Book').title).toEqual(['required', ['b']]);
    expect(fieldsOf(project(node('@auth optional') + second('@auth required')), 'Book').title?.[0]).toBe('required');
    expect(fieldsOf(project(node('@auth optional') + second('Two.')), 'Book').title?.[0]).toBe('optional');
  });

  it('does not apply to inputs and arguments', () => {
    const { schema } = project(`${node('@scopes a', '@minLength 1')}
      (book)-[:FOLD]->(made { id: ID! }) (book)-[:PROCESS]->(found { id: ID! })`);
    const [book] = schema.inputs.filter(({ name }) => name === 'BookInput');
    const found = schema.queries.find(({ name }) => name === 'found');
    for (const given of [book?.fields[0], found?.arguments[0]]) {
      expect(given).toMatchObject({ name: 'title', constraints: { minLength: 1 } });
      expect(given).not.toHaveProperty('scopes');
      expect(given).not.toHaveProperty('auth');
    }
    const nullable = project('(b {\n/// @auth required\nt: String\n}) (b)-[:PROCESS]->(c { id: ID! })').schema;
    for (const given of [nullable.inputs[0]?.fields[0], nullable.queries[0]?.arguments[0]]) {
      expect(given?.name).toBe('t');
      expect(given).not.toHaveProperty('auth');
    }
  });

  it.each([
    ['(root)-[:PROCESS {\n/// @auth required\nx: Int\n}]->(b)', 'GG2037 «@auth required»', /fields of objects/],
    ['/// @scopes a\n(root)-[:PROCESS]->(b)', 'GG2037 «@scopes a»', /setting of the edge/],
    ['/// @auth required\n(b: Enum { values: [X] })', 'GG2037 «b»', /fields of objects/],
    ['/// @owner x\n(b: Problem { x: Int })', 'GG2037 «b»', /fields of objects/],
    ['/// @roles a\n(b: Input { x: Int })', 'GG2037 «b»', /fields of objects/],
    ['/// @anyScope a\n(b: Scalar)', 'GG2037 «b»', /fields of objects/],
    ['(b: Input {\n/// @scopes a\nx: Int })', 'GG2037 «@scopes a»', /fields of objects/],
    ['(b: Enum { values: [\n/// @scopes a\nX] })', 'GG2037 «@scopes a»', /fields of objects/],
    ['(b: Problem {\n/// @scopes a\nx: Int })', 'GG2037 «x: Int»', /fields of objects/],
    ['(b: Problem {\n/// @auth required\nx: Int })', 'GG2037 «x: Int»', /fields of objects/],
    ['(b { x(\n/// @auth required\ny: Int): Int })', 'GG2037 «@auth required»', /fields of objects/],
  ])('has no effect elsewhere: %s', (text, finding, hint) => {
    check(text, { findings: [finding] });
    expect(findingOf(text, 'GG2037').hint).toMatch(hint);
    expect(project(text).schema).not.toHaveProperty('security');
  });

  it('is kept by a field with pages or arguments', () => {
    const text =
      '(w { x: Int })\n(root)-[:PROCESS]->(b {\n/// @page 2\n/// @scopes a\nws: [W!]!,\n/// @auth required\ny(z: W): Int\n})';
    expect(fieldsOf(project(text), 'B')).toEqual({ ws: ['required', ['a']], y: ['required', undefined] });
  });

  describe('through interfaces', () => {
    const tagged = (tag: string, name: string) => `/// ${tag}\n${name}: Int`;
    const text = `(root)-[:PROCESS]->(named: Interface { ${tagged('@scopes i', 'a')}, b: Int, c: Int })
      (small: Interface { implements: [Named], a: Int, b: Int, c: Int })
      (one { implements: [Named], ${tagged('@scopes o', 'a')}, ${tagged('@auth required', 'b')}, c: Int })
      (two { implements: [Small], a: Int, ${tagged('@auth optional', 'b')}, c: Int })
      (free { ${tagged('@auth optional', 'a')} })`;
    const projected = project(text);

    it('an object also demands the access of its interfaces', () => {
      expect(fieldsOf(projected, 'One').a).toEqual(['required', ['o', 'i']]);
      expect(fieldsOf(projected, 'Two').a).toEqual(['required', ['i']]);
      expect(fieldsOf(projected, 'One').b).toEqual(['required', undefined]);
      expect(fieldsOf(projected, 'Free').a).toEqual(['optional', undefined]);
    });

    it('an interface demands the access of all its objects', () => {
      expect(fieldsOf(projected, 'Named')).toEqual({
        a: ['required', ['i', 'o']],
        b: ['required', undefined],
        c: [undefined, undefined],
      });
      expect(fieldsOf(projected, 'Small')).toEqual({
        a: ['required', ['i']],
        b: ['optional', undefined],
        c: [undefined, undefined],
      });
    });
  });

  it('does not change a topology with interfaces and without access', () => {
    const { schema } = project(
      '(root)-[:PROCESS]->(named: Interface { a: Int }) (one { implements: [Named], a: Int })',
    );
    expect(JSON.stringify(schema)).not.toContain('"auth"');
  });

  it('does not change types without interfaces', () => {
    const { schema } = project(`${node('@auth required')} (i: Interface { a: Int }) (one { implements: [I], a: Int })`);
    expect(JSON.stringify(schema.objects.find(({ name }) => name === 'One'))).not.toContain('auth');
  });
});
