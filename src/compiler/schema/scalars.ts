import { builtinScalars, type ScalarWire } from '../graph/builtin-scalars.js';
import type { JsonValue } from '../graph/json-value.js';
import { remember } from '../graph/maps.js';
import {
  isStandardValue,
  isStructured,
  type StandardScalar,
  standardScalars,
} from '../graph/standard-scalars.js';

/** The form of a standard scalar, by its name. */
export function standardWire(name: string): ScalarWire | undefined {
  const scalar = standardScalars.get(name);
  return scalar && remember(standardWires, name, () => wireOf(name, scalar));
}

const standardWires = new Map<string, ScalarWire>();

function wireOf(name: string, scalar: StandardScalar): ScalarWire {
  const { jsonSchema, example } = scalar;
  const isNumber = jsonSchema.type === 'integer' || jsonSchema.type === 'number';
  const fromJson = (value: JsonValue) => (isStandardValue(scalar, value) ? value : undefined);
  return {
    jsonSchema,
    example,
    fromJson,
    fromText(text) {
      // Values with a structure are JSON text, which is parsed before.
      if (isStructured(scalar)) return undefined;
      const value = isNumber ? builtinScalars.get('Float')?.fromText(text) : text;
      return value === undefined ? undefined : fromJson(value);
    },
    expected: `a value of ${name}, such as ${JSON.stringify(example)}`,
  };
}
