import { describe, expect, it } from 'vitest';
import { accessOf } from '../../../src/compiler/graph/access.js';
import { allOperations } from '../../../src/compiler/schema/gql-schema.js';
import { check, project } from './check.js';

/** The access of each operation, type and field that has any, by coordinate. */
function accesses(topology: string): Record<string, unknown> {
  const { schema, diagnostics } = project(topology);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const types = [...schema.objects, ...(schema.interfaces ?? [])];
  const places = [
    ...allOperations(schema).map((operation) => [operation.name, operation] as const),
    ...types.map((type) => [type.name, type] as const),
    ...types.flatMap(({ name, fields }) => fields.map((field) => [`${name}.${field.name}`, field] as const)),
  ];
  return Object.fromEntries(
    places
      .map(([name, place]) => [name, accessOf(place)] as const)
      .filter(([, access]) => Object.keys(access).length > 0),
  );
}

const book = 'book { id: ID!, owner: ID! }';

describe('words of access on edges', () => {
  it.each(['PROCESS', 'FOLD', 'FORK'])('become the access of the operation of a %s edge', (type) => {
    const edge = (settings: string) => accesses(`(root)-[:${type} { x: ID, ${settings} }]->(${book})`);
    expect(edge("anyScope: ['a', 'b']")).toEqual({ book: { auth: 'required', anyScope: ['a', 'b'] } });
    expect(edge("roles: ['admin', 'doctor']")).toEqual({
      book: { auth: 'required', roles: ['admin', 'doctor'] },
    });
    expect(edge("owner: 'id'")).toEqual({ book: { auth: 'required', owner: 'id' } });
    expect(edge("open: 'everybody may know'")).toEqual({ book: { open: 'everybody may know' } });
    expect(edge("scopes: ['s'], anyScope: ['a'], roles: ['r'], owner: 'id'")).toEqual({
      book: { auth: 'required', scopes: ['s'], anyScope: ['a'], roles: ['r'], owner: 'id' },
    });
  });

  it('an owner is an argument, or a field of each result', () => {
    expect(accesses(`(root)-[:PROCESS { by: ID!, owner: 'by' }]->(${book})`)).toHaveProperty('book');
    for (const page of ['', ', page: 5']) {
      const listed = `(root)-[:PROCESS { owner: 'id', returns: [Book!]!${page} }]->(${book})`;
      expect(accesses(listed)).toHaveProperty('book');
    }
    const raced = (field: string) => `(a { id: ID!, ${field}: ID! } | b { id: ID!, at: ID! })-[:RACE]->(${book})
      (root)-[:PROCESS { owner: 'at' }]->(book)`;
    expect(accesses(raced('at'))).toHaveProperty('book');
    check(raced('other'), { findings: ["GG3076 «(root)-[:PROCESS { owner: 'at' }]->(book)»"] });
    for (const [args, owner] of [
      ['', 'nothing'],
      ['x: [ID!], ', 'x'],
      ['x: BookInput, ', 'x'],
    ]) {
      const edge = `(root)-[:FOLD { ${args}owner: '${owner}' }]->(book)`;
      check(`(${book}) ${edge}`, { findings: [`GG3076 «${edge}»`] });
    }
  });

  it('the edges of one operation must agree, except on scopes, which are joined', () => {
    const twice = (one: string, other: string) =>
      `(${book}) (one)-[:PROCESS { ${one} }]->(book) (two)-[:PROCESS { ${other} }]->(book)`;
    for (const [one, other] of [
      ["roles: ['a']", "roles: ['b']"],
      ["anyScope: ['a']", "anyScope: ['a', 'b']"],
      ["owner: 'id'", "owner: 'owner'"],
      ["open: 'one'", "open: 'other'"],
    ] as const) {
      check(twice(one, other), { findings: [`GG3037 «${other}» + «${one}»`] });
    }
    expect(accesses(twice("roles: ['a']", "scopes: ['s']"))).toEqual({
      book: { auth: 'required', scopes: ['s'], roles: ['a'] },
    });
  });

  it.each([
    'anyScope: []',
    'anyScope: [1]',
    'roles: []',
    "roles: ['a', true]",
    "owner: ''",
    'owner: 1',
    "open: ''",
    "open: ' '",
    'open: true',
  ])('has no %s', (setting) => {
    check(`(root)-[:PROCESS { ${setting} }]->(${book})`, { findings: [`GG2018 «${setting}»`] });
  });

  it.each(["anyScope: ['a']", "roles: ['a']", "owner: 'id'", "scopes: ['a']"])(
    'authentication cannot be optional with %s',
    (setting) => {
      const edge = `(root)-[:PROCESS { auth: 'optional', ${setting} }]->(${book})`;
      check(edge, { findings: [`GG3072 «auth: 'optional'» + «${setting}»`] });
    },
  );

  it('a race has a reason for each open branch', () => {
    const text = `(a { id: ID! })-[:RACE { open: 'public prices' }]->(c { id: ID! }) (b { id: ID! })-[:RACE]->(c)
      (root)-[:PROCESS]->(c)`;
    expect(project(text).schema.unions[0]?.open).toEqual({ A: 'public prices' });
    check(text, {});
  });
});

describe('tags of access', () => {
  const node = (tags: string, fields = 'id: ID!') => `/// ${tags}\n(book { ${fields} })`;

  it('of a node are the access of its type', () => {
    expect(accesses(node('@scopes a b'))).toEqual({ Book: { auth: 'required', scopes: ['a', 'b'] } });
    expect(accesses(node('@anyScope a b'))).toEqual({ Book: { auth: 'required', anyScope: ['a', 'b'] } });
    expect(accesses(node('@roles admin'))).toEqual({ Book: { auth: 'required', roles: ['admin'] } });
    expect(accesses(node('@owner id'))).toEqual({ Book: { auth: 'required', owner: 'id' } });
    expect(accesses(node('@auth required'))).toEqual({ Book: { auth: 'required' } });
    expect(accesses('(\n/// @roles r\nbook { id: ID! })')).toEqual({
      Book: { auth: 'required', roles: ['r'] },
    });
  });

  it('of a group of nodes are the access of each of them', () => {
    const open = accesses('/// @roles r\n(a { id: ID! } | b { id: ID! })');
    expect(open).toEqual({ A: { auth: 'required', roles: ['r'] }, B: { auth: 'required', roles: ['r'] } });
  });

  it('of several declarations of a node are joined', () => {
    const twice = `${node('@roles a')}\n${node('@roles b')}\n${node('@scopes s')}`;
    expect(accesses(twice)).toEqual({
      Book: {
        auth: 'required',
        scopes: ['s'],
        roles: ['a'],
        further: [{ auth: 'required', roles: ['b'] }],
      },
    });
  });

  it('of a field are the access of the field', () => {
    const field = (tags: string) => accesses(`(book { id: ID!,\n/// ${tags}\nx: Int })`);
    expect(field('@anyScope a b')).toEqual({ 'Book.x': { auth: 'required', anyScope: ['a', 'b'] } });
    expect(field('@roles a\n/// @owner id')).toEqual({
      'Book.x': { auth: 'required', roles: ['a'], owner: 'id' },
    });
  });

  it('an owner is a single value of the same object', () => {
    check(node('@owner title'), { findings: ['GG3076 «book»'] });
    check(node('@owner ids', 'ids: [ID!]!'), { findings: ['GG3076 «book»'] });
    check(`(book { id: ID!,\n/// @owner title\nx: Int })`, { findings: ['GG3076 «x: Int»'] });
    check(node('@owner'), { findings: ['GG2036 «@owner»'] });
    check(node('@owner a b'), { findings: ['GG2036 «@owner a b»'] });
    check(node('@owner id\n/// @owner x'), { findings: ['GG2038 «@owner x» + «@owner id»'] });
    check(node('@auth optional\n/// @owner id'), { findings: ['GG3072 «@auth optional» + «@owner id»'] });
  });

  it('of a type apply to the operations and the fields that return it', () => {
    const text = `${node('@scopes s\n/// @owner id')}
      (shelf { book: Book!, books: [Book!]!,\n/// @page 5\npaged: [Book!]!, other: Int })
      (root)-[:PROCESS]->(book) (root)-[:PROCESS { operation: 'all', returns: [Book!]!, page: 5 }]->(book)
      (root)-[:PROCESS { operation: 'count', returns: Int }]->(book) (book)-[:FORK]->(book)`;
    const demand = { auth: 'required', scopes: ['s'] };
    expect(accesses(text)).toEqual({
      book: demand,
      all: demand,
      Book: { ...demand, owner: 'id' },
      'Shelf.book': demand,
      'Shelf.books': demand,
      'Shelf.paged': demand,
    });
  });

  it('of an interface apply to its objects, and those of an object to the fields of its interfaces', () => {
    const text = (ofInterface: string, ofObject: string) => `/// ${ofInterface}\n(named: Interface { name: String })
      /// ${ofObject}\n(book { implements: [Named], id: ID!, name: String })`;
    expect(accesses(text('@roles r', 'A book.'))).toEqual({
      Named: { auth: 'required', roles: ['r'] },
      Book: { auth: 'required', roles: ['r'] },
    });
    expect(accesses(text('A name.', '@roles r\n/// @owner id'))).toEqual({
      'Named.name': { auth: 'required', roles: ['r'] },
      Book: { auth: 'required', roles: ['r'], owner: 'id' },
    });
  });

  it.each([
    ['@authorize admin', 'auth'],
    ['@permissions a:b', 'scopes'],
    ['@access a', 'scopes'],
    ['@role admin', 'roles'],
    ['@scope a', 'scopes'],
    ['@owners id', 'owner'],
  ])('%s is not a tag, and @%s is suggested', (tag, meant) => {
    const { diagnostics } = project(node(tag));
    const [finding] = diagnostics.filter(({ code }) => code === 'GG2035');
    expect(finding).toMatchObject({ severity: 'warning', hint: `Did you mean @${meant}?` });
  });
});

describe('words of access without effect', () => {
  it.each(["role: 'admin'", "roles: 'admin'", "permissions: ['a']", "authorize: 'admin'", "access: 'all'"])(
    '%s is a note on any edge, with a warning',
    (setting) => {
      const [word] = setting.split(':');
      for (const type of ['PROCESS', 'FOLD', 'FORK', 'CLAIM']) {
        const text = `(root)-[:${type} { ${setting} }]->(${book})`;
        const found = project(text).diagnostics.filter(({ code }) => code === 'GG3075');
        expect(found.map(({ severity, message }) => [severity, message])).toEqual([
          ['warning', `“${word}” protects nothing on a ${type} edge.`],
        ]);
        expect(project(text).schema).not.toHaveProperty('security');
      }
    },
  );

  it.each(["auth: 'required'", "scopes: ['a']", "anyScope: ['a']", "roles: ['a']"])(
    '%s protects nothing on an edge that is not an operation',
    (setting) => {
      const codes = project(`(root)-[:CLAIM { ${setting} }]->(${book})`).diagnostics.map(({ code }) => code);
      expect(codes).toContain('GG3075');
      const race = `(a { id: ID! })-[:RACE { ${setting} }]->(${book})`;
      expect(project(race).diagnostics.map(({ code }) => code)).toContain('GG3012');
    },
  );
});
