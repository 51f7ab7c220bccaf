import { type Diagnostic, diagnose, writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { ListValue, NumberValue, Value } from '../../syntax/ast.js';
import { builtinScalars } from '../builtin-scalars.js';
import type { JsonValue } from '../json-value.js';
import { isStandardValue } from '../standard-scalars.js';
import { baseName, named, nullable, printTypeRef, type TypeRef } from '../type-ref.js';
import type { DraftFile, GraphDraft, TypeTable } from './graph-draft.js';

/**
 * The JSON value of a literal. A number that JavaScript cannot represent exactly (GG2020) and a list with a bare word
 * or a `!` in it (GG2014) are reported to `sink`; the result is undefined. A bare word by itself is not a literal; the
 * result is undefined.
 */
export function readLiteral(file: DraftFile, value: Value, sink: Diagnostic[]): JsonValue | undefined {
  if (value.kind === 'Null') return null;
  if (value.kind === 'Word') return undefined;
  if (value.kind === 'Number') return readNumber(file, value, sink);
  if (value.kind !== 'List') return value.value;
  const reason = whyNoLiteral(value);
  if (reason === undefined) return readItems(file, value, sink);
  sink.push(diagnose('GG2014', { reason }, file.spanOf(value)));
  return undefined;
}

function readNumber(file: DraftFile, value: NumberValue, sink: Diagnostic[]): number | undefined {
  // Adding 0 turns -0, which JSON does not have, into 0.
  if (holdsExactly(file, value)) return value.value + 0;
  sink.push(diagnose('GG2020', { value: file.describe(value) }, file.spanOf(value)));
  return undefined;
}

/** Whether the parsed number equals the written one, to the last digit of an integer. */
function holdsExactly(file: DraftFile, value: NumberValue): boolean {
  if (!Number.isFinite(value.value)) return false;
  if (!value.integer || Number.isSafeInteger(value.value)) return true;
  return BigInt(file.text.slice(value.start, value.end)) === BigInt(value.value);
}

function readItems(file: DraftFile, list: ListValue, sink: Diagnostic[]): JsonValue | undefined {
  const items: JsonValue[] = [];
  for (const item of list.items) {
    const json = readLiteral(file, item, sink);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}

function whyNoLiteral(list: ListValue): string | undefined {
  if (list.nonNull) return 'a ! follows it, which is only allowed after a type';
  for (const item of list.items) {
    if (item.kind === 'Word') return `“${item.name}” is not in quotes`;
    const reason = item.kind === 'List' ? whyNoLiteral(item) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The type of a literal, or the reason why it has none. */
export type LiteralType = { readonly type: TypeRef } | { readonly reason: string };

/**
 * The type of a field that is declared by its value alone: the scalar of the value, non-null; `null` is a nullable
 * String. The items of a list must have one type: integers beside other numbers are Floats, and a `null` makes the
 * items nullable.
 */
export function literalType(types: TypeTable, value: Value): LiteralType {
  if (value.kind === 'List') return listType(types, value.items);
  if (value.kind === 'Null') return { type: types.named('String') };
  if (value.kind === 'Boolean') return { type: types.required('Boolean') };
  if (value.kind !== 'Number') return { type: types.required('String') };
  return { type: types.required(value.integer && isInt(value.value) ? 'Int' : 'Float') };
}

/** Whether a number is a GraphQL Int: a 32-bit integer. */
function isInt(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

function listType(types: TypeTable, items: readonly Value[]): LiteralType {
  let common: TypeRef | undefined;
  let holdsNull = false;
  for (const item of items) {
    if (item.kind === 'Null') {
      holdsNull = true;
      continue;
    }
    const found = literalType(types, item);
    if ('reason' in found) return found;
    const united: TypeRef | undefined = common === undefined ? found.type : unite(types, common, found.type);
    if (united === undefined) {
      return {
        reason: `it holds both ${describeLiteralType(common as TypeRef)} and ${describeLiteralType(found.type)}`,
      };
    }
    common = united;
  }
  if (common === undefined) return { reason: holdsNull ? 'it holds nothing but null' : 'it is empty' };
  return { type: types.nonNull(types.listOf(holdsNull ? nullable(common) : common)) };
}

/** The narrowest type for the values of both; undefined if there is none. */
function unite(types: TypeTable, one: TypeRef, other: TypeRef): TypeRef | undefined {
  if (one === other) return one;
  if (one.kind === 'nonNull' || other.kind === 'nonNull') {
    const inner = unite(types, nullable(one), nullable(other));
    return inner !== undefined && one.kind === other.kind ? types.nonNull(inner) : inner;
  }
  if (one.kind === 'list' && other.kind === 'list') {
    const inner = unite(types, one.of, other.of);
    return inner && types.listOf(inner);
  }
  const numbers = isNumber(one) && isNumber(other);
  return numbers ? types.named('Float') : undefined;
}

function isNumber(type: TypeRef): boolean {
  return type.kind === 'named' && (type.name === 'Int' || type.name === 'Float');
}

function describeLiteralType(type: TypeRef): string {
  return printTypeRef(type).replaceAll('!', '');
}

/**
 * The default of a field or an argument as JSON: the name of an enum value, the text of an ID. A default that is not a
 * value of the type is an error (GG2013) and undefined. GraphQL's rules for literals apply (October 2021, sections 3.5,
 * 3.9, 3.11 and 3.12), except that a single value is not coerced to a list.
 */
export function fitDefault(file: DraftFile, type: TypeRef, value: Value): JsonValue | undefined {
  const json = coerce(file, type, value);
  if (json !== undefined) return json;
  const suggestion = suggestDefault(file, type, value);
  const standard = suggestion === undefined ? file.draft.standardScalarOf(baseName(type)) : undefined;
  const example = standard && JSON.stringify(standard.example).replace(/^"(.*)"$/, "'$1'");
  const params = { value: file.describe(value), type: printTypeRef(type), suggestion, example };
  const span = file.spanOf(value);
  file.report('GG2013', params, span, writeInstead(suggestion, span));
  return undefined;
}

/** A similar value of the enum; for a bare word in place of a string, the word in quotes. */
function suggestDefault(file: DraftFile, type: TypeRef, value: Value): string | undefined {
  const word = value.kind === 'Word' ? value.name : value.kind === 'String' ? value.value : undefined;
  if (word === undefined) return undefined;
  const known = file.draft.nodeOfType(baseName(type));
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
  const isEnum = type.kind === 'named' && file.draft.nodeOfType(type.name)?.kind === 'enum';
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
  const isDigits = file.draft.standardScalarOf(name)?.isDigits === true;
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
  const builtin = builtinScalars.get(type.name);
  if (builtin !== undefined) return builtin.fromJson(value);
  const standard = draft.standardScalarOf(type.name);
  if (standard !== undefined) return isStandardValue(standard, value) ? value : undefined;
  const node = draft.nodeOfType(type.name);
  if (node?.kind === 'scalar') return value;
  if (node?.kind !== 'enum') return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  return typeof value === 'string' && draft.enumNames.get(node)?.names.has(value) !== false ? value : undefined;
}
