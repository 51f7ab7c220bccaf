import { defined } from '../../base/values/defined.js';

/** The callers that may use an operation, read a field, or read anything of a type. All that is said must hold. */
export interface Access {
  /**
   * Whether the caller must authenticate, or may; absent if nothing is said of it. The other words make it `required`.
   */
  readonly auth?: 'required' | 'optional';
  /** The scopes that the caller must have, all of them; absent without any. */
  readonly scopes?: readonly string[];
  /** The scopes of which the caller must have one; absent without any. */
  readonly anyScope?: readonly string[];
  /** The roles of which the caller must have one; absent without any. */
  readonly roles?: readonly string[];
  /**
   * The name of the value that must be the caller's own id. Of an operation: its argument, or a field of its result. Of
   * a type or a field: a field of the same object.
   */
  readonly owner?: string;
  /** Why callers may reach more than they may ask for; absent if the compiler refuses that. */
  readonly open?: string;
  /** Demands of other places that do not fit in the words above, such as a second list of roles; absent without any. */
  readonly further?: readonly Access[];
}

/** The words that only callers meet who authenticate. */
export const demandWords = ['scopes', 'anyScope', 'roles', 'owner'] as const;

/** The words that say who may use a place; `open` says why more callers may. */
export const accessWords = ['auth', ...demandWords] as const;

/** One thing that a caller must meet; access is a list of them. */
export type AccessClause =
  | { readonly kind: 'auth' }
  /** One scope or role of a list is enough. */
  | { readonly kind: 'scope' | 'role'; readonly any: readonly string[] }
  | { readonly kind: 'owner'; readonly of: string };

/** Everything that access demands, each clause once. Without any, everybody may use the place. */
export function clausesOf(access: Access): readonly AccessClause[] {
  if (access.auth !== 'required') return none;
  const clauses: AccessClause[] = [];
  addClauses(access, clauses);
  return clauses.length === 0 ? [{ kind: 'auth' }] : clauses;
}

/** Whether everybody who meets one clause meets another. */
export function clauseImplies(held: AccessClause, wanted: AccessClause): boolean {
  if (wanted.kind === 'auth') return true;
  if (wanted.kind === 'owner') return held.kind === 'owner' && held.of === wanted.of;
  return held.kind === wanted.kind && held.any.every((name) => wanted.any.includes(name));
}

/** The demands of access beyond those that the caller is known to meet. */
export function lackingClauses(wanted: Access, ...held: readonly Access[]): readonly AccessClause[] {
  const clauses = clausesOf(wanted);
  if (clauses.length === 0) return clauses;
  const met = held.flatMap(clausesOf);
  return clauses.filter((clause) => !met.some((one) => clauseImplies(one, clause)));
}

/** A clause in a few words: `vault:read`, `one of a, b`, `role admin`, `owner patientId`. */
export function printClause(clause: AccessClause): string {
  if (clause.kind === 'auth') return 'authentication';
  if (clause.kind === 'owner') return `owner ${clause.of}`;
  const names = clause.any.join(', ');
  if (clause.kind === 'scope') return clause.any.length === 1 ? names : `one of ${names}`;
  return clause.any.length === 1 ? `role ${names}` : `one of the roles ${names}`;
}

/** The demands of two places together, each once: of two demands of which one implies the other, the stronger one. */
export function joinAccess(one: Access, other: Access): Access {
  if (!saysAccess(one)) return accessOf(other);
  if (!saysAccess(other)) return accessOf(one);
  const open = one.open ?? other.open;
  const clauses = [...clausesOf(one), ...clausesOf(other)];
  if (clauses.length === 0) return accessOf({ auth: one.auth ?? other.auth, open });
  return accessOf({ ...accessOfClauses(clauses), open });
}

/** The access with these clauses, of which callers must meet each. */
export function accessOfClauses(clauses: readonly AccessClause[]): Access {
  const needed = clauses.filter((clause, at) =>
    clauses.every((held, place) => {
      const isOther = place !== at && clauseImplies(held, clause);
      // Of equal clauses, the first stays.
      return !isOther || (at < place && clauseImplies(clause, held));
    }),
  );
  const names = (kind: 'scope' | 'role', isSingle: boolean) =>
    needed.flatMap((clause) =>
      clause.kind === kind && (kind === 'role' || (clause.any.length === 1) === isSingle) ? [clause.any] : [],
    );
  const single = names('scope', true).flat();
  const [anyScope, ...scopeLists] = names('scope', false);
  const [roles, ...roleLists] = names('role', false);
  const [owner, ...owners] = needed.flatMap((clause) => (clause.kind === 'owner' ? [clause.of] : []));
  const further: Access[] = [
    ...scopeLists.map((list) => ({ auth: 'required' as const, anyScope: list })),
    ...roleLists.map((list) => ({ auth: 'required' as const, roles: list })),
    ...owners.map((name) => ({ auth: 'required' as const, owner: name })),
  ];
  return accessOf({
    auth: needed.length === 0 ? undefined : 'required',
    scopes: single.length === 0 ? undefined : single,
    anyScope,
    roles,
    owner,
    further: further.length === 0 ? undefined : further,
  });
}

/** The access of a place alone, without its other properties. */
export function accessOf(place: Undefinable<Access>): Access {
  if (!saysAccess(place)) return nothing;
  const { auth, scopes, anyScope, roles, owner, open, further } = place;
  return defined({ auth, scopes, anyScope, roles, owner, open, further });
}

/** The demands on a caller whatever the object is. An owner must still authenticate. */
export function withoutOwner(place: Access): Access {
  const clauses = clausesOf(place);
  if (clauses.length === 0) return accessOf(place);
  return accessOfClauses(clauses.map((clause) => (clause.kind === 'owner' ? { kind: 'auth' } : clause)));
}

/** The field as a value that callers give: nobody reads an argument, or a field of an input. */
export function withoutAccess<Field extends Access>(field: Field): Omit<Field, keyof Access> {
  if (!saysAccess(field)) return field;
  const { auth: _, scopes: _1, anyScope: _2, roles: _3, owner: _4, open: _5, further: _6, ...rest } = field;
  return rest;
}

/** Whether anything is said of the access to a place. */
export function saysAccess({ auth, open }: Undefinable<Access>): boolean {
  return auth !== undefined || open !== undefined;
}

type Undefinable<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

const nothing: Access = {};
const none: readonly never[] = [];

function addClauses({ scopes = none, anyScope, roles, owner, further = none }: Access, to: AccessClause[]): void {
  const add = (clause: AccessClause): void => {
    if (!to.some((one) => clauseImplies(one, clause) && clauseImplies(clause, one))) to.push(clause);
  };
  for (const scope of scopes) add({ kind: 'scope', any: [scope] });
  if (anyScope !== undefined) add({ kind: 'scope', any: anyScope });
  if (roles !== undefined) add({ kind: 'role', any: roles });
  if (owner !== undefined) add({ kind: 'owner', of: owner });
  for (const one of further) addClauses(one, to);
}

/** Why a text cannot be a scope, to follow “it”; undefined if it can (`scope-token` of RFC 6749, section 3.3). */
export function whyInvalidScope(scope: string): string | undefined {
  if (scope === '') return 'is empty';
  if (/\s/.test(scope)) return 'has a blank in it';
  const [other] = /[^!#-[\]-~]/u.exec(scope) ?? [];
  return other === undefined ? undefined : `has ${JSON.stringify(other)} in it`;
}
