import { isRequired } from '../../api/is-required.js';
import { isComposite } from '../../api/nesting.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../schema/schema-index.js';
import type { JsonSchema } from '../openapi/type-schema.js';
import { annotate } from '../openapi/value-notes.js';
import type { InputSchema } from './format.js';

/**
 * The JSON Schema of an input, with its example as default. It has no references and no formats, because runners compile it
 * by itself, and is as deep as the example: an object lists its fields if the example has all of them.
 */
export function inputSchema(schema: GqlSchema, argument: GqlArgument, example: JsonValue): InputSchema {
  const made = { ...valueSchema(schema, argument.type, example) };
  const { constraints, description } = argument;
  if (constraints !== undefined) annotate(made as JsonSchema, { constraints });
  const [summary] = description?.trim().split('\n', 1) ?? [];
  return { ...made, ...(summary ? { description: summary } : {}), default: example };
}

/** An input that travels as text, whatever its type. */
export function textInput({ description }: GqlArgument, text: string): InputSchema {
  const [summary] = description?.trim().split('\n', 1) ?? [];
  return { type: 'string', ...(summary ? { description: summary } : {}), default: text };
}

function valueSchema(schema: GqlSchema, type: TypeRef, example: JsonValue): InputSchema {
  const bare = nullable(type);
  if (bare.kind === 'list') {
    const first = Array.isArray(example) ? (example as readonly JsonValue[])[0] : undefined;
    return first === undefined
      ? { type: 'array' }
      : { type: 'array', items: valueSchema(schema, bare.of, first) };
  }
  const name = baseName(bare);
  if (isComposite(schema, name)) return objectSchema(schema, name, example);
  const found = namedType(schema, name);
  if (found.kind === 'enum') return { type: 'string', enum: [...found.type.values] };
  if (found.kind === 'builtin') return typed(found.wire.jsonSchema.type);
  return found.kind === 'scalar' ? typed(found.wire?.jsonSchema.type) : {};
}

function typed(type: JsonValue | undefined): InputSchema {
  return type === undefined ? {} : { type };
}

function objectSchema(schema: GqlSchema, name: string, example: JsonValue): InputSchema {
  const input = inputTypeOf(schema, name);
  const values = example as Readonly<Record<string, JsonValue>>;
  if (input === undefined || input.fields.some((field) => !Object.hasOwn(values, field.name)))
    return { type: 'object' };
  const required = input.fields.filter(isRequired).map((field) => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      input.fields.map((field) => [
        field.name,
        valueSchema(schema, field.type, values[field.name] as JsonValue),
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}
