import { fileFormat } from '../openapi/schema-parts.js';

/** A schema of the values that an example shows, in the words of JSON Schema. */
export type ExampleSchema = { readonly [word: string]: unknown };

const maxDepth = 32;

/** The example of a file, which JSON has no values for. */
export const aFile = Object.freeze({});

const fileSchema: ExampleSchema = Object.freeze({ type: 'string', format: fileFormat });

/** The schema of an example. Of a list, it is that of all items; an object has the members of the example. */
export function schemaOfExample(value: unknown, depth = 0): ExampleSchema {
  if (depth > maxDepth || value === null || value === undefined) return {};
  if (Array.isArray(value)) {
    const items = value.map((item) => schemaOfExample(item, depth + 1)).reduce(unite, {} as ExampleSchema);
    return { type: 'array', items: value.includes(null) ? { ...items, nullable: true } : items };
  }
  if (value === aFile) return fileSchema;
  if (typeof value === 'object') {
    // `fromEntries` makes own members, even for `__proto__`.
    const members = Object.entries(value).map(([name, member]) => [name, schemaOfExample(member, depth + 1)]);
    // A form has several files only if it requires each (GG3097).
    const files = members.flatMap(([name, member]) => (member === fileSchema ? [name] : []));
    const required = files.length === 0 ? {} : { required: files };
    return { type: 'object', properties: Object.fromEntries(members), ...required };
  }
  if (typeof value !== 'number') return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
  return Number.isInteger(value) ? { type: 'integer', example: value } : { type: 'number' };
}

/** The schema of a text in a URL, by the value that it shows. */
export function schemaOfText(text: string): ExampleSchema {
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(text)) return { type: 'integer', example: Number(text) };
  if (/^-?\d+\.\d+$/.test(text)) return { type: 'number' };
  return { type: text === 'true' || text === 'false' ? 'boolean' : 'string' };
}

/** A schema of the values of two schemas. An empty one, that of null, adds nothing. */
export function unite(one: ExampleSchema, other: ExampleSchema): ExampleSchema {
  const united = uniteShapes(one, other);
  return one.nullable === true || other.nullable === true ? { ...united, nullable: true } : united;
}

function uniteShapes(one: ExampleSchema, other: ExampleSchema): ExampleSchema {
  if (one.type === undefined) return other;
  if (other.type === undefined) return one;
  if (one.type === 'integer' && other.type === 'number') return other;
  if (one.type === 'number' && other.type === 'integer') return one;
  if (one.type === 'integer' && other.type === 'integer')
    return Math.abs(one.example as number) < Math.abs(other.example as number) ? other : one;
  if (one.type !== other.type) return { type: [...new Set([one.type, other.type].flat())] };
  if (one.type === 'array') return { ...one, items: unite(one.items as ExampleSchema, other.items as ExampleSchema) };
  if (one.type !== 'object') return one;
  const members = new Map<string, ExampleSchema>(Object.entries(one.properties as object));
  for (const [name, schema] of Object.entries(other.properties as object))
    members.set(name, unite(members.get(name) ?? {}, schema));
  return { type: 'object', properties: Object.fromEntries(members) };
}
