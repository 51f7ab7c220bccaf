import { JsonPlace } from '../draft/json-place.js';
import { jsonOf } from './requests.js';

/** The JSON Schemas of responses that a collection of our own has in a variable; undefined for other collections. */
export function answersOf(collection: JsonPlace): JsonPlace | undefined {
  const variable = collection.list('variable').find((one) => one.text('key') === 'answers');
  const text = variable?.text('value');
  const answers = text?.startsWith('{"schemas":') ? jsonOf(joinVariants(text)) : undefined;
  if (variable === undefined || typeof answers !== 'object' || answers === null) return undefined;
  const { definitions } = answers as { readonly definitions?: object };
  if (typeof definitions !== 'object' || definitions === null) return undefined;
  return new JsonPlace(
    { ...answers, definitions: joinDefinitions(definitions) },
    `${variable.pointer}/value`,
  );
}

/** A nested object has a definition of its own, such as `Book.2`, if the response has fewer of its fields. */
function joinVariants(text: string): string {
  return text.replace(/"#\/definitions\/(\w+)\.\d+"/g, '"#/definitions/$1"');
}

function joinDefinitions(definitions: object): object {
  const joined = new Map<string, { properties?: object }>();
  for (const [name, definition] of Object.entries(definitions)) {
    const base = name.replace(/\.\d+$/, '');
    const before = joined.get(base);
    const isObject = before?.properties !== undefined && definition?.properties !== undefined;
    if (before === undefined) joined.set(base, definition);
    else if (isObject)
      joined.set(base, { ...before, properties: { ...definition.properties, ...before.properties } });
  }
  return Object.fromEntries(joined);
}
