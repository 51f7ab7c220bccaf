import { JsonPlace } from '../../../base/source/json-place.js';
import { isHeaderName, whyReservedInAnswers } from '../../../compiler/graph/header-names.js';
import { uncapitalized } from '../../../compiler/graph/names.js';
import { nearestName } from '../draft/draft.js';
import type { References } from './references.js';

/** Whether a field can have the value of a header: rate limits are those of the server. */
export function isResultHeader(name: string): boolean {
  return isHeaderName(name) && whyReservedInAnswers(name) === undefined && !/^x-rate-?limit/i.test(name);
}

/** The schema of a result whose fields are the headers of a response without content; undefined without any. */
export function resultOfHeaders(response: JsonPlace, references: References): JsonPlace | undefined {
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const [header, given] of response.entries('headers')) {
    const place = references.resolve(given);
    const name = uncapitalized(nearestName(header) ?? header);
    if (place === undefined || !isResultHeader(header)) continue;
    const schema = place.at('schema');
    const declared = schema && references.resolve(schema);
    const description = place.text('description');
    properties[name] = { type: 'string', description, ...(declared?.value as object), 'x-header': header };
    if (place.flag('required')) required.push(name);
  }
  const isEmpty = Object.keys(properties).length === 0;
  return isEmpty ? undefined : new JsonPlace({ type: 'object', properties, required }, response.pointer);
}
