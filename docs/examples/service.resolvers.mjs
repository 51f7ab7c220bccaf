// The data behind service.gg. `gg-svc serve docs/examples/service.gg` finds this file by its name. Its types
// were written by `gg-svc types docs/examples/service.gg -o docs/examples/service.types.ts`.

/** @import * as Api from './service.types.js' */

/**
 * Users by id. A real service would query its database here.
 *
 * @type {Map<string, Api.ReadUser>}
 */
const users = new Map([
  ['1', { id: '1', name: 'Ada', email: 'ada@example.com', status: 'ACTIVE' }],
  ['2', { id: '2', name: 'Grace', email: null, status: 'SUSPENDED' }],
]);

/** Verdicts of earlier scans, by address. */
const verdicts = new Map([['https://example.com', { clean: true, reachedAt: '2026-01-01T00:00:00Z' }]]);

/** @type {Api.CompleteResolvers} */
const resolvers = {
  Query: {
    // Unknown ids also get a user, so that the example returns data for every request.
    readUser: (_parent, { id }) => users.get(id) ?? { id, name: `User ${id}`, email: null },

    scanResult: (_parent, { url }) => {
      const known = verdicts.get(url);
      /** @type {Api.VerdictRace} */
      const verdict =
        known === undefined
          ? { __typename: 'FreshVerdict', clean: !url.includes('malware'), tookMs: url.length }
          : { __typename: 'CachedVerdict', ...known };
      return { url, verdict };
    },
  },

  Mutation: {
    saveUser: (_parent, { input }) => {
      const id = input?.id ?? String(users.size + 1);
      const before = users.get(id) ?? { id, name: `User ${id}`, email: null, status: 'ACTIVE' };
      const user = { ...before, name: input?.name ?? before.name, email: input?.email ?? before.email };
      users.set(id, user);
      return user;
    },
  },
};

export default resolvers;
