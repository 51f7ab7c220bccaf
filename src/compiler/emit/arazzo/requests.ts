import type { ChainStep } from '../../api/chains/chains.js';
import { exampleArgument } from '../../api/examples.js';
import { placeArguments, restRoute } from '../../api/rest-routes.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../schema/schema-index.js';
import { leafText, queryParameterStyle } from '../../schema/wire.js';
import type { ArazzoParameter, ArazzoStep, InputSchema } from './format.js';
import { inputSchema, textInput } from './input-schema.js';

/** The request of a step, and where the values of its fields come from. */
export interface StepRequest extends Pick<ArazzoStep, 'parameters' | 'requestBody'> {
  /** The expressions of the wanted fields, by name. */
  readonly found: ReadonlyMap<string, string>;
}

/** Adds an input of the workflow and returns its expression, such as `$inputs.name`. */
export type AddInput = (name: string, schema: InputSchema) => string;

/**
 * The request of a step. Ids that earlier steps give are expressions already; everything else becomes an input, with its
 * example as default. An input object without such ids is one input.
 *
 * @param isId - Whether a value is the expression of an id.
 * @param wanted - Fields that have inputs of their own, because an event is filtered by them.
 */
export function requestOf(
  schema: GqlSchema,
  { operation, call }: Pick<ChainStep, 'operation' | 'call'>,
  addInput: AddInput,
  isId: (value: JsonValue) => boolean,
  wanted: ReadonlySet<string>,
): StepRequest {
  const { path, query, body } = placeArguments(restRoute(operation));
  const { values } = call;
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
      const { type } = argument;
      const bare = nullable(type);
      const item = { ...argument, type: bare.kind === 'list' ? bare.of : type };
      return value.map((inner, index) => fill(item, inner, value.length === 1 ? at : `${at}_${index + 1}`));
    }
    const fields = inputTypeOf(schema, baseName(argument.type))?.fields ?? [];
    const members = value as Readonly<Record<string, JsonValue>>;
    return Object.fromEntries(
      fields.flatMap((field) => {
        const inner = members[field.name];
        if (inner === undefined) return [];
        return [[field.name, note(field.name, fill(field, inner, `${at}_${field.name}`))]];
      }),
    );
  };
  const pathParameter = (argument: GqlArgument): ArazzoParameter => {
    const { name } = argument;
    const value = values[name] as JsonValue;
    const expression = isId(value) ? value : addInput(name, plainInput(schema, argument, value));
    return { name, in: 'path', value: note(name, expression) };
  };
  const queryParameters = (argument: GqlArgument): ArazzoParameter[] => {
    const { name, type } = argument;
    const value = values[name] as JsonValue;
    const of = (key: string, given: JsonValue): ArazzoParameter => ({ name: key, in: 'query', value: given });
    switch (queryParameterStyle(schema, type)) {
      case 'text':
        return [
          of(name, note(name, isId(value) ? value : addInput(name, plainInput(schema, argument, value)))),
        ];
      case 'repeated':
        return [of(name, hasParts(value) ? value : addInput(name, inputSchema(schema, argument, value)))];
      case 'deepObject':
        // Runners send a value as it is, so that each field has a parameter.
        return (inputTypeOf(schema, baseName(type))?.fields ?? []).flatMap((field) => {
          const inner = (value as Readonly<Record<string, JsonValue>>)[field.name];
          if (inner === undefined) return [];
          const given = isId(inner)
            ? inner
            : addInput(`${name}_${field.name}`, plainInput(schema, field, inner));
          return [of(`${name}[${field.name}]`, given)];
        });
      case 'json':
        // An id cannot stand inside the text: runners do not find expressions in it.
        return [
          of(name, addInput(name, textInput(argument, JSON.stringify(exampleArgument(schema, argument))))),
        ];
    }
  };

  const parameters = [...path.map(pathParameter), ...query.filter(isSent).flatMap(queryParameters)];
  const payload = (body ?? [])
    .filter(isSent)
    .map((argument) => [
      argument.name,
      note(argument.name, fill(argument, values[argument.name] as JsonValue, argument.name)),
    ]);
  return {
    found,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(payload.length === 0
      ? {}
      : { requestBody: { contentType: 'application/json', payload: Object.fromEntries(payload) } }),
  };
}

/** A value of a path or a query string: text, if only the server knows its scalar. */
function plainInput(schema: GqlSchema, argument: GqlArgument, value: JsonValue): InputSchema {
  const found = namedType(schema, baseName(argument.type));
  return found.kind === 'scalar' && found.wire === undefined
    ? textInput(argument, leafText(value))
    : inputSchema(schema, argument, value);
}
