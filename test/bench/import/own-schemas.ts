// Whether the examples of an OpenAPI document fit its own schemas, checked by Ajv.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { SourceExample } from '../../../src/analysis/import/source-examples.js';
import type { JsonPlace } from '../../../src/base/source/json-place.js';
import { parsePointer } from '../../../src/base/source/json-pointer.js';

type Resolve = (place: JsonPlace | undefined) => JsonPlace | undefined;

/** Finds the first place where a part of an example breaks the description that shows it; undefined without one. */
export type OwnMistake = (part: 'request' | 'response', example: SourceExample) => string | undefined;

/** Checks examples against the schemas of their own document. */
export function ownMistakes(root: JsonPlace, resolve: Resolve): OwnMistake {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'response', ...(jsonSchema(root, resolve, false) as object) });
  // JSON Schema allows members that a schema does not define; a server cannot know them.
  ajv.addSchema({ $id: 'request', ...(jsonSchema(root, resolve, true) as object) });
  const compiled = new Map<string, ValidateFunction>();
  const check = (document: string, schema: JsonPlace | undefined, value: unknown, of: string) => {
    if (schema === undefined) return undefined;
    const $ref = `${document}#${encodeURI(schema.pointer)}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${of}${error?.instancePath ?? ''} ${error?.message ?? 'is invalid'}`;
  };
  const schemaIn = (place: JsonPlace | undefined, form: RegExp) =>
    place
      ?.entries('content')
      .find(([type]) => form.test(type))?.[1]
      .at('schema');
  const json = /[/+]json(?:;|$)/;
  const bodyIn = (place: JsonPlace | undefined) =>
    schemaIn(place, json) ?? schemaIn(place, /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/);
  return (part, { place, values, body, answer }) => {
    const [, path = '', method = ''] = parsePointer(place.slice(1));
    const item = resolve(root.at('paths')?.at(path));
    const operation = item?.at(method);
    if (part === 'response') {
      const [, success] = operation?.entries('responses').find(([code]) => /^2/.test(code)) ?? [];
      return answer && check(part, schemaIn(resolve(success), json), answer.value, part);
    }
    for (const one of [...(item?.list('parameters') ?? []), ...(operation?.list('parameters') ?? [])]) {
      const parameter = resolve(one);
      const name = parameter?.text('name') ?? '';
      const mistake = values.has(name) && check(part, parameter?.at('schema'), values.get(name), name);
      if (mistake) return mistake;
    }
    return body && check(part, bodyIn(resolve(operation?.at('requestBody'))), body.value, 'body');
  };
}

/**
 * The document with the words of JSON Schema 2020-12 in place of those of OpenAPI 3.0 that differ.
 *
 * @param isClosed - Whether objects with members have no others.
 */
function jsonSchema(place: JsonPlace, resolve: Resolve, isClosed: boolean, isValue = false): unknown {
  const { value } = place;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((_, at) => jsonSchema(place.at(at) as JsonPlace, resolve, isClosed));
  const reference = place.text('$ref');
  const closing = isClosed && isValue && hasMembers(resolve(place)) ? { unevaluatedProperties: false } : {};
  if (reference !== undefined) return { $ref: reference, ...closing };
  const areValues = /\/properties$/.test(place.pointer);
  const made: Record<string, unknown> = { ...closing };
  // Requests do not contain members that are only read (OpenAPI 3.0, section 4.7.24.2).
  const isOut = (member: JsonPlace | undefined) => isClosed && resolve(member)?.flag('readOnly') === true;
  for (const [key, member] of place.entries())
    if (!areValues || !isOut(member))
      made[key] = jsonSchema(member, resolve, isClosed, areValues || /^(?:items|schema)$/.test(key));
  if (Array.isArray(made.required))
    made.required = place.texts('required').filter((name) => !isOut(place.at('properties')?.at(name)));
  for (const [flag, limit] of exclusiveLimits) {
    if (made[flag] === true) made[flag] = made[limit];
    else if (made[flag] === false) delete made[flag];
  }
  // An example may have members of these names, which Ajv would read.
  for (const word of ['$id', 'id', '$anchor']) if (typeof made[word] === 'string') delete made[word];
  if (typeof made.nullable !== 'boolean') return made;
  const { nullable, ...rest } = made;
  if (!nullable) return rest;
  if (Array.isArray(rest.enum)) rest.enum = [...rest.enum, null];
  return typeof rest.type === 'string' ? { ...rest, type: [rest.type, 'null'] } : { anyOf: [{ type: 'null' }, rest] };
}

const exclusiveLimits = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

function hasMembers(schema: JsonPlace | undefined): boolean {
  return ['properties', 'allOf', 'oneOf', 'anyOf'].some((word) => schema?.has(word) === true);
}
