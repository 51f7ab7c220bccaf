import { JsonPlace } from '../../../base/source/json-place.js';
import type { Draft } from '../draft/draft.js';
import { counted, pageWord, scalarWord, typenameField } from '../openapi/schema-parts.js';
import { jsonOf } from './requests.js';

/** The JSON Schemas of responses that a collection of our own has in a variable; undefined for other collections. */
export function answersOf(collection: JsonPlace, draft: Draft): JsonPlace | undefined {
  const variable = collection.list('variable').find((one) => one.text('key') === 'answers');
  const text = variable?.text('value');
  // A nested object has a definition of its own, such as `Book.2`, if the response has fewer of its fields.
  const joined = text?.replace(/"#\/definitions\/(\w+)\.\d+"/g, '"#/definitions/$1"');
  const answers = joined?.startsWith('{"schemas":') ? jsonOf(joined) : undefined;
  if (variable === undefined || typeof answers !== 'object' || answers === null) return undefined;
  const root = new JsonPlace(answers, `${variable.pointer}/value`);
  const definitions = root.at('definitions');
  if (definitions?.isObject !== true) return undefined;
  return new JsonPlace({ ...answers, ...joinSchemas(root, definitions, draft) }, root.pointer);
}

type Fields = Map<string, { readonly schema: unknown; readonly isRequired: boolean }>;

/**
 * The schemas of results, and the definitions by the names of types: an object has the fields of all its definitions, a
 * union lists its options, and a page is a list.
 */
function joinSchemas(root: JsonPlace, definitions: JsonPlace, draft: Draft): object {
  const joined = new Map<string, unknown>();
  const objects = new Map<string, Fields>();
  const addObject = (name: string, object: JsonPlace): void => {
    const fields: Fields = objects.get(name) ?? new Map();
    objects.set(name, fields);
    const required = new Set(object.texts('required'));
    for (const [field, { value }] of object.entries('properties'))
      if (field !== typenameField) fields.set(field, { schema: value, isRequired: required.has(field) });
  };
  for (const [variant, definition] of definitions.entries()) {
    const name = variant.replace(/\.\d+$/, '');
    const options = definition.list('anyOf').flatMap((option) => {
      const type = option.at('properties')?.at(typenameField)?.text('const');
      // An option contains its fields if GraphQL returns some of them under other names.
      const [fields] = option.list('allOf');
      if (type !== undefined && fields?.has('properties') === true) addObject(type, fields);
      return type === undefined ? [] : [refTo(type)];
    });
    if (options.length > 0) joined.set(name, { oneOf: options, discriminator: { propertyName: typenameField } });
    else if (definition.has('properties')) addObject(name, definition);
    else joined.set(name, definition.value);
  }
  const items = itemsOfPages(objects, joined);
  for (const [name, fields] of objects) {
    if (fields.size === 0) {
      fields.set('id', { schema: { type: 'string' }, isRequired: true });
      draft.lose(definitions, `type ${name}`, 'None of the responses shows its fields, so it gets an id.');
    }
    joined.set(name, {
      type: 'object',
      required: [...fields].flatMap(([field, { isRequired }]) => (isRequired ? [field] : [])),
      properties: Object.fromEntries(
        [...fields].map(([field, { schema }]) => [field, pageOf(schema, items) ?? schema]),
      ),
    });
  }
  const schemas = root.entries('schemas').map(([key, { value }]) => [key, pageOf(value, items) ?? value]);
  return { schemas: Object.fromEntries(schemas), definitions: Object.fromEntries(joined) };
}

function refTo(name: string): { readonly $ref: string } {
  return { $ref: `#/definitions/${name}` };
}

/** The schemas of the items of pages, and whether these count them, by the references to the connections. Takes the types of pages out. */
function itemsOfPages(objects: Map<string, Fields>, joined: Map<string, unknown>) {
  const items = new Map<string, object>();
  for (const [name, fields] of objects) {
    const item = /^(.+)Connection$/.exec(name)?.[1];
    const isPage = [...fields.keys()].every((field) => ['edges', 'pageInfo', counted].includes(field));
    if (item === undefined || !isPage || fields.size === 0) continue;
    const isKnown = objects.has(item) || joined.has(item);
    if (!isKnown) joined.set(item, { [scalarWord]: true });
    items.set(refTo(name).$ref, { items: refTo(item), [pageWord]: fields.has(counted) ? counted : true });
    objects.delete(name);
    objects.delete(`${item}Edge`);
  }
  if (items.size > 0) objects.delete('PageInfo');
  return items;
}

/** The list of which a schema describes a page; undefined for other schemas. */
function pageOf(schema: unknown, items: ReadonlyMap<string, object>): object | undefined {
  if (items.size === 0) return undefined;
  const place = new JsonPlace(schema, '');
  const [bare = place, ...others] = place.list('anyOf');
  const page = items.get(bare.text('$ref') ?? '');
  if (page === undefined) return undefined;
  return { type: others.length === 0 ? 'array' : ['array', 'null'], ...page };
}
