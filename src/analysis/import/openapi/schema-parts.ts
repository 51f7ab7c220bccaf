import { JsonPlace } from '../../../base/source/json-place.js';
import { fileScalar } from '../../../compiler/graph/standard-scalars.js';
import type { Draft } from '../draft/draft.js';
import type { References } from './references.js';

/** The parts of an object's schema, with those of its `allOf`. */
export interface ObjectParts {
  readonly properties: ReadonlyMap<string, JsonPlace>;
  readonly required: ReadonlySet<string>;
  /** The schema of additional members. */
  readonly others: JsonPlace | undefined;
  readonly description: string | undefined;
}

export const otherMembers = 'Its additional members, which have arbitrary names, are left out.';

/** The kinds of schemas that become different things in a topology. */
export type SchemaShape =
  | { readonly kind: 'any' | 'map' | 'text' | 'number' | 'integer' | 'boolean' | 'mixed' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly items: JsonPlace | undefined }
  | { readonly kind: 'object'; readonly parts: ObjectParts }
  | { readonly kind: 'choice'; readonly options: readonly JsonPlace[] }
  | { readonly kind: 'same'; readonly as: JsonPlace };

/** The shape of a schema without a reference, and whether null is one of its values. */
export function shapeOf(schema: JsonPlace, references: References) {
  const types = typesOf(schema);
  const choices = [...schema.list('oneOf'), ...schema.list('anyOf')];
  const options = choices.filter((option) => !isNull(option));
  const values = schema.at('enum')?.value;
  const isNullable =
    schema.flag('nullable') ||
    schema.flag('x-nullable') ||
    types.includes('null') ||
    options.length < choices.length ||
    (Array.isArray(values) && values.includes(null));
  const bare = types.filter((type) => type !== 'null');
  const shape = bareShape(schema, bare, options, references);
  // A schema without a type allows null.
  return { shape, isNullable: isNullable || (shape.kind === 'any' && !schema.has('not')) };
}

function bareShape(
  schema: JsonPlace,
  types: readonly string[],
  options: readonly JsonPlace[],
  references: References,
): SchemaShape {
  const values = schema.has('const') ? [schema.at('const')?.value] : schema.at('enum')?.value;
  if (Array.isArray(values)) {
    const texts = values.filter((value) => value !== null);
    if (texts.length > 0 && texts.every((value) => typeof value === 'string')) return { kind: 'enum', values: texts };
  }
  // Options that only list required members add nothing to the type.
  const real = options.filter((option) => isTyped(option, references));
  const own = ['properties', 'items', 'allOf'].some((key) => schema.has(key));
  const isPolymorphic = isOfTypenames(schema) && real.length > 0;
  if (real.length === 1 && !own && !isPolymorphic) return { kind: 'same', as: real[0] as JsonPlace };
  if ((real.length > 1 || isPolymorphic) && !own) return { kind: 'choice', options: real };
  const all = schema.list('allOf').filter((option) => isTyped(option, references));
  if (all.length > 0) {
    const first = all[0] as JsonPlace;
    const isAlone = all.length === 1 && !schema.has('properties') && real.length === 0;
    if (isAlone && !requiresMore(schema, first, references)) return { kind: 'same', as: first };
    const parts = partsOf(schema, references);
    return parts.properties.size > 0 ? { kind: 'object', parts } : { kind: 'same', as: first };
  }
  if (types.length > 1) return { kind: 'mixed' };
  const [type] = types;
  if (type === 'array' || (type === undefined && schema.has('items')))
    return { kind: 'list', items: schema.at('items') };
  if (type === 'object' || (type === undefined && (schema.has('properties') || schema.has('additionalProperties')))) {
    const parts = partsOf(schema, references);
    return parts.properties.size > 0 ? { kind: 'object', parts } : { kind: 'map' };
  }
  if (type === 'string') return { kind: 'text' };
  if (type === 'number' || type === 'integer' || type === 'boolean') return { kind: type };
  return { kind: 'any' };
}

/** Whether a schema requires members that one of its parts does not require. */
function requiresMore(schema: JsonPlace, part: JsonPlace, references: References): boolean {
  const names = schema.texts('required');
  if (names.length === 0) return false;
  const { properties, required } = partsOf(part, references);
  return names.some((name) => properties.has(name) && !required.has(name));
}

/** The members of an object and of its `allOf` parts. Those of its `oneOf` and `anyOf` options are required if all require them. */
export function partsOf(from: JsonPlace, references: References, outer: Iterable<string> = []): ObjectParts {
  const properties = new Map<string, JsonPlace>();
  const required = new Set<string>();
  const choices: (readonly JsonPlace[])[] = [];
  let others: JsonPlace | undefined;
  let description = from.text('description');
  const seen = new Set(outer);
  const waiting: JsonPlace[] = [from];
  for (let at = 0; at < waiting.length; at++) {
    const place = references.resolve(waiting[at] as JsonPlace);
    if (place === undefined || seen.has(place.pointer)) continue;
    seen.add(place.pointer);
    description ??= place.text('description');
    for (const [name, property] of place.entries('properties'))
      if (!properties.has(name)) properties.set(name, property);
    for (const name of place.texts('required')) required.add(name);
    const further = place.at('additionalProperties');
    if (further !== undefined && further.value !== false) others ??= further;
    for (const part of place.list('allOf')) waiting.push(part);
    choices.push(place.list('oneOf'), place.list('anyOf'));
  }
  for (const options of choices) {
    const parts = options.flatMap((option) => (isNull(option) ? [] : partsOf(option, references, seen)));
    for (const name of new Set(parts.flatMap((part) => [...part.properties.keys()]))) {
      const found = parts.flatMap((part) => part.properties.get(name) ?? []);
      if (!properties.has(name)) properties.set(name, memberOfAll(found, references));
    }
    for (const name of parts[0]?.required ?? []) if (parts.every((part) => part.required.has(name))) required.add(name);
  }
  return { properties, required, others, description };
}

/** A member of several options: it has their type if it is the same, and is a text or anything otherwise. */
function memberOfAll(found: readonly JsonPlace[], references: References): JsonPlace {
  const [first, ...rest] = found as readonly [JsonPlace, ...JsonPlace[]];
  const key = choiceKey(first, references);
  const isAlike = rest.every((other) => {
    return other.pointer === first.pointer || (key !== undefined && choiceKey(other, references) === key);
  });
  if (isAlike) return first;
  const resolved = found.map((place) => references.resolve(place) ?? place);
  const isText = resolved.every((place) => typesOf(place).join() === 'string');
  const description = first.text('description');
  return new JsonPlace({ ...(isText && { type: 'string' }), description }, first.pointer);
}

/** The member of responses that names the type of an object. */
export const typenameField = '__typename';

/** The names of texts that are ids. */
export const idName = /^id$|[a-z\d]Id$|_id$/;

/** The words of schemas for a paged list, and for a scalar of which only the name is known. */
export const pageWord = 'x-gg-page';

/** The value of {@link pageWord} for pages with a field of this name. */
export const counted = 'totalCount';
export const scalarWord = 'x-gg-scalar';

/** Whether a schema has values of several scalar types, which a URL writes alike. */
export function isScalarChoice(from: JsonPlace, references: References): boolean {
  const schema = references.resolve(from) ?? from;
  const { shape } = shapeOf(schema, references);
  if (shape.kind === 'same') return isScalarChoice(shape.as, references);
  const scalars = ['text', 'enum', 'number', 'integer', 'boolean'];
  if (shape.kind === 'mixed') return typesOf(schema).every((type) => !['array', 'object'].includes(type));
  return (
    shape.kind === 'choice' &&
    shape.options.every((option) => {
      const resolved = references.resolve(option);
      return resolved !== undefined && scalars.includes(shapeOf(resolved, references).shape.kind);
    })
  );
}

/** Whether a choice is one between the types of a union or an interface of GraphQL. */
export function isOfTypenames(schema: JsonPlace): boolean {
  return schema.at('discriminator')?.text('propertyName') === typenameField;
}

export function typesOf(schema: JsonPlace): readonly string[] {
  const type = schema.text('type');
  return type === undefined ? schema.texts('type') : [type];
}

function isNull(schema: JsonPlace): boolean {
  const values = schema.at('enum')?.value;
  return schema.text('type') === 'null' || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function isTyped(schema: JsonPlace, references: References): boolean {
  if (schema.has('$ref')) return references.resolve(schema) !== undefined;
  const words = 'type properties items enum const allOf oneOf anyOf additionalProperties'.split(' ');
  return words.some((word) => schema.has(word));
}

/** The format of a file in a form, which an import gives it: elsewhere, bytes are no files. */
export const fileFormat = 'x-gg-file';

/** The standard scalar of a text with a format. All other formats are tags. */
export const scalarsOfFormats: ReadonlyMap<string, string> = new Map([
  ['date', 'Date'],
  ['date-time', 'DateTime'],
  ['uuid', 'UUID'],
  ['byte', 'Byte'],
  [fileFormat, fileScalar],
]);

/** The scalar of a schema that is neither an object nor a list. Reports the parts of the schema that get lost. */
export function scalarOf(
  draft: Draft,
  schema: JsonPlace,
  kind: 'any' | 'map' | 'text' | 'number' | 'integer' | 'boolean' | 'mixed',
  name: string,
): string {
  const lossy = (scalar: string, reason: string): string => {
    draft.lose(schema, `schema ${name}`, reason);
    return scalar;
  };
  switch (kind) {
    case 'text': {
      const format = schema.text('format') ?? '';
      if (format === 'binary') return lossy('String', 'JSON cannot carry bytes, so its values have the type String.');
      return scalarsOfFormats.get(format) ?? 'String';
    }
    case 'integer':
      return isLarge(schema) ? 'SafeInt' : 'Int';
    case 'number':
      return 'Float';
    case 'boolean':
      return 'Boolean';
    case 'map':
      return lossy('JSONObject', 'Its members have arbitrary names, so its values have the type JSONObject.');
    case 'mixed':
      if (typesOf(schema).every((type) => ['number', 'integer', 'null'].includes(type))) return 'Float';
      return lossy('JSON', 'Its values have several types, so they have the type JSON.');
    case 'any':
      return lossy('JSON', 'It allows any value, so its values have the type JSON.');
  }
}

/** Whether an integer can have more than 32 bits, as its schema or the examples beside it show. */
export function isLarge(place: JsonPlace): boolean {
  if (place.text('format') === 'int64') return true;
  const words = ['minimum', 'maximum', 'default', 'example'].map((key) => place.at(key));
  const examples = place.entries('examples').map(([, example]) => example.at('value'));
  return [...words, ...examples, ...place.list('examples')].some(
    (one) => typeof one?.value === 'number' && Math.abs(one.value) > 2 ** 31 - 1,
  );
}

/** A text that two schemas share if they have the same type; undefined for a schema whose type has no name yet. */
export function choiceKey(schema: JsonPlace, references: References): string | undefined {
  const resolved = references.resolve(schema);
  if (resolved === undefined) return undefined;
  const name = references.nameOf(resolved);
  const isNullable = resolved.flag('nullable') || typesOf(resolved).includes('null');
  if (name !== undefined) return `${name} ${isNullable}`;
  const values = resolved.at('enum')?.value;
  if (Array.isArray(values) && values.length > 1) return undefined;
  const type = resolved.text('type') ?? typesOf(resolved).find((one) => one !== 'null');
  const isLeaf = ['string', 'number', 'integer', 'boolean'].includes(type ?? '');
  if (isLeaf) return `${type} ${resolved.text('format') ?? ''} ${isNullable} ${isLarge(resolved)}`;
  // Lists and free values that are written alike have the same type, unless it is one of their own.
  const text = JSON.stringify(resolved.value);
  return hasOwnType.test(text) ? undefined : text;
}

const hasOwnType = /"(?:properties|additionalProperties|enum|const|allOf|anyOf|oneOf)":/;
