import { createSuggester } from '../graph/suggest.js';
import { patternOf } from '../pattern/pattern.js';
import type { ConfigSchema } from './config-schema.js';

/** A mistake in a project file. */
export type ConfigMistake = {
  /** The keys and positions that lead to it. */
  readonly path: readonly (string | number)[];
} & (
  | { readonly kind: 'unknown'; readonly suggestion: string | undefined }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'wrong'; readonly expected: string; readonly value: unknown }
);

type Path = ConfigMistake['path'];

/** Checks a value against the schema of the project file. A member that is undefined is absent. */
export function checkConfig(schema: ConfigSchema, value: unknown, path: Path = []): readonly ConfigMistake[] {
  const { anyOf } = schema;
  if (anyOf !== undefined) {
    const fitting = anyOf.find((option) => isOfKind(option, value));
    return fitting === undefined ? [wrong(schema, value, path)] : checkConfig(fitting, value, path);
  }
  if (!isOfKind(schema, value) || !isInRange(schema, value)) return [wrong(schema, value, path)];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, at) => checkConfig(items, item, [...path, at]));
  }
  return schema.type === 'object' ? checkMembers(schema, value as object, path) : [];
}

function checkMembers(schema: ConfigSchema, value: object, path: Path): readonly ConfigMistake[] {
  const { properties = {}, additionalProperties = false, required = [] } = schema;
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const names = new Set(given.map(([name]) => name));
  const missing = required.filter((name) => !names.has(name));
  return [
    ...missing.map((name): ConfigMistake => ({ kind: 'missing', path, name })),
    ...given.flatMap(([name, member]): readonly ConfigMistake[] => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (inner !== undefined && inner !== false) return checkConfig(inner, member, [...path, name]);
      const suggestion = createSuggester(Object.keys(properties)).nearest(name);
      return [{ kind: 'unknown', path: [...path, name], suggestion }];
    }),
  ];
}

function isOfKind(schema: ConfigSchema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  switch (schema.type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === schema.type;
  }
}

function isInRange(schema: ConfigSchema, value: unknown): boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, minItems = 0, pattern } = schema;
  if (typeof value === 'number') return value >= minimum && value <= maximum;
  if (Array.isArray(value)) return value.length >= minItems;
  if (typeof value !== 'string') return true;
  if (pattern !== undefined && !patternOf(pattern).test(value)) return false;
  return value.length >= minLength && schema.enum?.includes(value) !== false;
}

function wrong(schema: ConfigSchema, value: unknown, path: Path): ConfigMistake {
  return { kind: 'wrong', path, expected: describe(schema), value };
}

/** What a schema expects: `an integer from 0 to 65535`, `a string or false`. */
function describe(schema: ConfigSchema): string {
  const { anyOf, type, const: only, minimum, maximum, enum: names, items, pattern } = schema;
  if (anyOf !== undefined) return anyOf.map(describe).join(' or ');
  if (only !== undefined) return String(only);
  switch (type) {
    case 'integer':
      return maximum === undefined
        ? `an integer from ${minimum}`
        : `an integer from ${minimum} to ${maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return items?.type === 'string' ? 'a list of strings' : 'a list of objects';
    case 'object':
      return 'an object';
    default:
      if (pattern !== undefined) return 'a URL such as https://api.example.com';
      return names === undefined ? 'a string' : `one of ${names.join(', ')}`;
  }
}
