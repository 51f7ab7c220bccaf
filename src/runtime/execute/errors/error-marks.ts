const fromResolvers = new WeakSet<Error>();

/** Remembers an error as one that a resolver threw, rejected with or returned. */
export function noteResolverError(error: unknown): void {
  if (isGraphQLError(error)) fromResolvers.add(error);
}

/**
 * Whether an error came from a resolver. Other errors are those of graphql-js, for instance about a value that does not
 * have its type.
 */
export function isFromResolver(error: Error): boolean {
  return fromResolvers.has(error);
}

/** By name, because a resolver may use the GraphQLError of another copy of graphql-js. */
export function isGraphQLError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'GraphQLError';
}

/** The failure of all branches of a race, if at least one reason is not meant for the client. */
export class BranchErrors extends AggregateError {}

export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    // An object without a prototype has no string form, and a getter may throw.
    return 'Unexpected error.';
  }
}

const publicMessages = new WeakMap<object, string>();

/** Marks an error that names parts of the topology: if errors are masked, clients get this message and its code. */
export function forOperators<Failure extends Error>(error: Failure, publicMessage: string): Failure {
  publicMessages.set(error, publicMessage);
  return error;
}

/** The masked form of an error for operators; undefined for other values. */
export function publicMessageOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? publicMessages.get(error) : undefined;
}
