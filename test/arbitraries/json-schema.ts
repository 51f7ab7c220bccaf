import fc from 'fast-check';

/** A JSON Schema of an OpenAPI document, in the keywords that this project writes. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/**
 * Values of a schema. They fit it nearly always; a test asks a validator before it relies on one. A value of a
 * pattern or a format is one of the examples, and so is a value of a schema without a type.
 *
 * @param resolve finds the schema of a reference
 */
export function valuesOf(
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (other: JsonSchema) => valuesOf(other, resolve, depth + 1);
  const { $ref, oneOf, anyOf, allOf, properties = {}, required = [] } = schema;
  if ($ref !== undefined) return inner(resolve($ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choice = oneOf ?? anyOf;
  if (choice !== undefined) {
    // Inputs may contain themselves: deep down only null is chosen, where it is allowed.
    const ends = depth > 6 ? choice.filter(({ type }) => type === 'null') : [];
    return fc.oneof(...(ends.length > 0 ? ends : choice).map(inner));
  }
  if (allOf !== undefined) return fc.tuple(...allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const given = schema.examples ?? (schema.example === undefined ? [] : [schema.example]);
  const isText = types.includes('string');
  if (types.length === 0 || (isText && (schema.pattern ?? schema.format) !== undefined)) {
    return fc.constantFrom(...(given.length > 0 ? given : ['text']));
  }
  const forms: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    null: () => fc.constant(null),
    boolean: () => fc.boolean(),
    integer: () => fc.integer({ min: lowest(schema, -(2 ** 31)), max: highest(schema, 2 ** 31 - 1) }),
    number: () => fc.integer({ min: lowest(schema, -1000), max: highest(schema, 1000) }),
    string: () => fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? 12 }),
    array: () =>
      fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      }),
    object: () => {
      const members = Object.entries(properties).filter(([name]) => depth < 6 || required.includes(name));
      const record = Object.fromEntries(members.map(([name, member]) => [name, inner(member)]));
      if (schema.maxProperties === 1) {
        return fc.oneof(...Object.entries(record).map(([name, value]) => fc.record({ [name]: value })));
      }
      return fc.record(record, { requiredKeys: [...required] });
    },
  };
  return fc.oneof(...types.map((type) => (forms[type] as () => fc.Arbitrary<unknown>)()));
}

function lowest({ minimum, exclusiveMinimum }: JsonSchema, otherwise: number): number {
  return Math.ceil(minimum ?? (exclusiveMinimum === undefined ? otherwise : exclusiveMinimum + 1));
}

function highest({ maximum, exclusiveMaximum }: JsonSchema, otherwise: number): number {
  return Math.floor(maximum ?? (exclusiveMaximum === undefined ? otherwise : exclusiveMaximum - 1));
}
