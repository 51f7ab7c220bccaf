import { diagnose, writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { Value } from '../../syntax/ast.js';
import type { JsonValue } from '../json-value.js';
import { isStandardValue, type StandardScalar } from '../standard-scalars.js';
import { baseName, printTypeRef, type TypeRef } from '../type-ref.js';
import {
  describeValue,
  type GraphDraft,
  type NodeDraft,
  nodeOfType,
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
export function fitDefault(
  draft: GraphDraft,
  file: SourceFile,
  type: TypeRef,
  value: Value,
): JsonValue | undefined {
  const json = coerce(draft, file, type, value);
  if (json !== undefined) return json;
  const suggestion = suggestDefault(draft, file, type, value);
  const standard = suggestion === undefined ? standardScalarOf(draft, baseName(type)) : undefined;
  const example = standard && JSON.stringify(standard.example).replace(/^"(.*)"$/, "'$1'");
  const params = { value: describeValue(file, value), type: printTypeRef(type), suggestion, example };
  const span = spanOf(file, value);
  draft.diagnostics.push(diagnose('GG2013', params, span, writeInstead(suggestion, span)));
  return undefined;
}

/** A similar value of the enum; for a bare word in place of a string, the word in quotes. */
function suggestDefault(
  draft: GraphDraft,
  file: SourceFile,
  type: TypeRef,
  value: Value,
): string | undefined {
  const word = value.kind === 'Word' ? value.name : value.kind === 'String' ? value.value : undefined;
  if (word === undefined) return undefined;
  const known = nodeOfType(draft, baseName(type));
  if (known !== undefined) return draft.enumNames.get(known)?.suggester.nearest(word);
  const { start, end } = value;
  const quoted: Value = { kind: 'String', value: word, start, end };
  return coerce(draft, file, type, quoted) === undefined ? undefined : `'${word}'`;
}

function coerce(draft: GraphDraft, file: SourceFile, type: TypeRef, value: Value): JsonValue | undefined {
  if (type.kind === 'nonNull') return value.kind === 'Null' ? undefined : coerce(draft, file, type.of, value);
  if (value.kind === 'Null') return null;
  if (type.kind === 'named') return fitNamed(draft, file, type.name, value);
  if (value.kind !== 'List' || value.nonNull) return undefined;
  const items: JsonValue[] = [];
  for (const item of value.items) {
    const json = coerce(draft, file, type.of, item);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}

function fitNamed(draft: GraphDraft, file: SourceFile, name: string, value: Value): JsonValue | undefined {
  switch (name) {
    case 'String':
      return value.kind === 'String' ? value.value : undefined;
    case 'Boolean':
      return value.kind === 'Boolean' ? value.value : undefined;
    case 'Int':
      return value.kind === 'Number' && value.integer && isInt(value.value) ? value.value + 0 : undefined;
    case 'Float':
      return value.kind === 'Number' && Number.isFinite(value.value) ? value.value + 0 : undefined;
    case 'ID':
      return fitId(file, value);
    default: {
      const standard = standardScalarOf(draft, name);
      if (standard !== undefined) return fitStandard(file, standard, value);
      const known = nodeOfType(draft, name);
      if (known?.kind === 'enum') return fitEnum(draft, known, value);
      // A custom scalar takes any literal: only the server's implementation can check it. Everything else has no
      // default but null, which `coerce` handles.
      return known?.kind === 'scalar' ? readLiteral(file, value, []) : undefined;
    }
  }
}

/** An ID is a string, or an integer whose digits are the string. */
function fitId(file: SourceFile, value: Value): string | undefined {
  if (value.kind === 'String') return value.value;
  if (value.kind !== 'Number' || !value.integer || !Number.isFinite(value.value)) return undefined;
  return BigInt(file.text.slice(value.start, value.end)).toString();
}

/** A literal as the JSON form of a standard scalar. A number keeps all its digits if the form is text. */
function fitStandard(file: SourceFile, scalar: StandardScalar, value: Value): JsonValue | undefined {
  const json =
    value.kind === 'Number' && scalar.isDigits === true
      ? file.text.slice(value.start, value.end).replace(/^\+/, '')
      : readLiteral(file, value, []);
  return json !== undefined && isStandardValue(scalar, json) ? json : undefined;
}

/** Enum values are bare words; quoted values are accepted, because older files quote every value. */
function fitEnum(draft: GraphDraft, node: NodeDraft, value: Value): string | undefined {
  const word =
    value.kind === 'Word' && !value.nonNull ? value.name : value.kind === 'String' ? value.value : undefined;
  // Faulty enum values were reported; they do not make the default an error, too.
  return word !== undefined && draft.enumNames.get(node)?.names.has(word) === false ? undefined : word;
}
