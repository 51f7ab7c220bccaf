import { bareName, type DraftTag } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import { typesOf } from './schema-parts.js';
import { constraintTags, exampleTags } from './value-tags.js';

/** The type of a schema of a document of our own, which marks each value that may be null. */
export function typeOf(schema: JsonPlace, nameOf: (component: string) => string): string {
  const options = schema.list('oneOf');
  const [first] = options;
  if (first !== undefined) return typeOf(first, nameOf).replace(/!$/, '');
  const reference = refOf(schema) ?? schema.list('allOf').map(refOf)[0];
  if (reference !== undefined) return `${nameOf(reference)}!`;
  const types = typesOf(schema);
  const mark = types.includes('null') ? '' : '!';
  const items = schema.at('items');
  if (types.includes('array') && items !== undefined) return `[${typeOf(items, nameOf)}]${mark}`;
  if (types.includes('integer') && types.includes('string')) return `ID${mark}`;
  const scalar = scalars.get(types.find((type) => type !== 'null') ?? '');
  return `${scalar ?? 'JSON'}${mark}`;
}

const scalars: ReadonlyMap<string, string> = new Map([
  ['string', 'String'],
  ['integer', 'Int'],
  ['number', 'Float'],
  ['boolean', 'Boolean'],
]);

/** The name of the component that a schema refers to. */
export function refOf(schema: JsonPlace): string | undefined {
  return /^#\/components\/schemas\/(.+)$/.exec(schema.text('$ref') ?? '')?.[1];
}

/** The schema of the elements of a list, at any depth, and without the null beside it. */
export function innermost(schema: JsonPlace): JsonPlace {
  const inner = schema.at('items') ?? schema.list('oneOf')[0];
  return inner === undefined ? schema : innermost(inner);
}

/** The limits and the examples of a value of a type. */
export function valueTags(schema: JsonPlace, type: string): readonly DraftTag[] {
  let elements = schema;
  for (let next = elements.at('items'); next !== undefined; next = elements.at('items')) elements = next;
  const ofElements = elements === schema ? [] : constraintTags(elements, bareName(type));
  return [...constraintTags(schema, type), ...ofElements, ...exampleTags(schema)];
}
