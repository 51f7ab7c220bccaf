import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { NumberValue, Value } from '../../syntax/ast.js';
import type { JsonValue } from '../json-value.js';
import { isStandardValue } from '../standard-scalars.js';
import { baseName, named, printTypeRef, type TypeRef } from '../type-ref.js';
import {
  type DraftFile,
  describeValue,
  type GraphDraft,
  nodeOfType,
  report,
  spanOf,
  standardScalarOf,
} from './graph-draft.js';
import { isInt } from './literal-type.js';
import { readLiteral } from './read-literal.js';

/**
 * The default of a field or an argument as JSON: the name of an enum value, the text of an ID. A default that is not a
 * value of the type is an error (GG2013) and undefined. GraphQL's rules for literals apply (October 2021, sections 3.5,
 * 3.9, 3.11 and 3.12), except that a single value is not coerced to a list.
 */
export function fitDefault(file: DraftFile, type: TypeRef, value: Value): JsonValue | undefined {
  const json = coerce(file, type, value);
  if (json !== undefined) return json;
  const suggestion = suggestDefault(file, type, value);
  const standard = suggestion === undefined ? standardScalarOf(file.draft, baseName(type)) : undefined;
  const example = standard && JSON.stringify(standard.example).replace(/^"(.*)"$/, "'$1'");
  const params = { value: describeValue(file, value), type: printTypeRef(type), suggestion, example };
  const span = spanOf(file, value);
  report(file, 'GG2013', params, span, writeInstead(suggestion, span));
  return undefined;
}

/** A similar value of the enum; for a bare word in place of a string, the word in quotes. */
function suggestDefault(file: DraftFile, type: TypeRef, value: Value): string | undefined {
  const word = value.kind === 'Word' ? value.name : value.kind === 'String' ? value.value : undefined;
  if (word === undefined) return undefined;
  const known = nodeOfType(file.draft, baseName(type));
  if (known !== undefined) return file.draft.enumNames.get(known)?.suggester.nearest(word);
  const { start, end } = value;
  const quoted: Value = { kind: 'String', value: word, start, end };
  return coerce(file, type, quoted) === undefined ? undefined : `'${word}'`;
}

function coerce(file: DraftFile, type: TypeRef, value: Value): JsonValue | undefined {
  if (type.kind === 'nonNull') return value.kind === 'Null' ? undefined : coerce(file, type.of, value);
  if (type.kind === 'list' && value.kind === 'List') {
    if (value.nonNull) return undefined;
    const items = value.items.map((item) => coerce(file, type.of, item));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (value.kind === 'Number' && type.kind === 'named') return fitNumber(file, type.name, value);
  // Enum values are bare words; quoted values are accepted, because older files quote every value.
  const isEnum = type.kind === 'named' && nodeOfType(file.draft, type.name)?.kind === 'enum';
  const json = isEnum && value.kind === 'Word' && !value.nonNull ? value.name : readLiteral(file, value, []);
  return json === undefined ? undefined : fitJson(file.draft, type, json);
}

/** A number keeps all its digits where the form is text: as an ID, and as some of the standard scalars. */
function fitNumber(file: DraftFile, name: string, literal: NumberValue): JsonValue | undefined {
  const { value, integer, start, end } = literal;
  const text = file.text.slice(start, end);
  if (name === 'Int' && !integer) return undefined;
  if (name === 'Float') return Number.isFinite(value) ? value + 0 : undefined;
  if (name === 'ID') return integer && Number.isFinite(value) ? BigInt(text).toString() : undefined;
  const isDigits = standardScalarOf(file.draft, name)?.isDigits === true;
  const json = isDigits ? text : readLiteral(file, literal, []);
  return json === undefined ? undefined : fitJson(file.draft, named(name), json);
}

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
