import type { DiagnosticParams } from '../../../base/diagnostics/codes.js';
import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import type { Value } from '../../syntax/ast.js';
import { nearWord } from '../suggest.js';
import { reportStrayArguments } from './field-arguments.js';
import { type NodeDraft, type PropertyPlace, report, reportPropertyClash } from './graph-draft.js';

/**
 * The one property that has a meaning on an enum or a scalar, at its first place; undefined when the node does not
 * have it. Where it is repeated it must have the same value (GG2006). Every other property is a warning, once for
 * each key (GG2017); if the node lacks the one, another that is nearly called so is read instead.
 */
export function findOwnProperty(
  node: NodeDraft,
  label: 'Enum' | 'Scalar',
  key: string,
): PropertyPlace | undefined {
  let found: PropertyPlace | undefined;
  const others = new Map<string, PropertyPlace>();
  for (const { file, term } of node.declarations) {
    for (const property of term.properties) {
      if (property.key === key) {
        reportStrayArguments(file, property);
        if (found === undefined) found = { file, property };
        else if (!isSame(found.property.value, property.value)) {
          reportPropertyClash(`Node “${node.id}”`, found, { file, property });
        }
      } else if (!others.has(property.key)) others.set(property.key, { file, property });
    }
  }
  node.declarations = none;
  for (const [word, place] of others) {
    const suggestion = found === undefined ? nearWord(word, [key]) : undefined;
    if (suggestion !== undefined) found = place;
    warnOfMeaningless(place, { property: word, node: node.id, label, suggestion });
  }
  return found;
}

function warnOfMeaningless({ file, property }: PropertyPlace, params: DiagnosticParams<'GG2017'>): void {
  const { key, start } = property;
  const fix = writeInstead(params.suggestion, { file: file.name, start, end: start + key.length });
  report(file, 'GG2017', params, property, fix);
}

const none: readonly never[] = [];

/**
 * Whether two values are equal without their places; the kind of quotes makes no difference. It stops at the first
 * difference, so that many short values cost no more than their own length beside a long one.
 */
function isSame(one: Value, other: Value): boolean {
  switch (one.kind) {
    case 'List':
      return (
        other.kind === 'List' &&
        one.nonNull === other.nonNull &&
        one.items.length === other.items.length &&
        one.items.every((item, at) => isSame(item, other.items[at] as Value))
      );
    case 'Word':
      return other.kind === 'Word' && one.name === other.name && one.nonNull === other.nonNull;
    case 'Null':
      return other.kind === 'Null';
    default:
      return 'value' in other && one.value === other.value;
  }
}
