/**
 * What a server refuses, by name. Every limit is on unless it is switched off here: a number sets it,
 * `false` takes it away.
 */
export interface LimitOptions {
  /** How many bytes the body of a request may have. 1 MiB (1048576) unless given. */
  readonly body?: number | false;
  /** How many tokens a GraphQL document may have. 2000 unless given. */
  readonly tokens?: number | false;
  /** How many levels of fields an operation may have. 12 unless given. */
  readonly depth?: number | false;
  /** How many fields an operation may rename. 30 unless given. */
  readonly aliases?: number | false;
  /** How many fields an operation may ask of its root type. 20 unless given. */
  readonly rootFields?: number | false;
  /** How many directives an operation may carry. 50 unless given. */
  readonly directives?: number | false;
  /** How much an operation may cost: a scalar 1, an object 2, each level below 1.5 times as much. 5000 unless given. */
  readonly cost?: number | false;
  /** How long an operation may run, in milliseconds. 30000 unless given. */
  readonly timeout?: number | false;
  /** How many operations one request may hold. `false` unless given: one, and no list of them. */
  readonly batching?: number | false;
  /** Whether requests that a page of another site could send are refused. `true` unless given. */
  readonly csrf?: boolean;
  /** Whether the schema may be asked for over GraphQL. Unless given, `false` in production, else `true`. */
  readonly introspection?: boolean;
  /** Whether messages of unexpected errors are kept from clients. Unless given, `true` in production alone. */
  readonly masking?: boolean;
}

/** All limits, settled. A number that was switched off is infinite. */
export interface Limits extends Required<{ readonly [Name in NumericLimit]: number }> {
  /** How many operations one request may hold; 0 when it may hold no list at all. */
  readonly batching: number;
  readonly csrf: boolean;
  readonly introspection: boolean;
  readonly masking: boolean;
}

/** The limits that are numbers, and infinite when they are switched off. */
export type NumericLimit =
  | 'body'
  | 'tokens'
  | 'depth'
  | 'aliases'
  | 'rootFields'
  | 'directives'
  | 'cost'
  | 'timeout';

/** What holds when nothing is said. The documentation is tested against this table. */
export const defaultLimits: { readonly [Name in NumericLimit]: number } = {
  body: 1024 * 1024,
  tokens: 2000,
  depth: 12,
  aliases: 30,
  rootFields: 20,
  directives: 50,
  cost: 5000,
  timeout: 30_000,
};

/**
 * Settles the limits of a server.
 *
 * @param production - Whether the server runs in production, where introspection is off and errors masked.
 * @throws {TypeError} When a limit is unknown, or is none: a mistyped limit would not protect anybody.
 */
export function resolveLimits(options: LimitOptions, production: boolean): Limits {
  if (typeof options !== 'object' || options === null) throw new TypeError('limits must be an object.');
  const { csrf = true, introspection = !production, masking = production, batching, ...numbers } = options;
  for (const [name, value] of Object.entries({ csrf, introspection, masking })) {
    if (typeof value !== 'boolean') throw new TypeError(`limits.${name} must be true or false.`);
  }
  for (const [name, value] of Object.entries({ ...numbers, batching })) {
    if (name !== 'batching' && !Object.hasOwn(defaultLimits, name)) {
      throw new TypeError(`There is no limit called ${name}.`);
    }
    const isNumber = typeof value === 'number' && value > 0;
    if (value !== undefined && value !== false && !isNumber) {
      throw new TypeError(`limits.${name} must be a number above 0, or false.`);
    }
  }
  const settle = (name: NumericLimit): number =>
    numbers[name] === false ? Number.POSITIVE_INFINITY : (numbers[name] ?? defaultLimits[name]);
  return {
    body: settle('body'),
    tokens: settle('tokens'),
    depth: settle('depth'),
    aliases: settle('aliases'),
    rootFields: settle('rootFields'),
    directives: settle('directives'),
    cost: settle('cost'),
    timeout: settle('timeout'),
    batching: batching === undefined || batching === false ? 0 : batching,
    csrf,
    introspection,
    masking,
  };
}
