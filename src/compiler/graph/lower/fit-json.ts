import type { JsonValue } from '../json-value.js';
import { isStandardValue } from '../standard-scalars.js';
import type { TypeRef } from '../type-ref.js';
import { type GraphDraft, nodeOfType, standardScalarOf } from './graph-draft.js';
import { isInt } from './literal-type.js';

/**
 * A JSON value as a value of a type; undefined if it is none. The fields of objects are not looked at, because they
 * may not be resolved yet.
 */
export function fitJson(draft: GraphDraft, type: TypeRef, value: JsonValue): JsonValue | undefined {
  if (type.kind === 'nonNull') return value === null ? undefined : fitJson(draft, type.of, value);
  if (value === null) return null;
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item) => fitJson(draft, type.of, item));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const isNumber = typeof value === 'number';
  switch (type.name) {
    case 'String':
      return typeof value === 'string' ? value : undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'Int':
      return isNumber && Number.isInteger(value) && isInt(value) ? value : undefined;
    case 'Float':
      return isNumber ? value : undefined;
    case 'ID':
      return typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined;
  }
  const standard = standardScalarOf(draft, type.name);
  if (standard !== undefined) return isStandardValue(standard, value) ? value : undefined;
  const node = nodeOfType(draft, type.name);
  if (node?.kind === 'scalar') return value;
  if (node?.kind !== 'enum') return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  return typeof value === 'string' && draft.enumNames.get(node)?.names.has(value) !== false
    ? value
    : undefined;
}
