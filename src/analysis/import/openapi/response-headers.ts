import { JsonPlace } from '../../../base/source/json-place.js';
import { isHeaderName, whyReservedInAnswers } from '../../../compiler/graph/header-names.js';
import { uncapitalized } from '../../../compiler/graph/names.js';
import { bareName, nearestName } from '../draft/draft.js';
import type { References } from './references.js';
import type { RestDocument, RestOperation } from './rest-document.js';

/** Whether a field can have the value of a header: rate limits are those of the server. */
export function isResultHeader(name: string): boolean {
  return isHeaderName(name) && whyReservedInAnswers(name) === undefined && !/^x-rate-?limit/i.test(name);
}

/** The schema of a result whose fields are the headers of a response without content; undefined without any. */
export function resultOfHeaders(response: JsonPlace, references: References): JsonPlace | undefined {
  const headers = resultHeadersOf(response, references);
  const properties = Object.fromEntries(headers.map(({ name, schema }) => [name, schema.value]));
  const required = headers.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  return headers.length === 0 ? undefined : new JsonPlace({ type: 'object', properties, required }, response.pointer);
}

/**
 * Adds the headers of a response with content to the type of the result, as fields that may be null: other operations may
 * return the type, too. Reports those for which it has no place.
 */
export function addHeaderFields(
  { draft, references, types }: RestDocument,
  { name: operation }: RestOperation,
  response: JsonPlace,
  result: string,
): void {
  for (const { header, name, schema } of resultHeadersOf(response, references)) {
    const options = { of: bareName(result), use: 'output', isRequired: false, hint: header } as const;
    const isAdded = types.addField(result, name, () => types.valueOf(name, schema, options));
    const lost = `response header ${header} of ${operation}`;
    if (isAdded === undefined) draft.lose(schema, lost, 'Only a result that is an object has fields.');
    else if (!isAdded) draft.lose(schema, lost, `The result has another field “${name}”.`);
  }
}

interface ResultHeader {
  readonly header: string;
  /** The name of the field. */
  readonly name: string;
  readonly schema: JsonPlace;
  readonly isRequired: boolean;
}

/** The headers of a response that fields can have. The value of a field is a text where the header is a list or an object. */
function resultHeadersOf(response: JsonPlace, references: References): readonly ResultHeader[] {
  return response.entries('headers').flatMap(([header, given]): readonly ResultHeader[] => {
    const place = references.resolve(given);
    if (place === undefined || !isResultHeader(header)) return [];
    const name = uncapitalized(nearestName(header) ?? header);
    const schema = place.at('schema');
    const declared = schema && references.resolve(schema);
    const words = (declared?.value ?? {}) as { readonly type?: unknown };
    const isText = [words.type].flat().some((one) => one === 'array' || one === 'object');
    const description = place.text('description');
    const value = { type: 'string', description, ...(isText ? {} : words), 'x-header': header };
    const isRequired = place.flag('required');
    return [{ header, name, schema: new JsonPlace(value, place.pointer), isRequired }];
  });
}
