import { OptionError } from '../../base/diagnostics/option-error.js';

/** How long a client waits before it tries again, in seconds. */
const retryAfter = '1';

/**
 * The failure of a store, as the answer to the client: a value that no column can keep is `BAD_USER_INPUT` (400), a
 * database that is away or overloaded `STORE_UNAVAILABLE` (503, with `Retry-After`). It has the name of the errors that
 * resolvers throw for clients, so that loading a store does not load graphql-js.
 */
export class StoreError extends Error {
  override readonly name = 'GraphQLError';
  readonly extensions: Readonly<Record<string, unknown>>;
  /** What is wrong with a value of the request, without its place; undefined for other failures. */
  readonly reason: string | undefined;

  constructor(
    readonly code: 'BAD_USER_INPUT' | 'STORE_UNAVAILABLE',
    message: string,
    options?: ErrorOptions & { readonly reason?: string },
  ) {
    super(message, options);
    this.reason = options?.reason;
    this.extensions =
      code === 'BAD_USER_INPUT'
        ? { code }
        : { code, http: { status: 503, headers: new Map([['retry-after', retryAfter]]) } };
  }
}

/** The failure of a database at the start, as an error about the option `store`; other errors as they are. */
export function explainStore(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, cause } = error;
  const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
  return new OptionError('store', `be a database that can be used: ${reason.replace(/\.$/, '')}`);
}
