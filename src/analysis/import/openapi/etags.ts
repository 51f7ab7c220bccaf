import type { JsonPlace } from '../../../base/source/json-place.js';
import { parametersOf, type RestDocument } from './rest-document.js';

/** Whether a header is one that the setting `etag` adds. */
export function isCondition(header: string): boolean {
  return /^if-(?:none-)?match$/i.test(header);
}

/**
 * The setting `etag` of an operation: of a GET whose response has an ETag, and of a write on its path that takes the
 * conditions. Undefined for other operations, also if the read requires more than its path, so that it cannot be called
 * for the comparison (GG2062).
 */
export function etagOf(document: RestDocument, item: JsonPlace, place: JsonPlace, method: string) {
  const read = item.at('get');
  const { references } = document;
  const isTagged = read?.entries('responses').some(([code, response]) => {
    const headers = references.resolve(response)?.entries('headers') ?? [];
    return /^2(?!0[45])/.test(code) && headers.some(([name]) => /^etag$/i.test(name));
  });
  if (read === undefined || isTagged !== true) return undefined;
  if (method === 'GET') return 'true';
  const isSimple = parametersOf(document, { item, place: read }).every(
    (one) => one.text('in') === 'path' || !one.flag('required'),
  );
  const conditions = parametersOf(document, { item, place }).filter(
    (one) => one.text('in') === 'header' && isCondition(one.text('name') ?? ''),
  );
  if (!isSimple || conditions.length === 0) return undefined;
  return conditions.some((one) => one.flag('required')) ? "'required'" : 'true';
}
