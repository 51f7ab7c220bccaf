import { readPattern } from '../pattern/pattern.js';

/** The limits of a value, in keywords of JSON Schema; on a list those of its elements, but for the two of items. */
export interface Constraints {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** In characters (Unicode code points), as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression (ECMA-262, with the `u` flag), not anchored. */
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/**
 * Whether an ID with these constraints is a text in JSON: an integer has no length, pattern or format, so that no JSON
 * Schema could limit it.
 */
export function isTextOnly({ minLength, maxLength, pattern, format }: Constraints): boolean {
  return (minLength ?? maxLength ?? pattern ?? format) !== undefined;
}

/** Also the limits of objects, as schemas may have them. */
export interface Limits extends Constraints {
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Says why a value breaks a limit, as the end of a sentence (`must be at least 1`); undefined if it does not. */
export type Check<Value> = (value: Value) => string | undefined;

/** Finds the check of a format; undefined for a format that only annotates. */
export type FormatLookup = (format: string) => ((text: string) => boolean) | undefined;

/** The checks of a value by its type; undefined for types that nothing limits. */
export interface ValueChecks {
  readonly number?: Check<number | bigint> | undefined;
  readonly text?: Check<string> | undefined;
  readonly list?: Check<readonly unknown[]> | undefined;
  readonly object?: Check<object> | undefined;
}

/**
 * Compiles limits to checks. The check of a text looks at its length before its pattern, so that `maxLength` bounds what
 * the pattern has to read.
 */
export function compileLimits(limits: Limits, formatOf: FormatLookup = () => undefined): ValueChecks {
  const { minItems, maxItems, minLength, maxLength, minProperties, maxProperties, format } = limits;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits;
  const reading = limits.pattern === undefined ? undefined : readPattern(limits.pattern);
  return {
    number: firstOf<number | bigint>(
      check(minimum, (value, least) => value >= least, 'be at least'),
      check(maximum, (value, most) => value <= most, 'be at most'),
      check(exclusiveMinimum, (value, over) => value > over, 'be greater than'),
      check(exclusiveMaximum, (value, under) => value < under, 'be less than'),
      check(multipleOf, isMultiple, 'be a multiple of'),
    ),
    text: firstOf<string>(
      check(minLength, isAtLeast, 'have at least', 'character'),
      check(maxLength, isAtMost, 'have at most', 'character'),
      format === undefined ? undefined : where(formatOf(format), `must be a valid ${format}`),
      reading?.ok === true
        ? where(reading.pattern.test, `must match the pattern ${limits.pattern}`)
        : reading && (() => `cannot be checked against the pattern ${limits.pattern}`),
    ),
    list: firstOf<readonly unknown[]>(
      check(minItems, (list, least) => list.length >= least, 'have at least', 'element'),
      check(maxItems, (list, most) => list.length <= most, 'have at most', 'element'),
    ),
    object: firstOf<object>(
      check(minProperties, (value, least) => Object.keys(value).length >= least, 'have at least', 'member'),
      check(maxProperties, (value, most) => Object.keys(value).length <= most, 'have at most', 'member'),
    ),
  };
}

/**
 * Why a JSON value breaks limits; undefined if it does not. The elements of a list are checked after the list, at any
 * depth. Null breaks none.
 */
export function violation(checks: ValueChecks, value: unknown): string | undefined {
  if (!Array.isArray(value)) return checkOne(checks, value);
  return checks.list?.(value) ?? elementViolation(checks, value);
}

function elementViolation(checks: ValueChecks, list: readonly unknown[]): string | undefined {
  for (const item of list) {
    const reason = Array.isArray(item) ? elementViolation(checks, item) : checkOne(checks, item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The check of a value itself, not of its elements or members. */
export function checkOne({ number, text, list, object }: ValueChecks, value: unknown): string | undefined {
  if (typeof value === 'string') return text?.(value);
  if (typeof value === 'number' || typeof value === 'bigint') return number?.(value);
  if (Array.isArray(value)) return list?.(value);
  return typeof value === 'object' && value !== null ? object?.(value) : undefined;
}

function check<Value>(
  limit: number | undefined,
  holds: (value: Value, limit: number) => boolean,
  must: string,
  unit?: string,
): Check<Value> | undefined {
  if (limit === undefined) return undefined;
  const counted = unit === undefined ? '' : ` ${unit}${limit === 1 ? '' : 's'}`;
  return where((value: Value) => holds(value, limit), `must ${must} ${limit}${counted}`);
}

function where<Value>(holds: ((value: Value) => boolean) | undefined, reason: string): Check<Value> | undefined {
  return holds && ((value) => (holds(value) ? undefined : reason));
}

function firstOf<Value>(...given: readonly (Check<Value> | undefined)[]): Check<Value> | undefined {
  const checks = given.filter((one) => one !== undefined);
  if (checks.length < 2) return checks[0];
  return (value) => {
    for (const one of checks) {
      const reason = one(value);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

// Lengths are in Unicode code points (section 6.3.1), each of which has one or two code units.

function isAtLeast(text: string, least: number): boolean {
  return text.length >= least && (text.length >= 2 * least || lengthOf(text) >= least);
}

function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && lengthOf(text) <= most);
}

function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.codePointAt(at) as number) > 0xff_ff) {
      length--;
      at++;
    }
  }
  return length;
}

/** Whether a number is an exact multiple of another: 0.3 is one of 0.1, and 9007199254740991 is not one of 2. */
export function isMultiple(value: number | bigint, of: number): boolean {
  if (of === 0 || !Number.isFinite(of)) return false;
  if (typeof value === 'number' && !Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(of)) return (value as number) % of === 0;
  const [dividend, divisor] = [decimalOf(value), decimalOf(of)];
  const places = Math.max(dividend.places, divisor.places);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(places - number.places);
  return scaled(dividend) % scaled(divisor) === 0n;
}

/** The number `digits / 10 ** places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint' || Number.isInteger(value)) return { digits: BigInt(value), places: 0 };
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}
