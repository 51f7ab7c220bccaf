import type { OpenAPIV3_1 } from 'openapi-types';
import { withReason } from '../../api/access.js';
import { exampleArgument } from '../../api/examples.js';
import { isRequired } from '../../api/is-required.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, nonNull, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import { leafText, queryParameterStyle } from '../../schema/wire.js';
import {
  type Annotations,
  annotate,
  componentRef,
  inInputs,
  type JsonSchema,
  type pageLimits,
  setDescription,
  typeSchema,
} from './type-schema.js';

/** A parameter of OpenAPI 3.1; openapi-types gives it the schemas of 3.0. */
export interface Parameter extends Omit<OpenAPIV3_1.ParameterObject, 'schema' | 'content'> {
  schema?: JsonSchema;
  content?: Record<string, OpenAPIV3_1.MediaTypeObject>;
  /** The name of the argument, if the parameter has another one. */
  'x-argument'?: string;
}

/** `?fields=`, which narrows a response or events; a component, because nearly every operation refers to it. */
export function fieldsParameter(description: string): Parameter {
  const schema: JsonSchema = { type: 'array', items: { type: 'string' } };
  return { name: 'fields', in: 'query', description, style: 'form', explode: false, schema };
}

export function parameterRef(name: string): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

/** The header with the idempotency key of a mutation, as components; a key is optional if the server takes it of all. */
export function idempotencyKeyParameters({ mutations }: GqlSchema, takesKeys: boolean): Record<string, Parameter> {
  const isRequiredKey = ({ idempotent }: GqlOperation) => idempotent !== undefined;
  const made: Record<string, Parameter> = {};
  if (takesKeys && !mutations.every(isRequiredKey)) made[optionalKey] = idempotencyKey(false);
  if (mutations.some(isRequiredKey)) made[requiredKey] = idempotencyKey(true);
  return made;
}

/** The reference to one of `idempotencyKeyParameters`; empty for an operation that takes no key. */
export function idempotencyKeyRefs(
  { kind, idempotent }: GqlOperation,
  takesKeys: boolean,
): readonly OpenAPIV3_1.ReferenceObject[] {
  if (kind !== 'mutation' || (idempotent === undefined && !takesKeys)) return [];
  return [parameterRef(idempotent === undefined ? optionalKey : requiredKey)];
}

const optionalKey = 'IdempotencyKey';
const requiredKey = 'RequiredIdempotencyKey';

export function idempotencyKey(isRequired: boolean): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A new key for each change, such as a UUID. A request that is sent again with its key does not run again, and gets the first answer.',
    ...(isRequired ? { required: true } : {}),
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  };
}

/**
 * An argument in the path of a route, percent-encoded. It is always there, whatever its default.
 *
 * @param name - Its name in the path that the document has for the route.
 */
export function pathParameter(schema: GqlSchema, argument: GqlArgument, name = argument.name): Parameter {
  const { type, constraints } = argument;
  const parameter: Parameter = { name, in: 'path' };
  if (name !== argument.name) parameter['x-argument'] = argument.name;
  setDescription(parameter, argument.description);
  parameter.required = true;
  const text = textSchema(schema, type);
  if (constraints !== undefined) annotate(text, { constraints });
  // A route does not match a path with an empty segment.
  if (isPlainText(text)) Object.assign(text, { minLength: 1, ...text });
  parameter.schema = text;
  parameter.example = textValue(schema, type, exampleArgument(schema, argument));
  return parameter;
}

/**
 * An argument as a parameter of the query string, in the style that the server reads.
 *
 * @param ofPages - The limits of `first` and `last`, if the result has pages.
 */
export function queryParameter(
  schema: GqlSchema,
  argument: GqlArgument,
  ofPages?: ReturnType<typeof pageLimits>,
): Parameter {
  const { name, type, fallback } = argument;
  const parameter: Parameter = { name, in: 'query' };
  setDescription(parameter, withReason(argument.description, argument.deprecated));
  if (isRequired(argument)) parameter.required = true;
  if (argument.deprecated !== undefined) parameter.deprecated = true;
  const { constraints } = argument;
  const notes = constraints === undefined ? {} : { constraints };
  const example = exampleArgument(schema, argument);
  const style = queryParameterStyle(schema, type);
  if (style === 'json') {
    const json = typeSchema(schema, argument.notNull ? nonNull(type) : type, inInputs);
    annotate(json, notes);
    if (fallback !== undefined) json.default = fallback;
    parameter.content = { 'application/json': { schema: json, example } };
    return parameter;
  }
  const text = textSchema(schema, type);
  annotate(text, notes);
  if (name === 'first' || name === 'last') Object.assign(text, ofPages);
  if (fallback !== undefined && isWritable(fallback)) text.default = textValue(schema, type, fallback);
  // Everything else travels in the default style, `form` with `explode`.
  if (style === 'deepObject') {
    parameter.style = 'deepObject';
    parameter.explode = true;
  }
  if (style === 'repeated') {
    const empty = `An empty list is sent as \`${name}=\`.`;
    parameter.description = [parameter.description, empty].filter(Boolean).join('\n\n');
    parameter.allowEmptyValue = true;
  }
  parameter.schema = text;
  parameter.example = textValue(schema, type, example);
  return parameter;
}

/** An argument in a header, which may have a name of its own. */
export function headerParameter(schema: GqlSchema, argument: GqlArgument): Parameter {
  const { header = '', name } = argument;
  const parameter: Parameter = { ...queryParameter(schema, argument), name: header, in: 'header' };
  return name === header ? parameter : { ...parameter, 'x-argument': name };
}

/** The schema of a value in a query string: never null, and a string for a scalar that only the server knows. */
export function textSchema(schema: GqlSchema, type: TypeRef): JsonSchema & Annotations {
  const bare = nullable(type);
  if (bare.kind === 'list') return { type: 'array', items: textSchema(schema, bare.of) };
  return isText(schema, bare.name)
    ? { type: 'string', allOf: [componentRef(bare.name)] }
    : typeSchema(schema, nonNull(bare));
}

function isPlainText(schema: JsonSchema): boolean {
  return 'type' in schema && schema.type === 'string' && schema.enum === undefined;
}

/** Whether a query string can express a default: it has no null. */
function isWritable(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.includes(null));
}

/** A value as `textSchema` describes it. */
function textValue(schema: GqlSchema, type: TypeRef, value: JsonValue): JsonValue {
  const given = Array.isArray(value) ? value.filter((item) => item !== null) : value;
  if (!isText(schema, baseName(type))) return given;
  return Array.isArray(given) ? given.map(leafText) : leafText(given);
}

/** Whether a value is text whatever its type is elsewhere: a scalar that only the server knows. */
function isText(schema: GqlSchema, name: string): boolean {
  const found = namedType(schema, name);
  return found.kind === 'scalar' && found.wire === undefined;
}
