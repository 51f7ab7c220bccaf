import { defined } from '../../../base/values/defined.js';
import type { ChainStep } from '../../api/chains/chains.js';
import { isSingleId } from '../../api/chains/id-links.js';
import { exampleArgument } from '../../api/examples.js';
import { isRequired } from '../../api/is-required.js';
import { conditionalHeader } from '../../api/request-headers.js';
import { hasContent, placeArguments, restRoute } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import type { JsonObject, JsonValue } from '../../graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, isComposite, namedType, objectFields } from '../../schema/schema-index.js';
import { leafText, queryParameterStyle } from '../../schema/wire.js';
import { annotate, componentRef, type JsonSchema } from '../openapi/type-schema.js';
import type { ArazzoEvent, ArazzoParameter, InputSchema } from './format.js';

/** Adds an input of the workflow and returns its expression, such as `$inputs.name`. */
export type AddInput = (name: string, schema: InputSchema) => string;

/**
 * The request of a step, and the expressions of the wanted fields by name. Ids that earlier steps give are expressions already; everything else becomes an input, with its
 * example as default. An input object without such ids is one input.
 *
 * @param isId - Whether a value is the expression of an id.
 * @param wanted - Fields that have inputs of their own, because an event is filtered by them.
 */
export function requestOf(
  schema: GqlSchema,
  { operation, call: { values } }: Pick<ChainStep, 'operation' | 'call'>,
  addInput: AddInput,
  isId: (value: JsonValue) => boolean,
  wanted: ReadonlySet<string>,
) {
  const { path, query, header, body = [] } = placeArguments(restRoute(operation));
  const isSent = ({ name }: GqlArgument) => Object.hasOwn(values, name);
  const found = new Map<string, string>();
  const note = (name: string, expression: JsonValue): JsonValue => {
    if (wanted.has(name) && typeof expression === 'string') found.set(name, expression);
    return expression;
  };

  const hasParts = (value: JsonValue): boolean => {
    if (Array.isArray(value)) return value.some(hasParts);
    if (typeof value !== 'object' || value === null) return isId(value);
    return Object.entries(value).some(([name, inner]) => wanted.has(name) || hasParts(inner));
  };
  /** A value of the body: an input, or a structure of inputs and ids. */
  const fill = (argument: GqlArgument, value: JsonValue, at: string): JsonValue => {
    if (isId(value)) return value;
    if (!hasParts(value)) return addInput(at, inputSchema(schema, argument, value));
    if (Array.isArray(value)) {
      const bare = nullable(argument.type);
      const item = bare.kind === 'list' ? { ...argument, type: bare.of } : argument;
      return value.map((inner, index) => fill(item, inner, value.length === 1 ? at : `${at}_${index + 1}`));
    }
    return Object.fromEntries(
      fieldsIn(argument.type, value).map(([field, inner]) => [
        field.name,
        note(field.name, fill(field, inner, `${at}_${field.name}`)),
      ]),
    );
  };
  /** The fields of an input that an object has, with their values. */
  const fieldsIn = (type: TypeRef, value: JsonValue): (readonly [GqlArgument, JsonValue])[] => {
    const members = value as JsonObject;
    return (inputTypeOf(schema, baseName(type))?.fields ?? []).flatMap((field) => {
      const inner = members[field.name];
      return inner === undefined ? [] : [[field, inner] as const];
    });
  };
  /** A value of a path or a query string: text, if only the server knows its scalar. */
  const plain = (argument: GqlArgument, value: JsonValue, at: string): JsonValue => {
    if (isId(value)) return value;
    const type = namedType(schema, baseName(argument.type));
    const isText = type.kind === 'scalar' && type.wire === undefined;
    return addInput(at, isText ? textInput(argument, leafText(value)) : inputSchema(schema, argument, value));
  };
  const queryPairs = (argument: GqlArgument): [name: string, value: JsonValue][] => {
    const { name, type } = argument;
    const value = values[name] as JsonValue;
    switch (queryParameterStyle(schema, type)) {
      case 'text':
        return [[name, note(name, plain(argument, value, name))]];
      case 'repeated':
        return [[name, hasParts(value) ? value : addInput(name, inputSchema(schema, argument, value))]];
      case 'deepObject':
        // Runners send a value as it is, so that each field has a parameter.
        return fieldsIn(type, value).map(([field, inner]) => [
          `${name}[${field.name}]`,
          plain(field, inner, `${name}_${field.name}`),
        ]);
      case 'json':
        // An id cannot stand inside the text: runners do not find expressions in it.
        return [[name, addInput(name, textInput(argument, JSON.stringify(exampleArgument(schema, argument))))]];
    }
  };

  const parameters: ArazzoParameter[] = [];
  for (const argument of path) {
    const { name } = argument;
    const value = note(name, plain(argument, values[name] as JsonValue, name));
    parameters.push({ name, in: 'path', value });
  }
  for (const [name, value] of query.filter(isSent).flatMap(queryPairs)) parameters.push({ name, in: 'query', value });
  for (const argument of header.filter(isSent)) {
    const { name } = argument;
    const value = note(name, plain(argument, values[name] as JsonValue, name));
    parameters.push({ name: argument.header ?? name, in: 'header', value });
  }
  if (operation.etag === 'required') {
    const condition = conditionalHeader(operation);
    parameters.push({ name: condition.name, in: 'header', value: exampleArgument(schema, condition) });
  }
  const payload = body.filter(isSent).map((argument) => {
    const { name } = argument;
    return [name, note(name, fill(argument, values[name] as JsonValue, name))];
  });
  const requestBody = { contentType: 'application/json', payload: Object.fromEntries(payload) } as const;
  return { found, parameters, requestBody: payload.length === 0 ? undefined : requestBody };
}

/**
 * The JSON Schema of an input, with its example as default. It has no references and no formats, because runners compile it
 * by itself, and is as deep as the example: an object lists its fields if the example has all objects among them.
 */
function inputSchema(schema: GqlSchema, argument: GqlArgument, example: JsonValue): InputSchema {
  const made = valueSchema(schema, argument.type, example);
  const { constraints } = argument;
  if (constraints !== undefined) annotate(made as JsonSchema, { constraints });
  return { ...made, ...summaryOf(argument), default: example };
}

/** An input that travels as text, whatever its type. */
function textInput(argument: GqlArgument, text: string): InputSchema {
  return { type: 'string', ...summaryOf(argument), default: text };
}

function summaryOf({ description }: GqlArgument): Pick<InputSchema, 'description'> {
  const [summary] = description?.trim().split('\n', 1) ?? [];
  return summary ? { description: summary } : {};
}

function valueSchema(schema: GqlSchema, type: TypeRef, example: JsonValue | undefined): InputSchema {
  const bare = nullable(type);
  if (bare.kind === 'list') {
    const first = Array.isArray(example) ? (example as readonly JsonValue[])[0] : undefined;
    return { type: 'array', ...(first !== undefined && { items: valueSchema(schema, bare.of, first) }) };
  }
  if (isComposite(schema, bare.name)) return objectSchema(schema, bare.name, example);
  const found = namedType(schema, bare.name);
  if (found.kind === 'enum') return { type: 'string', enum: [...found.type.values] };
  const wire = found.kind === 'builtin' || found.kind === 'scalar' ? found.wire : undefined;
  return wire?.jsonSchema.type === undefined ? {} : { type: wire.jsonSchema.type };
}

function objectSchema(schema: GqlSchema, name: string, example: JsonValue | undefined): InputSchema {
  const fields = inputTypeOf(schema, name)?.fields;
  const values = (example ?? {}) as JsonObject;
  const isLeftOut = ({ name, type }: GqlArgument) =>
    !Object.hasOwn(values, name) && isComposite(schema, baseName(type));
  if (fields === undefined || fields.some(isLeftOut)) return { type: 'object' };
  const properties = fields.map((field) => [field.name, valueSchema(schema, field.type, values[field.name])] as const);
  const required = fields.filter(isRequired).map((field) => field.name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/**
 * The receipt of an event of a mutation: filtered by the values that the request has, and about the same ids as its
 * response. Undefined if the subscription requires a filter that the request does not have.
 *
 * @param sent - The expressions of the fields of the request that have the names of filters.
 */
export function eventOf(
  schema: GqlSchema,
  mutation: GqlOperation,
  subscription: GqlOperation,
  sent: ReadonlyMap<string, string>,
  headers: readonly ArazzoParameter[],
): ArazzoEvent | undefined {
  const parameters = [...headers];
  for (const { name, type, fallback } of subscription.arguments) {
    const value = queryParameterStyle(schema, type) === 'text' ? sent.get(name) : undefined;
    if (value !== undefined) parameters.push({ name, in: 'query', value });
    else if (type.kind === 'nonNull' || fallback !== undefined) return undefined;
  }
  const isOne = hasContent(mutation) && nullable(mutation.type).kind !== 'list';
  const answered = isOne ? idFields(schema, baseName(mutation.type)) : [];
  const event = baseName(subscription.type);
  const both = idFields(schema, event).filter((name) => answered.includes(name));
  const matches = Object.fromEntries(both.map((name) => [name, `$response.body#/${name}`]));
  return defined({
    subscription: subscription.name,
    path: restRoute(subscription).path,
    parameters: parameters.length === 0 ? undefined : parameters,
    schema: { $ref: `./openapi.json${componentRef(event).$ref}` },
    matches: both.length === 0 ? undefined : matches,
  });
}

/** The fields of an object type whose values are ids, as far as answers have them. */
function idFields(schema: GqlSchema, name: string): readonly string[] {
  const selection = defaultSelection(schema, { kind: 'named', name });
  const selected = new Set(selection?.fields.map((field) => field.name));
  const ids = objectFields(schema, name).filter((field) => selected.has(field.name) && isSingleId(field.type));
  return ids.map((field) => field.name);
}
