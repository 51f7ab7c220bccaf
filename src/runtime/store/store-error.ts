import { OptionError } from '../../base/diagnostics/option-error.js';

/** How long a client waits before it tries again, in seconds. */
const retryAfter = '1';

/**
 * The failure of a store, as the answer to the client: a value that no column can keep is `BAD_USER_INPUT` (400), a
 * row that must be there and is not `NOT_FOUND` (404), a database that is away or overloaded `STORE_UNAVAILABLE` (503, with
 * `Retry-After`). It has the name of the errors that
 * resolvers throw for clients, so that loading a store does not load graphql-js.
 */
export class StoreError extends Error {
  override readonly name = 'GraphQLError';
  readonly extensions: Readonly<Record<string, unknown>>;
  /** The mistake in a value of the request, without its place; undefined for other failures. */
  readonly reason: string | undefined;

  constructor(
    readonly code: 'BAD_USER_INPUT' | 'NOT_FOUND' | 'STORE_UNAVAILABLE',
    message: string,
    options?: ErrorOptions & { readonly reason?: string },
  ) {
    super(message, options);
    this.reason = options?.reason;
    this.extensions =
      code === 'STORE_UNAVAILABLE'
        ? { code, http: { status: 503, headers: new Map([['retry-after', retryAfter]]) } }
        : { code };
  }
}

/** The answer to a request for a row that is not there. */
export function noRow(type: string, columns: readonly string[]): StoreError {
  return new StoreError('NOT_FOUND', `There is no ${type}${columns.length > 0 ? ` with ${these(columns)}` : ''}.`);
}

/** Columns whose values are named together: `this “email”`, `these “doctorId” and “start”`. */
export function these(columns: readonly string[]): string {
  return `${columns.length > 1 ? 'these' : 'this'} ${columns.map((name) => `“${name}”`).join(' and ')}`;
}

/** The failure of a database at the start, as an error about the option `store`; other errors as they are. */
export function explainStore(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, cause } = error;
  const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
  return new OptionError('store', `be a database that can be used: ${reason.replace(/\.$/, '')}`);
}
