import type { JsonObject, JsonValue } from '../graph/json-value.js';
import { fileScalar } from '../graph/standard-scalars.js';
import { baseName, nonNull, nullable } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf } from '../schema/schema-index.js';
import { queryPairs, queryParameterStyle } from '../schema/wire.js';
import { isRequired } from './is-required.js';
import { placeArguments, type RestRoute, restRoute } from './rest-routes.js';

/** A part of a form (RFC 7578): a file, or the text of an argument. */
export interface FormPart {
  /** The name of an argument, with that of the field for a file in an input: `input.picture`. */
  readonly name: string;
  /** The argument, or the field of an input that holds the file. Required exactly if the part is. */
  readonly place: GqlArgument;
  readonly isFile: boolean;
  /** The fields of an input that are not files, whose JSON object is the text; undefined for other texts. */
  readonly fields?: readonly GqlArgument[];
}

/** Whether a mutation of the schema takes files. */
export function takesFiles({ scalars }: GqlSchema): boolean {
  return scalars.some(({ name, standard }) => name === fileScalar && standard === true);
}

/** The parts of the form that a route takes, texts before files; undefined for a route without files. */
export function formParts(schema: GqlSchema, route: RestRoute): readonly FormPart[] | undefined {
  if (!takesFiles(schema)) return undefined;
  const isFile = ({ type }: GqlArgument): boolean => baseName(type) === fileScalar;
  const texts: FormPart[] = [];
  const files: FormPart[] = [];
  for (const place of placeArguments(route).body ?? []) {
    const { name, type } = place;
    if (isFile(place)) {
      files.push({ name, place, isFile: true });
      continue;
    }
    const input = nullable(type).kind === 'named' ? inputTypeOf(schema, baseName(type)) : undefined;
    const found = input?.fields.filter(isFile) ?? [];
    if (input === undefined || found.length === 0) {
      texts.push({ name, place, isFile: false });
      continue;
    }
    const isSure = type.kind === 'nonNull' && input.oneOf !== true;
    const fields = input.fields.filter((field) => !found.includes(field));
    const isNeeded = isSure && fields.some(isRequired);
    const text = { ...place, type: isNeeded ? nonNull(type) : nullable(type) };
    if (fields.length > 0) texts.push({ name, place: text, isFile: false, fields });
    for (const field of found) {
      const file = { ...field, type: isSure ? field.type : nullable(field.type) };
      files.push({ name: `${name}.${field.name}`, place: file, isFile: true });
    }
  }
  return files.length === 0 ? undefined : [...texts, ...files];
}

/** The schema without the mutations that take files, for callers that send JSON only. */
export function withoutFiles(schema: GqlSchema): GqlSchema {
  const isPlain = (operation: GqlOperation) => formParts(schema, restRoute(operation)) === undefined;
  if (schema.mutations.every(isPlain)) return schema;
  return { ...schema, mutations: schema.mutations.filter(isPlain) };
}

/** The path of a file among the arguments: `['input', 'picture']`; undefined if the arguments leave it out. */
export function filePath(
  { name, isFile }: FormPart,
  values: JsonObject,
): readonly [argument: string, field?: string] | undefined {
  const [argument = '', field] = name.split('.');
  const value = values[argument];
  const isGiven = field === undefined ? value !== undefined : Object.hasOwn((value ?? {}) as object, field);
  return isFile && isGiven ? (field === undefined ? [argument] : [argument, field]) : undefined;
}

/** Whether the text of a part is JSON: that of an input, and of all that is JSON in a query string. */
export function isJsonPart(schema: GqlSchema, { place }: FormPart): boolean {
  return /^(?:json|deepObject)$/.test(queryParameterStyle(schema, place.type));
}

/** The texts of a part with a value: one, or one for each element of a list; none for a file. */
export function formTexts(schema: GqlSchema, part: FormPart, value: JsonValue): readonly string[] {
  const { place, fields } = part;
  if (part.isFile) return [];
  if (!isJsonPart(schema, part)) return queryPairs(schema, place, value).map(([, text]) => text);
  const given = value as JsonObject;
  const kept = fields?.flatMap(({ name }) => (name in given ? [[name, given[name]] as const] : []));
  return [JSON.stringify(kept === undefined ? value : Object.fromEntries(kept))];
}
