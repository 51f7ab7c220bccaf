import type { Draft } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import type { References } from './references.js';
import { typesOf } from './schema-parts.js';

/** The standard scalar of a text with a format. All other formats are tags. */
export const scalarsOfFormats: ReadonlyMap<string, string> = new Map([
  ['date', 'Date'],
  ['date-time', 'DateTime'],
  ['uuid', 'UUID'],
  ['byte', 'Byte'],
]);

/** The scalar of a schema that is neither an object nor a list. Reports the parts of the schema that get lost. */
export function scalarOf(
  draft: Draft,
  schema: JsonPlace,
  kind: 'any' | 'map' | 'text' | 'number' | 'integer' | 'boolean' | 'mixed',
  name: string,
): string {
  switch (kind) {
    case 'text': {
      const format = schema.text('format') ?? '';
      if (format === 'binary')
        draft.lose(schema, `schema ${name}`, 'JSON cannot carry bytes, so its values have the type String.');
      return scalarsOfFormats.get(format) ?? 'String';
    }
    case 'integer':
      return isLarge(schema) ? 'SafeInt' : 'Int';
    case 'number':
      return 'Float';
    case 'boolean':
      return 'Boolean';
    case 'map':
      draft.lose(
        schema,
        `schema ${name}`,
        'Its members have arbitrary names, so its values have the type JSONObject.',
      );
      return 'JSONObject';
    case 'mixed':
      if (typesOf(schema).every((type) => ['number', 'integer', 'null'].includes(type))) return 'Float';
      draft.lose(schema, `schema ${name}`, 'Its values have several types, so they have the type JSON.');
      return 'JSON';
    case 'any':
      draft.lose(schema, `schema ${name}`, 'It allows any value, so its values have the type JSON.');
      return 'JSON';
  }
}

/** Whether an integer can have more than 32 bits. */
function isLarge(schema: JsonPlace): boolean {
  if (schema.text('format') === 'int64') return true;
  const values = ['minimum', 'maximum', 'default', 'example'].map((key) => schema.at(key)?.value);
  return values.some((value) => typeof value === 'number' && Math.abs(value) > 2 ** 31 - 1);
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
