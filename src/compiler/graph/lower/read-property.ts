import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { ListValue, Property, StringValue, Value, WordValue } from '../../syntax/ast.js';
import { builtinScalarNames } from '../builtin-scalars.js';
import type { JsonValue } from '../json-value.js';
import { typeNameOf } from '../names.js';
import type { TypeRef } from '../type-ref.js';
import type { DraftFile, GraphDraft } from './graph-draft.js';
import { fitDefault, readLiteral } from './read-literal.js';

/** The content of a property: a type, perhaps with a default, or a literal. */
export type Reading =
  /** The default is undefined if there is none, or if it does not have the type. */
  | { readonly kind: 'typed'; readonly type: TypeRef; readonly fallback: JsonValue | undefined }
  | { readonly kind: 'literal'; readonly json: JsonValue };

/**
 * The type of a property that declares no more than a named type which was read before: most properties of a large
 * topology. Undefined for all others, which `readProperty` reads.
 */
export function knownType(draft: GraphDraft, { value, fallback }: Property): TypeRef | undefined {
  if (value.kind !== 'Word' || fallback !== undefined) return undefined;
  return draft.typeTable.known(value.name, value.nonNull);
}

/**
 * Reads a property of a node or an edge: a type expression declares, anything else is a literal. A property that cannot
 * be read is reported; the result is undefined.
 */
export function readProperty(file: DraftFile, property: Property): Reading | undefined {
  const { value, fallback } = property;
  if (looksLikeType(value)) {
    const word = innermostWord(value);
    if (file.draft.isKnownType(word.name)) {
      const type = typeOf(file.draft, value);
      return { kind: 'typed', type, fallback: fallback && fitDefault(file, type, fallback) };
    }
    if (value.kind === 'List' || value.nonNull || fallback !== undefined) {
      reportUnknownType(file, word);
      return undefined;
    }
    reportBareWord(file, word);
    return { kind: 'literal', json: word.name };
  }
  if (fallback !== undefined) {
    file.report('GG2019', { value: file.describe(value) }, value);
    return undefined;
  }
  const json = readLiteral(file, value, file.draft.diagnostics);
  if (json === undefined) return undefined;
  if (value.kind === 'String' && readsLikeType(file.draft, value.value))
    file.report('GG2009', { text: value.value }, value, withoutQuotes(file, value));
  return { kind: 'literal', json };
}

/** The words of `key: [One, Other]`, which name types; undefined for any other value. */
export function readWords({ value, fallback }: Property): readonly string[] | undefined {
  if (value.kind !== 'List' || value.nonNull || fallback !== undefined || value.items.length === 0) return undefined;
  const words = value.items.map((item) => (item.kind === 'Word' && !item.nonNull ? item.name : undefined));
  return words.every((word) => word !== undefined) ? words : undefined;
}

/**
 * Reads the type of `returns`. An unknown type is an error (GG2008), and so is anything that is not a type (GG2018);
 * a type in quotes comes with the fix.
 */
export function readReturns(file: DraftFile, property: Property): TypeRef | undefined {
  const { value, fallback } = property;
  if (looksLikeType(value) && fallback === undefined) {
    const word = innermostWord(value);
    if (file.draft.isKnownType(word.name)) return typeOf(file.draft, value);
    reportUnknownType(file, word);
    return undefined;
  }
  const quoted =
    value.kind === 'String' && (file.draft.isKnownType(value.value) || readsLikeType(file.draft, value.value));
  const params = { property: property.key, expected: 'a type, such as User or [User!]!, and no default' };
  file.report('GG2018', params, value, quoted ? withoutQuotes(file, value) : {});
  return undefined;
}

/** A word, or one word in brackets: the form of a type. */
type TypeShape = WordValue | ListValue;

function looksLikeType(value: Value): value is TypeShape {
  let inner = value;
  while (inner.kind === 'List' && inner.items.length === 1) inner = inner.items[0] as Value;
  return inner.kind === 'Word';
}

function innermostWord(shape: TypeShape): WordValue {
  return shape.kind === 'Word' ? shape : innermostWord(shape.items[0] as TypeShape);
}

function typeOf(draft: GraphDraft, shape: TypeShape): TypeRef {
  const { typeTable } = draft;
  if (shape.kind === 'List') {
    const list = typeTable.listOf(typeOf(draft, shape.items[0] as TypeShape));
    return shape.nonNull ? typeTable.nonNull(list) : list;
  }
  return shape.nonNull ? typeTable.required(shape.name) : typeTable.named(shape.name);
}

function reportUnknownType(file: DraftFile, word: WordValue): void {
  const { name } = word;
  const suggestion = file.draft.suggestType(name);
  const [labelled] = file.draft.nodes.has(name) ? [] : file.draft.nodesOfLabel(name);
  const span = { file: file.name, start: word.start, end: word.start + name.length };
  const params = { name, id: idOf(name), labelled: labelled?.id, suggestion };
  file.report('GG2008', params, span, writeInstead(suggestion, span));
}

/** An id whose type has this name, such as `date_time` for `DateTime`; undefined if there is none. */
function idOf(typeName: string): string | undefined {
  const id = typeName.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return [id, typeName].find((candidate) => typeNameOf(candidate) === typeName);
}

function reportBareWord(file: DraftFile, word: WordValue): void {
  const suggestion = file.draft.suggestType(word.name);
  const span = file.spanOf(word);
  const fix = writeInstead(suggestion ?? `'${word.name}'`, span);
  file.report('GG2007', { word: word.name, suggestion }, span, fix);
}

function withoutQuotes(file: DraftFile, value: StringValue) {
  const edits = [{ span: file.spanOf(value), text: value.value }];
  return { fix: { description: 'Remove the quotes', edits } };
}

/**
 * Whether a quoted string was most likely meant as a type: a built-in scalar by its bare name, or any known type with
 * `!` or brackets. The bare name of a node's type is too often an ordinary string.
 */
function readsLikeType(draft: GraphDraft, text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (last !== exclamationMark && last !== closingBracket) return builtinScalarNames.has(text);
  const parts = /^(\[*)([A-Za-z_]\w*)!?((?:\]!?)*)$/.exec(text);
  if (parts === null) return false;
  const [, opening = '', name = '', closing = ''] = parts;
  return opening.length === closing.replaceAll('!', '').length && draft.isKnownType(name);
}

const exclamationMark = 33;
const closingBracket = 93;
