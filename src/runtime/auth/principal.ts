/** The caller of a request, as an authenticator found it. */
export interface Principal {
  /** Its id: the subject of a token, or the name of an API key. Rate limits and logs count by it. */
  readonly id: string;
  /** Its scopes, compared with the `scopes` of operations and fields. Absent for none. */
  readonly scopes?: readonly string[];
  /** Its roles, compared with the `roles` of operations and fields. Absent for the claim `roles`, or `role`. */
  readonly roles?: readonly string[];
  /** When its credentials expire, in seconds since 1970; absent if they do not. */
  readonly expiresAt?: number;
  /** The claims of its token, or other facts for resolvers. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The roles of a caller: its own, else those of its claims `roles` and `role`. */
export function rolesOf({ roles, claims }: Principal): readonly string[] {
  if (roles !== undefined) return roles;
  return [claims?.roles, claims?.role].flat().filter((role) => typeof role === 'string');
}

/** The parts of a request that authenticators read. */
export interface Credentials {
  /** The value of a header, by its lower-case name. Repeated headers are joined by `, `. */
  readonly header: (name: string) => string | undefined;
  /** The request as a fetch `Request`, made on first use. Its body must not be read. */
  readonly request: () => Request;
}

/**
 * Finds the caller of a request: returns null if the request has no credentials of its kind, and throws an
 * {@link AuthenticationError} if they are invalid.
 */
export type Authenticate = (credentials: Credentials) => Principal | null | Promise<Principal | null>;
