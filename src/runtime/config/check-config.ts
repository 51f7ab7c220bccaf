import { shownValue } from '../../base/diagnostics/shown-value.js';
import { compileSchema, type JsonSchema, type SchemaMisfit } from '../../base/json-schema/compile-schema.js';
import { createSuggester } from '../../compiler/graph/suggest.js';

/** The keywords that `gg-svc.config.schema.json` has. */
export interface ConfigSchema extends JsonSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly additionalProperties?: false | ConfigSchema;
  readonly anyOf?: readonly ConfigSchema[];
}

export interface ConfigMistake {
  readonly path: readonly (string | number)[];
  /** The requirement that the value does not meet: `be a string, not 5`; undefined for an unknown key. */
  readonly expected?: string;
  readonly suggestion?: string | undefined;
}

/** Checks a value against the schema of the project file. */
export function checkConfig(schema: ConfigSchema, value: unknown): readonly ConfigMistake[] {
  return compileSchema(schema)(value).map(mistakeOf);
}

function mistakeOf({ path, keyword, schema, value }: SchemaMisfit): ConfigMistake {
  const name = String(path.at(-1));
  if (keyword === 'required') return { path: path.slice(0, -1), expected: `have “${name}”` };
  if (keyword === 'additionalProperties') {
    return { path, suggestion: createSuggester(Object.keys(schema.properties ?? {})).nearest(name) };
  }
  return { path, expected: `be ${describeSchema(schema as ConfigSchema)}, not ${shownValue(value)}` };
}

/** Describes the values that a schema allows: `an integer from 0 to 65535`, `a string or false`. */
function describeSchema(schema: ConfigSchema): string {
  const { anyOf, type, const: only, minimum, maximum, enum: names, items, pattern } = schema;
  if (anyOf !== undefined) return anyOf.map(describeSchema).join(' or ');
  if (only !== undefined) return String(only);
  switch (type) {
    case 'integer':
      return maximum === undefined ? `an integer from ${minimum}` : `an integer from ${minimum} to ${maximum}`;
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
