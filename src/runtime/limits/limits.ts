import { OptionError } from '../../base/diagnostics/option-error.js';
import { usualPageSize } from '../../compiler/schema/cursor.js';

/** The limits of a server, by name. All limits are on by default: a number changes a limit, `false` turns it off. */
export interface LimitOptions {
  /** The maximum size of a request body in bytes. Default: 1 MiB (1048576). */
  readonly body?: number | false;
  /** The maximum size of an uploaded file in bytes. Default: 10 MiB (10485760). */
  readonly fileBytes?: number | false;
  /** The maximum number of uploaded files in one request. Default: 10. */
  readonly files?: number | false;
  /** The maximum number of tokens of a GraphQL document. Default: 2000. */
  readonly tokens?: number | false;
  /** The maximum number of levels of fields of an operation. Default: 12. */
  readonly depth?: number | false;
  /** The maximum number of aliased fields of an operation. Default: 30. */
  readonly aliases?: number | false;
  /** The maximum number of fields that an operation selects on its root type. Default: 20. */
  readonly rootFields?: number | false;
  /** The maximum number of directives of an operation. Default: 50. */
  readonly directives?: number | false;
  /** The maximum cost of an operation: a scalar costs 1, an object 2, each level below 1.5 times as much. Default: 5000. */
  readonly cost?: number | false;
  /** The maximum number of pairs of equally named fields that validating a document compares. Default: 5000. */
  readonly comparisons?: number | false;
  /** The maximum number of items in a page of a connection. Default: 1000. */
  readonly pageSize?: number | false;
  /** How long an operation may run, in milliseconds. Default: 30000. */
  readonly timeout?: number | false;
  /** The maximum number of operations in one request. Default: `false`, one operation and no lists. */
  readonly batching?: number | false;
  /** Whether requests that a page of another site could send are refused. Default: `true`. */
  readonly csrf?: boolean;
  /** Whether clients can query the schema over GraphQL. Default: `false` in production, else `true`. */
  readonly introspection?: boolean;
  /** Whether the messages of unexpected errors are hidden from clients. Default: `true` in production, else `false`. */
  readonly masking?: boolean;
}

/** All limits with their values. A limit that is turned off is infinite, except `batching`: 0 refuses lists. */
export type Limits = ReturnType<typeof resolveLimits>;

/** The defaults of the limits that are numbers. A test compares the documentation with this table. */
export const defaultLimits = {
  body: 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  files: 10,
  tokens: 2000,
  depth: 12,
  aliases: 30,
  rootFields: 20,
  directives: 50,
  cost: 5000,
  comparisons: 5000,
  pageSize: usualPageSize,
  timeout: 30_000,
};

/**
 * Reads the option `limits`.
 *
 * @param production - Whether the server runs in production, where introspection is off and errors are masked.
 * @throws {TypeError} If a limit is unknown or has the wrong type: a mistyped limit would have no effect.
 */
export function resolveLimits(options: LimitOptions, production: boolean) {
  if (typeof options !== 'object' || options === null) throw new OptionError('limits', 'be an object');
  const { csrf = true, introspection = !production, masking = production, batching, ...numbers } = options;
  for (const [name, value] of Object.entries({ csrf, introspection, masking })) {
    if (typeof value !== 'boolean') throw new OptionError(`limits.${name}`, 'be true or false');
  }
  for (const [name, value] of Object.entries({ ...numbers, batching })) {
    if (name !== 'batching' && !Object.hasOwn(defaultLimits, name)) {
      throw new OptionError(`limits.${name}`, 'be the name of a limit', `Unknown limit: limits.${name}.`);
    }
    const isNumber = typeof value === 'number' && value > 0;
    if (value !== undefined && value !== false && !isNumber) {
      throw new OptionError(`limits.${name}`, 'be a number above 0, or false');
    }
  }
  const settled = { ...defaultLimits };
  for (const name of Object.keys(defaultLimits) as (keyof typeof defaultLimits)[]) {
    const value = numbers[name] ?? defaultLimits[name];
    settled[name] = value === false ? Number.POSITIVE_INFINITY : value;
  }
  return { ...settled, batching: batching || 0, csrf, introspection, masking };
}
