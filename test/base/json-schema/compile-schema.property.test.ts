import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSchema, type JsonSchema } from '../../../src/base/json-schema/compile-schema.js';
import { formatCheck } from '../../../src/base/json-schema/formats.js';
import { compileLimits, isMultiple, type Limits, violation } from '../../../src/base/json-schema/limits.js';
import { createArgumentChecks } from '../../../src/compiler/api/argument-checks.js';
import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import { isStandardValue, type ScalarSchema } from '../../../src/compiler/graph/standard-scalars.js';
import type { Constraints } from '../../../src/compiler/graph/value-notes.js';
import type { GqlArgument, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { checkerOf, type Shape } from '../../../src/federation/shape.js';
import { type ConfigSchema, checkConfig } from '../../../src/runtime/config/check-config.js';
import { checkSchema } from '../../../src/tools/workflows/check-schema.js';
import { runs } from '../../arbitraries/runs.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

/** The verdicts of all users of the checker, by their names. */
function verdicts(schema: JsonSchema, value: unknown): Readonly<Record<string, boolean>> {
  return {
    validator: compileSchema(schema, { formatOf: formatCheck })(value).length === 0,
    'gg-svc test': checkSchema({}, schema, value).length === 0,
    'the project file': checkConfig(schema as ConfigSchema, value).length === 0,
    federation: checkerOf({ description: 'valid', ...schema } as Shape)(value) === undefined,
    'standard scalars': isStandardValue(
      { description: '', example: null, given: '', jsonSchema: schema as ScalarSchema },
      value as JsonValue,
    ),
  };
}

const noTypes = {
  scalars: [{ name: 'Any' }],
  enums: [],
  objects: [],
  unions: [],
  inputs: [],
} as unknown as GqlSchema;

/** The same of users that know the type of a value already: constraints of arguments, examples and defaults. */
function verdictsOfLimits(limits: Limits, value: unknown): Readonly<Record<string, boolean>> {
  const checks = createArgumentChecks(noTypes, formatCheck);
  const type = { kind: 'named', name: 'Any' } as const;
  const argument = { name: 'a', type, constraints: limits as Constraints } as unknown as GqlArgument;
  return {
    'constraints of arguments': (checks([argument])?.({ a: value }) ?? []).length === 0,
    'examples and defaults': violation(compileLimits(limits), value) === undefined,
  };
}

/** Expects the same verdict of all. */
function expectOne(found: Readonly<Record<string, boolean>>, wanted: boolean, what: unknown): void {
  // Most of the time would go into `expect`.
  if (Object.values(found).every((verdict) => verdict === wanted)) return;
  expect([what, found]).toEqual([what, Object.fromEntries(Object.keys(found).map((name) => [name, wanted]))]);
}

const small = fc.integer({ min: -4, max: 12 });
const count = fc.nat({ max: 4 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '😀', 'é'), maxLength: 6 });
const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, -0, 0.5),
  small,
  text,
  // The reference divides for `multipleOf`, which makes 0 of the smallest numbers.
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }).filter((number) => number === 0 || Math.abs(number) > 1e-300),
);
const limits: fc.Arbitrary<Limits> = fc.record(
  {
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.integer({ min: 1, max: 5 }),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom('^a', '\\d', '^.$', '^(?:a|b)*$'),
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
  },
  { requiredKeys: [] },
);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null');

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'isPrototypeOf'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'isPrototypeOf'), { maxLength: 2 });
  const options = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const structure = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      const: value,
      enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
      items: tie('schema'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'isPrototypeOf'), tie('schema'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      required: names,
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      allOf: options,
      anyOf: options,
      oneOf: options,
    },
    { requiredKeys: [] },
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      limits,
      type.map((name) => ({ type: name })),
      fc.tuple(structure, limits).map(([one, other]) => ({ ...one, ...other })),
    ) as fc.Arbitrary<JsonSchema>,
  };
});

describe('all users of the validator', () => {
  test('agree with a reference validator for random schemas and values', () => {
    let valid = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 20 }), (given, values) => {
        const validate = ajv.compile(given);
        for (const one of values) {
          const wanted = validate(one);
          if (wanted) valid++;
          expectOne(verdicts(given, one), wanted, [given, one]);
        }
      }),
      { numRuns: runs(300) },
    );
    expect(valid).toBeGreaterThan(runs(150));
  });

  test('agree about limits, even if the type of a value is known', () => {
    fc.assert(
      fc.property(limits, fc.oneof(small, text, fc.array(fc.constant(null), { maxLength: 5 })), (given, one) => {
        const wanted = ajv.validate(given, one);
        expectOne({ ...verdicts(given, one), ...verdictsOfLimits(given, one) }, wanted, [given, one]);
      }),
      { numRuns: runs(2000) },
    );
  });

  test.each([
    [0.3, 0.1, true],
    [19.9, 0.01, true],
    [-1.1, 0.1, true],
    [0.35, 0.1, false],
    [19.999, 0.01, false],
    [1e-7, 1e-8, true],
    [1e300, 0.1, true],
    [1e300, 7, false],
    [9007199254740991, 2, false],
    [9007199254740992, 2, true],
    [2 ** 60, 1024, true],
    [1.7976931348623157e308, 5e-324, true],
    [7.5, 2.5, true],
    [7.5, 2, false],
    [0, 0.7, true],
  ])('%d is a multiple of %d: %s', (one, multipleOf, wanted) => {
    const given = { multipleOf };
    expectOne({ ...verdicts(given, one), ...verdictsOfLimits(given, one) }, wanted, [one, multipleOf]);
  });

  test('treat any decimal as a multiple of its last digit and of its factors', () => {
    const decimal = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(decimal, fc.integer({ min: 1, max: 999 }), ([digits, places], factor) => {
        const read = (number: number) => Number(`${number}e-${places}`);
        expect(isMultiple(read(digits), read(1))).toBe(true);
        expect(isMultiple(read(digits * factor), read(factor))).toBe(true);
        expect(isMultiple(read(digits), read(factor))).toBe(digits % factor === 0);
      }),
      { numRuns: 5000 },
    );
  });

  test('accept integers of any size, and compare big integers exactly', () => {
    for (const one of [1e300, -1e21, 2 ** 53, 1.0]) expectOne(verdicts({ type: 'integer' }, one), true, one);
    for (const one of [0.5, 1e-9, Infinity]) expectOne(verdicts({ type: 'integer' }, one), false, one);
    const [even, odd] = [12345678901234567890n, 12345678901234567891n];
    expect([isMultiple(even, 10), isMultiple(odd, 10), isMultiple(odd, 0.1)]).toEqual([true, false, true]);
    expectOne(verdictsOfLimits({ multipleOf: 10 }, odd), false, odd);
    expectOne(verdictsOfLimits({ minimum: 12345678901234567000 }, odd), true, odd);
  });

  test('count characters, and check formats if the package of formats is installed', () => {
    expectOne({ ...verdicts({ maxLength: 1 }, '😀'), ...verdictsOfLimits({ maxLength: 1 }, '😀') }, true, '😀');
    expectOne({ ...verdicts({ minLength: 2 }, '😀'), ...verdictsOfLimits({ minLength: 2 }, '😀') }, false, '😀');
    const { validator, 'gg-svc test': test } = verdicts({ format: 'email' }, 'ada');
    const { 'constraints of arguments': constraints } = verdictsOfLimits({ format: 'email' }, 'ada');
    expect([validator, test, constraints]).toEqual([false, false, false]);
  });
});
