import { deepestDeclaration, type TakenId } from '../../../compiler/api/chains/named-steps.js';
import { exampleArgument } from '../../../compiler/api/examples.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName, nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { inputTypeOf } from '../../../compiler/schema/schema-index.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { type CoercionContext, readAll, readMembers } from '../coerce.js';
import { ProblemError } from '../problem.js';
import { type Arguments, type PlannedStep, refusal } from './plan-chain.js';

/**
 * Reads the arguments of a step with the ids that it takes. A problem has an example of what is wrong.
 *
 * @param idsOf - The ids for a place: for a list all of them, else the only one.
 */
export function readInputs(
  context: CoercionContext,
  { step: { operation }, args, takes, place }: PlannedStep,
  idsOf: (taken: TakenId, isList: boolean) => JsonValue,
): Arguments {
  const { schema } = context;
  const complete = takes.reduce(
    (given, taken) => put(schema, operation.arguments, given, taken.path, (isList) => idsOf(taken, isList)),
    args,
  );
  try {
    const path = place === '' ? undefined : place.slice(0, -1);
    return readAll(
      context,
      (one) => readMembers(one, operation.arguments, complete, path),
      (all) => all,
    );
  } catch (error) {
    const parameter = error instanceof ProblemError ? error.problem.members?.parameter : undefined;
    if (!(error instanceof ProblemError) || typeof parameter !== 'string') throw error;
    const path = parameter.slice(place.length).split('.');
    const declaration = deepestDeclaration(schema, operation.arguments, path);
    if (declaration === undefined || !context.tellsNames) throw error;
    const example = JSON.stringify(exampleArgument(wireView(schema), declaration));
    const { problem } = error;
    throw new ProblemError({ ...problem, detail: `${problem.detail} Example of ${declaration.name}: ${example}` });
  }
}

/**
 * The only id that an earlier step gave.
 *
 * @throws {ProblemError} If it gave none, or several: then the caller chooses.
 */
export function onlyId(ids: readonly JsonValue[], place: string, from: string): JsonValue {
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  const listed = ids.slice(0, 10).map((one) => JSON.stringify(one));
  const found = id === undefined ? 'no id' : `${ids.length} ids: ${listed.join(', ')}${ids.length > 10 ? ', …' : ''}`;
  throw refusal(`${from} gave ${found}. Pass “${place}” itself.`);
}

/** Puts an id into the arguments that a call leaves out. An optional input that it leaves out stays out, with all its ids. */
function put(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  into: Arguments,
  [name, ...rest]: readonly string[],
  idsOf: (isList: boolean) => JsonValue,
): Arguments {
  const declaration = declarations.find((one) => one.name === name);
  if (name === undefined || declaration === undefined) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  const isList = nullable(declaration.type).kind === 'list';
  if (rest.length === 0) return before === undefined ? { ...into, [name]: idsOf(isList) } : into;
  const fields = inputTypeOf(schema, baseName(declaration.type))?.fields ?? [];
  const inside = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inside);
    return isJsonObject(value) ? put(schema, fields, value, rest, idsOf) : value;
  };
  if (before !== undefined) return { ...into, [name]: inside(before) };
  return isRequired(declaration) && !isList ? { ...into, [name]: inside({}) } : into;
}

/** The values at a path in a result; lists on the way give those of all items. Each value once. */
export function idsAt(result: JsonValue, path: readonly string[]): readonly JsonValue[] {
  const [name, ...rest] = path;
  if (Array.isArray(result)) return [...new Set(result.flatMap((item) => idsAt(item, path)))];
  if (name === undefined) return result === null ? [] : [result];
  return isJsonObject(result) && Object.hasOwn(result, name) ? idsAt(result[name] as JsonValue, rest) : [];
}
