import type { FieldAccess } from './graph-ir.js';

/** What two places demand together: authentication if one of them does, and all their scopes. */
export function joinAccess(one: FieldAccess, other: FieldAccess): FieldAccess {
  if (one.auth === undefined) return other;
  if (other.auth === undefined) return one;
  const auth = one.auth === 'required' ? one.auth : other.auth;
  const scopes = [...new Set([...(one.scopes ?? []), ...(other.scopes ?? [])])];
  return scopes.length === 0 ? { auth } : { auth, scopes };
}

/** The access of a field alone, without its other properties. */
export function accessOf({ auth, scopes }: FieldAccess): FieldAccess {
  if (auth === undefined) return {};
  return scopes === undefined ? { auth } : { auth, scopes };
}

/** The field as a value that callers give: nobody reads an argument, or a field of an input. */
export function withoutAccess<Field extends FieldAccess>(field: Field): Omit<Field, keyof FieldAccess> {
  if (field.auth === undefined) return field;
  const { auth: _, scopes: __, ...rest } = field;
  return rest;
}
