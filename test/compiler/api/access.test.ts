import { expect, it } from 'vitest';
import { accessOfTags, splitDescription } from '../../../src/analysis/import/draft/own-text.js';
import { describeAccess } from '../../../src/compiler/api/access.js';
import type { GqlAccess } from '../../../src/compiler/schema/gql-schema.js';

const accesses: readonly (readonly [GqlAccess, string])[] = [
  [{ auth: 'optional' }, 'Authentication is optional.'],
  [{ auth: 'required' }, 'Requires authentication.'],
  [{ auth: 'required', scopes: ['a'] }, 'Requires authentication with the scope `a`.'],
  [{ auth: 'required', scopes: ['a', 'b:c'] }, 'Requires authentication with the scopes `a`, `b:c`.'],
  [{ auth: 'required', anyScope: ['a', 'b'] }, 'Requires authentication with one of the scopes `a`, `b`.'],
  [{ auth: 'required', roles: ['r'] }, 'Requires authentication with the role `r`.'],
  [{ auth: 'required', owner: 'id' }, 'Requires authentication as the owner in `id`.'],
  [
    { auth: 'required', scopes: ['a'], roles: ['r', 's'], owner: 'id', open: 'It is  known.' },
    'Requires authentication with the scope `a` and one of the roles `r`, `s` as the owner in `id`. Open on purpose: It is known.',
  ],
  [{ open: 'known' }, 'Open on purpose: known'],
  [{ auth: 'optional', open: 'known' }, 'Authentication is optional. Open on purpose: known'],
];

it.each(accesses)('prints the access %j as a sentence that imports can parse', (access, text) => {
  expect(describeAccess(access)).toBe(text);
  for (const before of ['', 'Books a room.\n\n']) {
    const { description, tags } = splitDescription(before + text);
    expect(description).toBe(before.trim() || undefined);
    const open = access.open === undefined ? {} : { open: 'It is  known.' === access.open ? 'It is known.' : 'known' };
    expect(accessOfTags(tags)).toEqual({ ...access, ...open });
  }
});

it('prints nothing for a place without access', () => {
  expect(describeAccess({})).toBeUndefined();
  expect(splitDescription('Requires authentication to be known.').tags).toEqual([]);
});

it('lists the demands of several places in order', () => {
  const access: GqlAccess = { auth: 'required', roles: ['a'], further: [{ auth: 'required', roles: ['b'] }] };
  expect(describeAccess(access)).toBe('Requires authentication with the role `a` and the role `b`.');
});
