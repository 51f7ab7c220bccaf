const publicMessages = new WeakMap<object, string>();

/**
 * Marks an error whose message and extensions name parts of the topology: edges, nodes, files, coordinates. Clients get
 * it as it is unless errors are masked; then they get this message, its code, and a reference to its report.
 */
export function forOperators<Failure extends Error>(error: Failure, publicMessage: string): Failure {
  publicMessages.set(error, publicMessage);
  return error;
}

/** The masked form of an error for operators; undefined for other values. */
export function publicMessageOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? publicMessages.get(error) : undefined;
}
