import { type FormPart, formParts, isJsonPart } from '../../../compiler/api/form-parts.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { placeArguments, type RestRoute } from '../../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { isJsonObject } from '../../limits/parse-json.js';
import type { Form } from '../../uploads/form.js';
import { type CoercionContext, readJson, refuse, refuseUnknown, requireNothing } from '../coerce.js';
import { createArgumentReader, parseText, single, valuesOf } from './read-query.js';

/** Makes the reader of a form, if the route takes files: inputs are JSON, and a required file may still arrive. */
export function createFormReader(schema: GqlSchema, route: RestRoute) {
  const parts = formParts(schema, route);
  if (parts === undefined) return undefined;
  const known = new Map(parts.map((part) => [part.name, part]));
  const readers = (placeArguments(route).body ?? []).map((argument) => ({
    argument,
    read: readerOf(schema, argument, parts),
  }));
  const checkPart = (context: CoercionContext, name: string, isFile: boolean): void => {
    const part = known.get(name);
    if (part === undefined) refuseUnknown(context, name, known.keys());
    else if (part.isFile !== isFile) {
      const expected = part.isFile ? 'a file: its part has no filename' : 'a text: its part has a filename';
      refuse(context, name, `“${name}” must be ${expected}.`);
    }
  };
  return (context: CoercionContext, form: Form): Record<string, JsonValue> => {
    const args: Record<string, JsonValue> = {};
    for (let at = 0; at < form.texts.length; at += 2) checkPart(context, form.texts[at] as string, false);
    for (const name of form.names) checkPart(context, name, true);
    for (const { argument, read } of readers) {
      const value = read(context, form);
      if (value !== undefined) args[argument.name] = value;
      else requireNothing(context, argument.name, argument.type, argument.fallback);
    }
    // Beside a mistake, nothing else will be read.
    if (context.mistakes === undefined) form.seal();
    return args;
  };
}

type PartReader = (context: CoercionContext, form: Form) => JsonValue | undefined;

function readerOf(schema: GqlSchema, argument: GqlArgument, parts: readonly FormPart[]): PartReader {
  const { name } = argument;
  const files = parts.filter((part) => part.isFile && part.name.split('.')[0] === name);
  const [own] = files;
  if (own === undefined) {
    const isJson = isJsonPart(schema, { name, place: argument, isFile: false });
    const { read } = createArgumentReader(schema, argument, isJson ? 'json' : undefined);
    return (context, form) => read(context, form.texts);
  }
  if (own.name === name) return (_, form) => fileOf(own, form);
  return (context, form) => {
    const given = files.flatMap((part) => {
      const file = fileOf(part, form);
      return file === undefined ? [] : [[part.name.slice(name.length + 1), file] as const];
    });
    const texts = valuesOf(form.texts, name);
    if (texts === undefined && given.length === 0) return undefined;
    const value = texts === undefined ? {} : parseText(context, name, single(context, name, texts));
    if (value === undefined) return null;
    const whole = isJsonObject(value) ? { ...value, ...Object.fromEntries(given) } : value;
    return readJson(context, argument, whole, name);
  };
}

/** A file is no value of JSON, but stands among such values until the scalar reads it. */
function fileOf({ name, place }: FormPart, form: Form): JsonValue | undefined {
  const mayArrive = form.has(name) || (isRequired(place) && !form.isFinished);
  return mayArrive ? (form.expect(name) as unknown as JsonValue) : undefined;
}
