import { compileSchema, type JsonSchema, type SchemaMisfit } from '../base/json-schema/compile-schema.js';

/** The place of a wrong value, and the expected value. */
export interface Misfit {
  /** The path to the place: `.chains[0].chainId`; empty for the value itself. */
  readonly path: string;
  /** The expected value: `a list`, `one of …`. */
  readonly expected: string;
}

declare const valueType: unique symbol;

/** The schema of values of a type; its description is the expected value. */
export type Shape<Value = unknown> = JsonSchema & { readonly description: string; readonly [valueType]?: Value };

/** The type of the values that have a shape. */
export type ValueOf<Of extends Shape> = Of extends Shape<infer Value> ? Value : never;

type Members = Readonly<Record<string, Shape>>;
type ValuesOf<Of extends Members> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** Compiles a shape to a check: undefined if a value has the shape. */
export function checkerOf(shape: Shape): (value: unknown) => Misfit | undefined {
  const check = compileSchema(shape, { most: 1 });
  return (value) => {
    const [misfit] = check(value);
    return misfit && { path: misfit.path.map(printStep).join(''), expected: expectedBy(misfit) };
  };
}

function printStep(step: string | number): string {
  return typeof step === 'number' ? `[${step}]` : `.${step}`;
}

function expectedBy({ keyword, schema, value }: SchemaMisfit): string {
  if (keyword === 'required') return 'present';
  if (keyword === 'additionalProperties') return 'absent: it is not a known member';
  const { description = '', minItems, maxItems } = schema;
  return Array.isArray(value) && keyword === 'limits'
    ? `${description} of ${minItems} to ${maxItems} items`
    : description;
}

/** An object with these members and no others, in any order. */
export function object<Required extends Members, Optional extends Members = Record<never, Shape>>(
  members: Required,
  optional?: Optional,
): Shape<ValuesOf<Required> & Partial<ValuesOf<Optional>>> {
  return {
    description: 'an object',
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  };
}

/** A list of at least `least` and at most `most` items. */
export function list<Item>(items: Shape<Item>, least: number, most: number): Shape<readonly Item[]> {
  return { description: 'a list', type: 'array', items, minItems: least, maxItems: most };
}

/** A string of at most 2048 characters that matches an expression of our own. */
export function text(expression: RegExp, expected: string): Shape<string> {
  return { ...textWhere((value) => expression.test(value), expected), maxLength: 2048 };
}

export function textWhere(accepts: (text: string) => boolean, expected: string): Shape<string> {
  return { description: expected, type: 'string', accepts };
}

/** An integer in a range. */
export function integer(minimum: number, maximum: number): Shape<number> {
  return { description: `an integer from ${minimum} to ${maximum}`, type: 'integer', minimum, maximum };
}

export function oneOf<const Text extends string>(...texts: readonly Text[]): Shape<Text> {
  return { description: texts.map((one) => JSON.stringify(one)).join(' or '), enum: texts };
}
