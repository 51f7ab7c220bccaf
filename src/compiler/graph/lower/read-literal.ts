import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { ListValue, NumberValue, Value } from '../../syntax/ast.js';
import type { JsonValue } from '../json-value.js';
import { describeValue, spanOf } from './graph-draft.js';

/**
 * The JSON value of a literal. A number that JavaScript cannot represent exactly (GG2020) and a list with a bare word
 * or a `!` in it (GG2014) are reported to `sink`; the result is undefined. A bare word by itself is not a literal; the
 * result is undefined.
 */
export function readLiteral(file: SourceFile, value: Value, sink: Diagnostic[]): JsonValue | undefined {
  switch (value.kind) {
    case 'String':
    case 'Boolean':
      return value.value;
    case 'Null':
      return null;
    case 'Word':
      return undefined;
    case 'Number':
      return readNumber(file, value, sink);
    case 'List': {
      const reason = whyNoLiteral(value);
      if (reason === undefined) return readItems(file, value, sink);
      sink.push(diagnose('GG2014', { reason }, spanOf(file, value)));
      return undefined;
    }
  }
}

function readNumber(file: SourceFile, value: NumberValue, sink: Diagnostic[]): number | undefined {
  // Adding 0 turns -0, which JSON does not have, into 0.
  if (holdsExactly(file, value)) return value.value + 0;
  sink.push(diagnose('GG2020', { value: describeValue(file, value) }, spanOf(file, value)));
  return undefined;
}

/** Whether the parsed number equals the written one, to the last digit of an integer. */
function holdsExactly(file: SourceFile, value: NumberValue): boolean {
  if (!Number.isFinite(value.value)) return false;
  if (!value.integer || Number.isSafeInteger(value.value)) return true;
  return BigInt(file.text.slice(value.start, value.end)) === BigInt(value.value);
}

function readItems(file: SourceFile, list: ListValue, sink: Diagnostic[]): JsonValue | undefined {
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
