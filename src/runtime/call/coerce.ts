import type { GraphQLScalarType, GraphQLSchema } from 'graphql';
import { shownValue } from '../../base/diagnostics/shown-value.js';
import { isTextOnly } from '../../base/json-schema/limits.js';
import { fragmentOf, pointerStep } from '../../base/source/json-pointer.js';
import { isRequired } from '../../compiler/api/is-required.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import { nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { inputTypeOf, type NamedType, namedType } from '../../compiler/schema/schema-index.js';
import { isJsonObject } from '../limits/parse-json.js';
import { UploadedFile } from '../uploads/uploaded-file.js';
import { badParameter, type Mistake, maxMistakes, ProblemError } from './problem.js';

export interface CoercionContext {
  readonly schema: GqlSchema;
  /** Whether messages may contain names of the schema: suggestions, and the values of enums. */
  readonly tellsNames: boolean;
  /** The schema that operations run on, which knows the values of custom scalars. */
  readonly executable: Pick<GraphQLSchema, 'getType'>;
  /** The constraints that arguments break: the call will not be made, so that its steps cannot check them. */
  readonly mistakesIn?: (args: Readonly<Record<string, unknown>>) => readonly Mistake[];
  /** Makes the document of the fields in `?fields=`, which refuses wrong ones with all mistakes. */
  readonly documentFor?: (fields: readonly string[]) => unknown;
  /** Whether a value may stand for the list of it alone, as in GraphQL. */
  readonly takesItems?: boolean;
  /** Collects mistakes. Without it, the first one is thrown. */
  readonly mistakes?: Mistake[];
}

/**
 * Reads arguments. If there is a mistake, reads them again to collect all, so that valid calls collect nothing.
 *
 * @param argsOf - Gives the arguments of what was read.
 * @throws {ProblemError} The problem of the first mistake, with all of them as `errors`.
 */
export function readAll<Read>(
  context: CoercionContext,
  read: (context: CoercionContext) => Read,
  argsOf: (read: Read) => Readonly<Record<string, unknown>>,
): Read {
  try {
    return read(context);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.members?.parameter === undefined) throw error;
    const mistakes: Mistake[] = [];
    try {
      const args = argsOf(read({ ...context, mistakes }));
      addMistakes(mistakes, context.mistakesIn?.(args) ?? []);
    } catch (other) {
      // A part that cannot be decoded, or the last mistake that an answer has: what was found before it is told.
      if (!(other instanceof ProblemError)) throw other;
    }
    const { problem } = error;
    throw new ProblemError({ ...problem, members: { ...problem.members, errors: mistakes } });
  }
}

/**
 * Refuses wrong names in `?fields=`.
 *
 * @throws {ProblemError} With all mistakes in them, unless mistakes are collected.
 */
export function checkFields({ documentFor, mistakes }: CoercionContext, fields: readonly string[]): void {
  try {
    documentFor?.(fields);
  } catch (error) {
    if (!(error instanceof ProblemError) || mistakes === undefined) throw error;
    addMistakes(mistakes, error.problem.members?.errors as readonly Mistake[]);
  }
}

function addMistakes(mistakes: Mistake[], further: readonly Mistake[]): void {
  const told = new Set(mistakes.map(({ pointer }) => pointer));
  const fresh = further.filter(({ pointer }) => !told.has(pointer));
  mistakes.push(...fresh.slice(0, maxMistakes - mistakes.length));
}

/**
 * Refuses a value.
 *
 * @throws {ProblemError} Unless mistakes are collected, or if there are enough of them.
 */
export function refuse(
  { mistakes }: CoercionContext,
  parameter: string,
  detail: string,
  code: Mistake['code'] = 'INVALID_ARGUMENT',
  pointer = fragmentOf(parameter),
): null {
  // A value is told once, whatever else is wrong with it.
  if (mistakes?.at(-1)?.pointer !== pointer) mistakes?.push({ pointer, detail, code });
  if (mistakes === undefined || mistakes.length >= maxMistakes) throw badParameter(parameter, detail);
  return null;
}

/**
 * Reads a JSON value as a type, as strictly as the OpenAPI document describes it: with the same table of scalars,
 * without coercing single values to lists, and without unknown members.
 *
 * @throws {ProblemError} If it does not have the type.
 */
export function readJson(
  context: CoercionContext,
  { type, constraints }: Pick<GqlArgument, 'type' | 'constraints'>,
  value: JsonValue,
  parameter: string,
): JsonValue {
  if (value === null) {
    if (type.kind === 'nonNull') refuse(context, parameter, `“${parameter}” must not be null.`);
    return null;
  }
  const bare = nullable(type);
  if (bare.kind === 'list') {
    const item = { type: bare.of, ...(constraints && { constraints }) };
    if (!Array.isArray(value))
      return context.takesItems === true
        ? [readJson(context, item, value, parameter)]
        : mismatch(context, parameter, 'a list', value);
    return value.map((one: JsonValue, at) => readJson(context, item, one, `${parameter}[${at}]`));
  }
  if (bare.name === 'ID' && typeof value === 'number' && constraints !== undefined && isTextOnly(constraints))
    return mismatch(context, parameter, 'a string', value);
  const input = inputTypeOf(context.schema, bare.name);
  if (input === undefined) return readLeaf(context, bare.name, value, parameter);
  if (!isJsonObject(value)) return mismatch(context, parameter, 'an object', value);
  const members = readMembers(context, input.fields, value, parameter);
  if (input.oneOf) requireOne(context, value, parameter);
  return members;
}

/** Refuses an object unless exactly one member is given, and not null (GraphQL, September 2025, section 3.10.1). */
export function requireOne(
  context: CoercionContext,
  members: Readonly<Record<string, unknown>>,
  parameter: string,
): void {
  const values = Object.values(members);
  if (values.length === 1 && values[0] !== null) return;
  refuse(context, parameter, `“${parameter}” must have exactly one field, and not null.`);
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
    if (!known.has(name)) refuseUnknown(context, name, known, parameter);
  }
  const read: [string, JsonValue][] = [];
  for (const declaration of declarations) {
    const { name, type, fallback } = declaration;
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) read.push([name, readJson(context, declaration, member, pathOfMember(name))]);
    else requireNothing(context, pathOfMember(name), type, fallback);
  }
  return Object.fromEntries(read);
}

/** Reads a scalar or an enum from a query string; refuses a text that does not have the type. */
export function readText(context: CoercionContext, type: string, text: string, parameter: string): JsonValue {
  const found = namedType(context.schema, type);
  const wire = wireOf(found);
  if (wire === undefined) return readLeaf(context, type, text, parameter);
  const value = wire.fromText(text);
  if (value === undefined) return mismatch(context, parameter, wire.expected, text);
  return found.kind === 'builtin' ? value : readLeaf(context, type, value, parameter);
}

/** Refuses the omission of an argument that is required: non-null and without a default. */
export function requireNothing(
  context: CoercionContext,
  parameter: string,
  type: TypeRef,
  fallback: JsonValue | undefined,
): void {
  if (isRequired({ type, fallback })) refuse(context, parameter, `“${parameter}” is missing.`, 'MISSING_ARGUMENT');
}

/** Refuses an unknown name of an object, whose path precedes it. */
export function refuseUnknown(
  context: CoercionContext,
  name: string,
  known: Iterable<string>,
  parameter?: string,
): void {
  const prefix = parameter === undefined ? '' : `${parameter}.`;
  const suggestion = context.tellsNames ? createSuggester(known).nearest(name) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean “${prefix}${suggestion}”?`;
  const detail = `There is no parameter “${prefix}${name}”.${hint}`;
  refuse(context, prefix + name, detail, 'UNKNOWN_ARGUMENT', memberPointer(name, parameter));
}

/** The pointer to a member of any name. */
export function memberPointer(name: string, parameter?: string): string {
  const wellFormed = name.replace(/\p{Surrogate}/gu, '\ufffd');
  return `${parameter === undefined ? '#' : fragmentOf(parameter)}${encodeURI(pointerStep(wellFormed))}`;
}

function readLeaf(context: CoercionContext, type: string, value: JsonValue, parameter: string): JsonValue {
  if ((value as unknown) instanceof UploadedFile) return value;
  const found = namedType(context.schema, type);
  if (found.kind === 'enum') {
    const { values, spellings = values } = found.type;
    const name = typeof value === 'string' ? values[spellings.indexOf(value)] : undefined;
    if (name !== undefined) return name;
    const expected = context.tellsNames ? `one of ${spellings.join(', ')}` : `a value of ${type}`;
    return mismatch(context, parameter, expected, value);
  }
  const wire = wireOf(found);
  const read = wire?.fromJson(value);
  if (wire !== undefined && read === undefined) return mismatch(context, parameter, wire.expected, value);
  if (found.kind === 'builtin') return read as JsonValue;
  const reason = refusalOf(context.executable.getType(type) as GraphQLScalarType, value);
  if (reason !== undefined) return refuse(context, parameter, `“${parameter}” is not a ${type}: ${reason}`);
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

function mismatch(context: CoercionContext, parameter: string, expected: string, value: JsonValue): null {
  return refuse(context, parameter, `“${parameter}” must be ${expected}, not ${shownValue(value)}.`);
}
