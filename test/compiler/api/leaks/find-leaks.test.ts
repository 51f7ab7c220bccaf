import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/compiler/analyze.js';
import { findLeaks } from '../../../../src/compiler/api/leaks/find-leaks.js';
import { project } from '../../schema/check.js';
import { shapes } from './shapes.js';

/** The leaks of a topology without other errors. */
function leaksOf(text: string): readonly (readonly [code: string, message: string])[] {
  const { schema, diagnostics } = project(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return findLeaks(schema).map(({ code, message }) => [code, message]);
}

describe.each(shapes)('$name', ({ code, path, text, demand }) => {
  const written = (open: string, demanded: string) => text.replaceAll('OPEN', open).replaceAll('DEMAND', demanded);

  it('is reported with its path', () => {
    const leaks = leaksOf(written('', ''));
    expect(leaks.map(([found]) => found)).toEqual([code]);
    expect(leaks[0]?.[1]).toContain(`: ${path}.`);
  });

  it('is reported by the compiler beside other findings', () => {
    const found = analyze(written('', '')).diagnostics.filter(({ severity }) => severity === 'error');
    expect(found.map((finding) => finding.code)).toEqual([code]);
  });

  it('is not a leak if the callers meet the demand, or if it is open with a reason', () => {
    expect(leaksOf(written('', demand))).toEqual([]);
    expect(leaksOf(written(", open: 'meant'", ''))).toEqual([]);
  });

  it('stays a leak if callers must only authenticate, or meet another demand', () => {
    expect(leaksOf(written('', ", auth: 'required'"))).toHaveLength(1);
    expect(leaksOf(written('', ", roles: ['other']"))).toHaveLength(1);
  });
});

describe('stored rows with an owner', () => {
  const nodes = `/// @owner patientId
    (visit: Stored { id: ID!, patientId: ID!, doctorId: ID!, doctor: Doctor })
    (doctor: Stored { id: ID!, visits: [Visit!]!,\n/// @page 2\nvisitPage: [Visit!]! })
    (root)-[:PROCESS { id: ID! }]->(doctor)`;

  it('may be listed without an owner, because the store reads only those of the caller', () => {
    expect(leaksOf(`${nodes} (root)-[:PROCESS { operation: 'visits', returns: [Visit!]!, page: 2 }]->(visit)`)).toEqual(
      [],
    );
  });

  it('may have guarded columns with a default, which applies to new rows only', () => {
    const text = `/// @owner userId
      (user: Stored { id: ID!, userId: ID!, isOpen: Boolean! = true }) (root)-[:PROCESS { id: ID! }]->(user)`;
    expect(leaksOf(text)).toEqual([]);
  });

  it.each([
    ['a stream', '(visit)-[:FORK { operation: "visits", patientId: ID! }]->(visit)'],
    ['the result of a mutation', '(root)-[:FOLD { x: Int, returns: [Visit!]! }]->(visit)'],
    ['a field of another object', '(root)-[:PROCESS { x: Int }]->(clinic { visits: [Visit!]! })'],
  ])('must name the owner in %s, which the store does not read', (_, text) => {
    expect(leaksOf(nodes + text)).toMatchObject([['GG3086', expect.anything()]]);
  });
});

describe('a guarded constant', () => {
  it('is reported on a field and in a guarded type', () => {
    const field = "(root)-[:PROCESS]->(book { id: ID!,\n/// @scopes vault:read\ncode: 'x17' })";
    expect(leaksOf(field).map(([code]) => code)).toEqual(['GG3083']);
    const type = "/// @roles admin\n(book { code: 'x17' })";
    expect(leaksOf(type).map(([code]) => code)).toEqual(['GG3083']);
  });

  it('is not a leak if all callers may read it', () => {
    expect(leaksOf("(root)-[:PROCESS]->(book { id: ID!,\n/// @auth optional\ncode: 'x17' })")).toEqual([]);
  });
});

describe('a demand that is checked at run time is not a leak', () => {
  it.each([
    ['a guarded field of a result', '(root)-[:PROCESS]->(book { id: ID!,\n/// @scopes s\ncode: String })'],
    ['a guarded type', '/// @scopes s\n(book { id: ID! }) (root)-[:PROCESS]->(book) (book)-[:FORK]->(book)'],
    ['a single object with an owner', '/// @owner id\n(book { id: ID! }) (root)-[:PROCESS]->(book)'],
    [
      'a field of an interface, which has the demands of its objects',
      `(named: Interface { name: String }) (root)-[:PROCESS]->(named)
       (book { implements: [Named], id: ID!,\n/// @scopes s\nname: String })`,
    ],
    [
      'a second edge of an operation without the demand of the first',
      "(a { x: Int })-[:PROCESS { x: Int, scopes: ['s'] }]->(book { id: ID! }) (b)-[:PROCESS { x: Int }]->(book)",
    ],
    [
      'a mutation that sets a guarded field',
      '(book { id: ID!,\n/// @scopes s\ncode: String }) (form { x: Int })-[:FOLD { code: String }]->(book)',
    ],
    [
      'a guarded field of an event of the type that the mutation returns',
      '(book { id: ID!,\n/// @scopes s\ncode: String }) (form { x: Int })-[:FOLD { x: Int }]->(book) (book)-[:FORK]->(book)',
    ],
  ])('%s', (_, text) => {
    expect(leaksOf(text)).toEqual([]);
  });
});

describe('a schema without access settings', () => {
  it('is not checked', () => {
    const { schema } = project('(a { id: ID! } | b { id: ID! })-[:RACE]->(c { id: ID! }) (root)-[:PROCESS]->(c)');
    const watched = new Proxy(schema, {
      get: (target, key) => {
        if (key !== 'security' && key !== 'internal') throw new Error(`reads ${String(key)}`);
        return Reflect.get(target, key);
      },
    });
    expect(findLeaks(watched)).toEqual([]);
  });
});
