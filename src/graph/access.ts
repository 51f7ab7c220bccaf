/** The callers that may use an operation or read a field. */
export interface Access {
  /** Whether the caller must authenticate, or may; absent if nothing is said of it. `scopes` make it `required`. */
  readonly auth?: 'required' | 'optional';
  /** The scopes that the caller must have, all of them; absent without any. */
  readonly scopes?: readonly string[];
}

/** What two places demand together: authentication if one of them does, and all their scopes. */
export function joinAccess(one: Access, other: Access): Access {
  if (one.auth === undefined) return other;
  if (other.auth === undefined) return one;
  const auth = one.auth === 'required' ? one.auth : other.auth;
  const scopes = [...new Set([...(one.scopes ?? []), ...(other.scopes ?? [])])];
  return scopes.length === 0 ? { auth } : { auth, scopes };
}

/** The access of a field alone, without its other properties. */
export function accessOf({ auth, scopes }: Access): Access {
  if (auth === undefined) return {};
  return scopes === undefined ? { auth } : { auth, scopes };
}

/** The field as a value that callers give: nobody reads an argument, or a field of an input. */
export function withoutAccess<Field extends Access>(field: Field): Omit<Field, keyof Access> {
  if (field.auth === undefined) return field;
  const { auth: _, scopes: __, ...rest } = field;
  return rest;
}
