import type { GraphQLScalarType, GraphQLSchema } from 'graphql';
import { shownValue } from '../../../base/diagnostics/shown-value.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { createSuggester } from '../../../compiler/graph/suggest.js';
import { nullable, type TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { inputTypeOf, type NamedType, namedType } from '../../../compiler/schema/schema-index.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { badParameter, type ProblemError } from '../problem.js';

export interface CoercionContext {
  readonly schema: GqlSchema;
  /** Whether messages may contain names of the schema: suggestions, and the values of enums. */
  readonly tellsNames: boolean;
  /** The schema that operations run on, which knows the values of custom scalars. */
  readonly executable: Pick<GraphQLSchema, 'getType'>;
}

/**
 * Reads a JSON value as a type, as strictly as the OpenAPI document describes it: with the same table of scalars,
 * without coercing single values to lists, and without unknown members.
 *
 * @throws {ProblemError} If it does not have the type.
 */
export function readJson(
  context: CoercionContext,
  type: TypeRef,
  value: JsonValue,
  parameter: string,
): JsonValue {
  if (value === null) {
    if (type.kind === 'nonNull') throw badParameter(parameter, `“${parameter}” must not be null.`);
    return null;
  }
  const bare = nullable(type);
  if (bare.kind === 'list') {
    if (!Array.isArray(value)) throw mismatch(parameter, 'a list', value);
    return value.map((item: JsonValue, at) => readJson(context, bare.of, item, `${parameter}[${at}]`));
  }
  const input = inputTypeOf(context.schema, bare.name);
  if (input === undefined) return readLeaf(context, bare.name, value, parameter);
  if (!isJsonObject(value)) throw mismatch(parameter, 'an object', value);
  const members = readMembers(context, input.fields, value, parameter);
  if (input.oneOf) requireOne(members, parameter);
  return members;
}

/**
 * Throws a {@link ProblemError} unless exactly one member is given, and not null (GraphQL, September 2025, section
 * 3.10.1).
 */
export function requireOne(members: Readonly<Record<string, JsonValue>>, parameter: string): void {
  const values = Object.values(members);
  if (values.length === 1 && values[0] !== null) return;
  throw badParameter(parameter, `“${parameter}” must have exactly one field, and not null.`);
}

/**
 * Reads the members of an object by their declarations: arguments, or the fields of an input.
 *
 * @param parameter - The path of the object, for problems; undefined for the object of all arguments.
 * @throws {ProblemError} If a member is unknown, missing or of another type.
 */
export function readMembers(
  context: CoercionContext,
  declarations: readonly GqlArgument[],
  value: { readonly [name: string]: JsonValue },
  parameter: string | undefined,
): Record<string, JsonValue> {
  const prefix = parameter === undefined ? '' : `${parameter}.`;
  const pathOfMember = (name: string) => prefix + name;
  const known = new Set(declarations.map(({ name }) => name));
  for (const name of Object.keys(value)) {
    if (!known.has(name)) throw unknownParameter(context, name, known, prefix);
  }
  const read: [string, JsonValue][] = [];
  for (const { name, type, fallback } of declarations) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) read.push([name, readJson(context, type, member, pathOfMember(name))]);
    else requireNothing(pathOfMember(name), type, fallback);
  }
  return Object.fromEntries(read);
}

/** Reads a scalar or an enum from a query string; throws a {@link ProblemError} if the text does not have the type. */
export function readText(context: CoercionContext, type: string, text: string, parameter: string): JsonValue {
  const found = namedType(context.schema, type);
  const wire = wireOf(found);
  if (wire === undefined) return readLeaf(context, type, text, parameter);
  const value = wire.fromText(text);
  if (value === undefined) throw mismatch(parameter, wire.expected, text);
  return found.kind === 'builtin' ? value : readLeaf(context, type, value, parameter);
}

/** Throws a {@link ProblemError} for an omitted argument that is required: non-null and without a default. */
export function requireNothing(parameter: string, type: TypeRef, fallback: JsonValue | undefined): void {
  if (isRequired({ type, fallback })) throw badParameter(parameter, `“${parameter}” is missing.`);
}

/** The problem of an unknown name; the prefix precedes it in a path. */
export function unknownParameter(
  { tellsNames }: CoercionContext,
  name: string,
  known: Iterable<string>,
  prefix = '',
): ProblemError {
  const suggestion = tellsNames ? createSuggester(known).nearest(name) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean “${prefix}${suggestion}”?`;
  return badParameter(prefix + name, `There is no parameter “${prefix}${name}”.${hint}`);
}

function readLeaf(context: CoercionContext, type: string, value: JsonValue, parameter: string): JsonValue {
  const found = namedType(context.schema, type);
  if (found.kind === 'enum') {
    const { values } = found.type;
    if (typeof value === 'string' && values.includes(value)) return value;
    const expected = context.tellsNames ? `one of ${values.join(', ')}` : `a value of ${type}`;
    throw mismatch(parameter, expected, value);
  }
  const wire = wireOf(found);
  const read = wire?.fromJson(value);
  if (wire !== undefined && read === undefined) throw mismatch(parameter, wire.expected, value);
  if (found.kind === 'builtin') return read as JsonValue;
  const reason = refusalOf(context.executable.getType(type) as GraphQLScalarType, value);
  if (reason !== undefined) throw badParameter(parameter, `“${parameter}” is not a ${type}: ${reason}`);
  return value;
}

function wireOf(found: NamedType) {
  return found.kind === 'builtin' || found.kind === 'scalar' ? found.wire : undefined;
}

/** Why a custom scalar does not accept a value; undefined if it does. */
function refusalOf(scalar: GraphQLScalarType, value: JsonValue): string | undefined {
  try {
    return scalar.parseValue(value) === undefined ? 'it has no value' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function mismatch(parameter: string, expected: string, value: JsonValue): ProblemError {
  return badParameter(parameter, `“${parameter}” must be ${expected}, not ${shownValue(value)}.`);
}
