import { describe, expect, test } from 'vitest';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { TopologyError } from '../../../src/runtime/load/topology-error.js';
import { serve } from './topology-server.js';

const source = `
  (status: Enum { values: [OPEN] })
  (moment: Scalar)
  (root)-[:PROCESS]->(read_user { id: ID!, name: String!, at: Moment, status: Status })
  (form { name: String })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved { id: ID! })
  (read_user | old_user)-[:RACE]->(any_user)
`;

/** What a server says of resolvers that it does not take. */
function findings(resolvers: object): string[] {
  try {
    serve(source, { resolvers: resolvers as Resolvers });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(TopologyError);
    return (error as TopologyError).diagnostics.map(({ code, message, hint }) =>
      [code, message, hint].filter((part) => part !== undefined).join(' '),
    );
  }
}

const noPlace = (coordinate: string) =>
  `GG5002 There is a resolver for ${coordinate}, but the schema has no such field or type.`;

describe('a resolver without a field', () => {
  test.each([
    [{ Query: { readUsers: () => null } }, `${noPlace('Query.readUsers')} Did you mean Query.readUser?`],
    [{ Query: { saveUser: () => null } }, `${noPlace('Query.saveUser')} Did you mean Mutation.saveUser?`],
    [{ Mutation: { zzzzzzzz: () => null } }, noPlace('Mutation.zzzzzzzz')],
    [{ Query: { constructor: () => null } }, noPlace('Query.constructor')],
    [{ ReadUser: { nam: () => null } }, `${noPlace('ReadUser.nam')} Did you mean ReadUser.name?`],
    [{ ReadUsr: {} }, `${noPlace('ReadUsr')} Did you mean ReadUser?`],
    [{ query: {} }, `${noPlace('query')} Did you mean Query?`],
    [
      { AnyUserRace: { resolveType: () => '' } },
      `${noPlace('AnyUserRace.resolveType')} Did you mean AnyUserRace.__resolveType?`,
    ],
    [{ Status: { OPEN: 1 } }, noPlace('Status')],
    [{ FormInput: { name: () => null } }, noPlace('FormInput')],
  ])('%j', (resolvers, finding) => {
    expect(findings(resolvers)).toEqual([finding]);
  });
});

describe('a resolver of the wrong kind', () => {
  test.each([
    [{ Query: 5 }, 'Query must be an object of resolvers.'],
    [{ ReadUser: null }, 'ReadUser must be an object of resolvers.'],
    [{ Moment: { serialize: () => '' } }, 'Moment must be a GraphQLScalarType.'],
    [{ AnyUserRace: { __resolveType: 'ReadUser' } }, 'AnyUserRace.__resolveType must be a function.'],
    [{ ReadUser: { __isTypeOf: true } }, 'ReadUser.__isTypeOf must be a function.'],
    [
      { Subscription: { userSaved: 5 } },
      'Subscription.userSaved must be a function that returns an async iterable, or { subscribe, resolve }.',
    ],
    [
      { Subscription: { userSaved: null } },
      'Subscription.userSaved must be a function that returns an async iterable, or { subscribe, resolve }.',
    ],
    [
      { Subscription: { userSaved: { subscribe: () => [], resolve: 1 } } },
      'Subscription.userSaved must be a function that returns an async iterable, or { subscribe, resolve }.',
    ],
  ])('%j', (resolvers, sentence) => {
    expect(findings(resolvers)).toEqual([`GG5005 The resolver for ${sentence}`]);
  });
});

test('the error of invalid resolvers has all findings', () => {
  expect(findings({ Query: { a: 1, b: 2 }, Nowhere: {} })).toHaveLength(3);
});

test('resolvers that fit the schema give no finding', () => {
  const parts = { serialize: () => '', parseValue: () => '', parseLiteral: () => '' };
  expect(
    findings({
      Query: { readUser: { id: 1 } },
      Mutation: { saveUser: () => null },
      Subscription: { userSaved: { subscribe: () => [] } },
      ReadUser: { name: 'x', __isTypeOf: () => true },
      AnyUserRace: { __resolveType: () => 'ReadUser' },
      Moment: parts,
    }),
  ).toEqual([]);
});

test('the message of the error lists the mistakes', () => {
  expect(() => serve(source, { resolvers: { Query: { readUsers: () => null } } })).toThrow(
    'The topology cannot be served:\n  resolvers GG5002 There is a resolver for Query.readUsers, but the schema has no such field or type. Did you mean Query.readUser?',
  );
});
