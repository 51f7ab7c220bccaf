import { describe, expect, test } from 'vitest';
import { diffApis } from '../../../../src/analysis/diff/diff-schemas.js';
import type { ServerSettings } from '../../../../src/analysis/diff/model/server-settings.js';
import { schemaFrom } from '../schemas.js';

const schema = schemaFrom(
  "(root)-[:PROCESS { auth: 'required', returns: [User!]!, page: 20 }]->(users)\n(user { id: ID! })",
);

/** What a change of settings means, in a line each. */
function between(before: Partial<ServerSettings>, after: Partial<ServerSettings>): readonly string[] {
  const served = (settings: Partial<ServerSettings>) => ({
    schema,
    settings: { pageSize: 100, ...settings },
  });
  return diffApis(served(before), served(after)).map(({ level, message }) => `${level}: ${message}`);
}

const jwt = { issuer: 'https://id.example.com', audience: 'api', jwks: 'keys.json' };
const key = { id: 'partner', sha256: 'a'.repeat(64) };

describe('the settings of a server', () => {
  test('change nothing for callers while they are equal', () => {
    const auth = { jwt, apiKeys: { keys: [key] } };
    expect(between({ auth }, { auth: structuredClone(auth) })).toEqual([]);
  });

  test.each<[before: object, after: object, change: string]>([
    [{}, { audience: ['api', 'web'] }, 'dangerous: Tokens with the audience web are accepted.'],
    [{ audience: ['api', 'web'] }, {}, 'breaking: Tokens with the audience web are refused.'],
    [{}, { types: ['at+jwt'] }, ''],
    [{}, { types: ['at+jwt', 'JWT'] }, 'dangerous: Tokens with the types JWT are accepted.'],
    [{}, { algorithms: ['RS256'] }, 'breaking: Only tokens with the algorithms RS256 are accepted.'],
    [{ algorithms: ['RS256'] }, {}, 'dangerous: The algorithms of tokens is not checked any more.'],
    [
      {},
      { jwks: 'other.json' },
      'dangerous: The key set of tokens is another one: tokens that were signed with other keys are refused.',
    ],
    [
      { jwks: undefined, secretFrom: 'OLD' },
      { jwks: undefined, secretFrom: 'NEW' },
      'dangerous: The key set of tokens is another one: tokens that were signed with other keys are refused.',
    ],
  ])('compares what is accepted of tokens: %j, then %j', (before, after, change) => {
    const found = between({ auth: { jwt: { ...jwt, ...before } } }, { auth: { jwt: { ...jwt, ...after } } });
    expect(found).toEqual(change === '' ? [] : [change]);
  });

  test.each<[before: readonly object[], after: readonly object[], changes: readonly string[]]>([
    [[], [key], ['dangerous: A key of partner was added.']],
    [[key], [], ['breaking: A key of partner is refused.']],
    [[key], [{ ...key, scopes: ['read'] }], ['dangerous: A key of partner has the scopes read.']],
    [
      [{ ...key, roles: ['admin', 'doctor'] }],
      [{ ...key, roles: ['doctor', 'nurse'] }],
      ['breaking: A key of partner no longer has the roles admin.', 'dangerous: A key of partner has the roles nurse.'],
    ],
  ])('compares API keys by their hashes: %j, then %j', (before, after, changes) => {
    const apiKeys = (keys: readonly object[]) => ({ apiKeys: { keys: keys as readonly (typeof key)[] } });
    expect(between({ auth: apiKeys(before) }, { auth: apiKeys(after) })).toEqual(changes);
  });

  test.each<[before: number | false, after: number | false, change: string]>([
    [100, 50, 'dangerous: Pages have at most 50 items instead of at most 100 items.'],
    [50, false, 'safe: Pages have any number of items instead of at most 50 items.'],
    [false, 50, 'dangerous: Pages have at most 50 items instead of any number of items.'],
  ])('compares how long pages may be: %j, then %j', (before, after, change) => {
    expect(between({ pageSize: before }, { pageSize: after })).toEqual([change]);
  });

  test('are compared only if both sides have them', () => {
    expect(diffApis({ schema }, { schema, settings: { pageSize: 5 } })).toEqual([]);
  });
});
