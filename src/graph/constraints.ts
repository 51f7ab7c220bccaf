import { patternOf } from '../pattern/pattern.js';
import type { JsonValue } from './json-value.js';
import type { Constraints } from './value-notes.js';

/** Says why a value breaks a constraint, as the end of a sentence (`must be at least 1`); undefined if it does not. */
export type Check<Value> = (value: Value) => string | undefined;

/** Finds the check of a format; undefined for a format that only annotates. */
export type FormatLookup = (format: string) => ((text: string) => boolean) | undefined;

/** The checks of a value, by what it is. Each is absent if nothing limits such values. */
export interface ValueChecks {
  readonly number?: Check<number>;
  readonly text?: Check<string>;
  readonly list?: Check<readonly unknown[]>;
}

/**
 * Compiles constraints to checks. The check of a text looks at its length before its pattern, so that `maxLength`
 * bounds what the pattern has to read.
 */
export function compileConstraints(constraints: Constraints, formatOf: FormatLookup): ValueChecks {
  const { minItems, maxItems, minLength, maxLength, pattern, format } = constraints;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = constraints;
  const numbers = [
    limit(
      minimum,
      (value: number, least) => value >= least,
      (least) => `must be at least ${least}`,
    ),
    limit(
      maximum,
      (value: number, most) => value <= most,
      (most) => `must be at most ${most}`,
    ),
    limit(
      exclusiveMinimum,
      (value: number, over) => value > over,
      (over) => `must be greater than ${over}`,
    ),
    limit(
      exclusiveMaximum,
      (value: number, under) => value < under,
      (under) => `must be less than ${under}`,
    ),
    limit(multipleOf, isMultiple, (of) => `must be a multiple of ${of}`),
  ];
  const isFormat = format === undefined ? undefined : formatOf(format);
  const texts = [
    limit(
      minLength,
      (text: string, least) => lengthOf(text) >= least,
      (least) => `must have at least ${counted(least, 'character')}`,
    ),
    limit(
      maxLength,
      (text: string, most) => lengthOf(text) <= most,
      (most) => `must have at most ${counted(most, 'character')}`,
    ),
    limit(
      isFormat,
      (text: string, fits) => fits(text),
      () => `must be a valid ${format}`,
    ),
    limit(
      pattern === undefined ? undefined : patternOf(pattern),
      (text: string, expression) => expression.test(text),
      () => `must match the pattern ${pattern}`,
    ),
  ];
  const lists = [
    limit(
      minItems,
      (list: readonly unknown[], least) => list.length >= least,
      (least) => `must have at least ${counted(least, 'element')}`,
    ),
    limit(
      maxItems,
      (list: readonly unknown[], most) => list.length <= most,
      (most) => `must have at most ${counted(most, 'element')}`,
    ),
  ];
  return { ...named('number', numbers), ...named('text', texts), ...named('list', lists) };
}

/**
 * Why a JSON value breaks constraints; undefined if it does not. The elements of a list are checked after the list, at
 * any depth. Null breaks none.
 */
export function violation(checks: ValueChecks, value: JsonValue): string | undefined {
  if (Array.isArray(value)) return checks.list?.(value) ?? elementViolation(checks, value);
  if (typeof value === 'number') return checks.number?.(value);
  return typeof value === 'string' ? checks.text?.(value) : undefined;
}

function elementViolation(checks: ValueChecks, list: readonly JsonValue[]): string | undefined {
  for (const item of list) {
    const reason = Array.isArray(item) ? elementViolation(checks, item) : violation(checks, item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function limit<Value, Limit>(
  limit: Limit | undefined,
  holds: (value: Value, limit: Limit) => boolean,
  explain: (limit: Limit) => string,
): Check<Value> | undefined {
  if (limit === undefined) return undefined;
  const reason = explain(limit);
  return (value) => (holds(value, limit) ? undefined : reason);
}

function named<Name extends string, Value>(
  name: Name,
  checks: readonly (Check<Value> | undefined)[],
): { readonly [name in Name]?: Check<Value> } {
  const all = checks.filter((check) => check !== undefined);
  if (all.length === 0) return {};
  const check: Check<Value> = (value) => {
    for (const one of all) {
      const reason = one(value);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
  return { [name]: all.length === 1 ? all[0] : check } as { readonly [name in Name]?: Check<Value> };
}

/** A quotient that is whole except for the rounding of binary fractions: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient));
}

/** In Unicode code points (JSON Schema Validation 2020-12, section 6.3.1). */
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

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
