import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Access,
  accessOf,
  clauseImplies,
  clausesOf,
  joinAccess,
  lackingClauses,
  printClause,
  withoutAccess,
  withoutOwner,
} from '../../../src/compiler/graph/access.js';

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
const demands = fc.record(
  { scopes: names, anyScope: names, roles: names, owner: fc.constantFrom('x', 'y') },
  { requiredKeys: [] },
);
const access: fc.Arbitrary<Access> = fc.oneof(
  fc.constantFrom<Access>({}, { auth: 'optional' }, { auth: 'required' }, { open: 'known' }),
  demands.map((words): Access => ({ auth: 'required', ...words })),
);

/** A caller, and which value of the request is its own. */
const caller = fc.record({
  isKnown: fc.boolean(),
  scopes: fc.subarray(['a', 'b', 'c']),
  roles: fc.subarray(['a', 'b', 'c']),
  owns: fc.subarray(['x', 'y']),
});
type Caller = typeof caller extends fc.Arbitrary<infer T> ? T : never;

/** What the words mean, read one by one. */
function meets({ isKnown, scopes, roles, owns }: Caller, wanted: Access): boolean {
  if (wanted.auth !== 'required') return true;
  return (
    isKnown &&
    (wanted.scopes ?? []).every((scope) => scopes.includes(scope)) &&
    (wanted.anyScope?.some((scope) => scopes.includes(scope)) ?? true) &&
    (wanted.roles?.some((role) => roles.includes(role)) ?? true) &&
    (wanted.owner === undefined || owns.includes(wanted.owner)) &&
    (wanted.further ?? []).every((one) => meets({ isKnown, scopes, roles, owns }, one))
  );
}

describe('access', () => {
  it('joining two accesses admits exactly the callers that both admit', () => {
    fc.assert(
      fc.property(access, access, access, caller, (one, other, third, who) => {
        const joined = joinAccess(joinAccess(one, other), third);
        expect(meets(who, joined)).toBe(meets(who, one) && meets(who, other) && meets(who, third));
      }),
    );
  });

  it('joining an access again changes nothing', () => {
    fc.assert(
      fc.property(access, (one) => {
        const joined = joinAccess(one, one);
        expect(joinAccess(joined, one)).toEqual(joined);
        expect(joinAccess(one, joined)).toEqual(joined);
      }),
    );
  });

  it('a caller that meets an access lacks no part of it', () => {
    fc.assert(
      fc.property(access, access, caller, (wanted, held, who) => {
        if (lackingClauses(wanted, held).length === 0 && meets(who, held)) expect(meets(who, wanted)).toBe(true);
      }),
    );
  });

  it('each clause implies itself and authentication', () => {
    fc.assert(
      fc.property(access, (one) => {
        for (const clause of clausesOf(one)) {
          expect(clauseImplies(clause, clause)).toBe(true);
          expect(clauseImplies(clause, { kind: 'auth' })).toBe(true);
        }
      }),
    );
  });

  it('each shorter list of alternatives implies a longer one, but not the reverse', () => {
    const [wide, narrow] = [
      { auth: 'required', roles: ['a', 'b'] },
      { auth: 'required', roles: ['b'] },
    ] as const;
    expect(lackingClauses(wide, narrow)).toEqual([]);
    expect(lackingClauses(narrow, wide)).toEqual([{ kind: 'role', any: ['b'] }]);
  });

  it('an owner clause requires authentication if the owner of the object is unknown', () => {
    const joined = joinAccess({ auth: 'required', owner: 'x' }, { auth: 'required', owner: 'y' });
    expect(withoutOwner(joined)).toEqual({ auth: 'required' });
    expect(withoutOwner({ auth: 'required', owner: 'x', roles: ['a'] })).toEqual({
      auth: 'required',
      roles: ['a'],
    });
  });

  it('can be read from a field without its other properties, and removed from it', () => {
    const demanding: Access = { auth: 'required', scopes: ['a'], roles: ['b'], owner: 'x', anyScope: ['c'] };
    const field = { name: 'f', ...demanding };
    expect(accessOf(field)).toEqual(demanding);
    expect(withoutAccess(field)).toEqual({ name: 'f' });
  });

  it.each([
    [{ kind: 'auth' }, 'authentication'],
    [{ kind: 'scope', any: ['vault:read'] }, 'vault:read'],
    [{ kind: 'scope', any: ['a', 'b'] }, 'one of a, b'],
    [{ kind: 'role', any: ['admin'] }, 'role admin'],
    [{ kind: 'role', any: ['admin', 'doctor'] }, 'one of the roles admin, doctor'],
    [{ kind: 'owner', of: 'patientId' }, 'owner patientId'],
  ] as const)('the clause %j is printed as “%s”', (clause, text) => {
    expect(printClause(clause)).toBe(text);
  });
});
