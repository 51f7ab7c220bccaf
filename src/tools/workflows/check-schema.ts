import { compileSchema, type JsonSchema } from '../../base/json-schema/compile-schema.js';
import { formatCheck } from '../../base/json-schema/formats.js';
import { pointerStep } from '../../base/source/json-pointer.js';

/**
 * The ways in which a value does not fit a schema of an OpenAPI document: `/items/0/price must be number, not "1"`. At
 * most ten, so that a report stays readable.
 */
export function checkSchema(document: object, schema: unknown, value: unknown): readonly string[] {
  const check = compileSchema(schema as JsonSchema, { document, formatOf: formatCheck, most: 10 });
  return check(value).map(({ path, reason }) => `${path.map(pointerStep).join('') || 'the value'} ${reason}`);
}
